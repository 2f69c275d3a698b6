import type { Caller } from "../../core/caller.ts";
import { badRequest, notFound } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { findPage, type ListSelection } from "../../core/list-query.ts";
import type { Store } from "../../store/store.ts";
import { computeJobSchemas, type JobSchemas } from "../interpreter/job-schemas.ts";
import type { WorkflowProblems } from "../interpreter/validate-workflow.ts";
import type { WorkflowDocument } from "../workflow-schema.ts";
import { accountIdsOf, toExportedWorkflow, type AccountDocument, type StoredWorkflow } from "./stored-workflow.ts";
import { modelsOnly, validateTogether } from "./workflow-environment.ts";
import { hasWorkflowShape, requireOutline } from "./workflow-outline.ts";
import {
  insertWorkflows,
  newWorkflow,
  newWorkflowsOfFiles,
  readWorkflow,
  removeWorkflow,
  replaceWorkflow,
  type WorkflowServiceOptions,
} from "./workflow-writing.ts";

/** Stores workflows and answers for them (spec: workflow-engine.md §1, §9.3, §10). All errors are PlatformErrors. */
export interface WorkflowService {
  /** Stores a new workflow under a new id; CONFLICT when the name is taken. */
  create(document: unknown, caller: Caller): Promise<StoredWorkflow>;
  /** Stores workflows of files, all or none. Dates, authors and free ids stay as they came. */
  importAll(documents: readonly unknown[], caller: Caller): Promise<StoredWorkflow[]>;
  /** Replaces the members given; the others stay. */
  update(id: string, changes: JsonObject, caller: Caller): Promise<StoredWorkflow>;
  /** Updates the workflow of that `_id` or name, or creates it. */
  save(document: unknown, caller: Caller): Promise<StoredWorkflow>;
  rename(name: string, newName: string, caller: Caller): Promise<StoredWorkflow>;
  /** Removes by name or `_id`; undefined when there is none. */
  remove(nameOrId: string): Promise<StoredWorkflow | undefined>;
  /** By name or `_id`. */
  find(nameOrId: string): Promise<StoredWorkflow | undefined>;
  /** By name or `_id`; NOT_FOUND when there is none. */
  get(nameOrId: string): Promise<StoredWorkflow>;
  list(selection: ListSelection): Promise<{ results: StoredWorkflow[]; total: number }>;
  /** The document as files carry it; undefined when there is none. */
  exportDocument(nameOrId: string): Promise<WorkflowDocument | undefined>;
  /** Checks a document against what is stored now. A job must not start while there are errors. */
  validate(document: unknown): Promise<WorkflowProblems>;
  /** Schemas computed from the references of the document. */
  schemas(document: unknown): JobSchemas;
}

export function createWorkflowService(options: WorkflowServiceOptions): WorkflowService {
  const { store } = options;
  const reading = readingOf(store);
  const writing = writingOf(options, reading);
  return {
    ...reading,
    ...writing,
    list: (selection) => findPage<StoredWorkflow>(store, "workflows", selection),
    async validate(document) {
      const workflow = requireOutline(document, "/body/workflow");
      const { namespace } = workflow as Partial<StoredWorkflow>;
      const [problems] = await validateTogether(options, [{ workflow, projectId: namespace?._id }]);
      return problems ?? { errors: [], warnings: [] };
    },
    schemas(document) {
      const workflow = requireOutline(document, "/body/workflow");
      if (!hasWorkflowShape(workflow)) throw badRequest("The workflow has tasks or transitions of a wrong form");
      return computeJobSchemas(workflow, modelsOnly(options.findTask));
    },
  };
}

type Reading = Pick<WorkflowService, "find" | "get" | "exportDocument">;
type Writing = Pick<WorkflowService, "create" | "importAll" | "update" | "save" | "rename" | "remove">;

function readingOf(store: Store): Reading {
  const find = async (nameOrId: string): Promise<StoredWorkflow | undefined> =>
    (await readWorkflow(store, nameOrId))?.document;
  return {
    find,
    async get(nameOrId) {
      const workflow = await find(nameOrId);
      if (!workflow) throw workflowNotFound(nameOrId);
      return workflow;
    },
    async exportDocument(nameOrId) {
      const workflow = await find(nameOrId);
      if (!workflow) return undefined;
      const accounts = await store.find<AccountDocument>("accounts", { _id: { $in: accountIdsOf(workflow) } });
      return toExportedWorkflow(workflow, accounts);
    },
  };
}

function writingOf(options: WorkflowServiceOptions, { find }: Reading): Writing {
  const create = async (candidate: unknown, caller: Caller): Promise<StoredWorkflow> => {
    const document = requireOutline(candidate, "/body");
    const [stored] = await insertWorkflows(options, [newWorkflow(options, document, caller)]);
    return stored as StoredWorkflow;
  };
  const update = async (nameOrId: string, changes: JsonObject, caller: Caller): Promise<StoredWorkflow> => {
    const stored = await readWorkflow(options.store, nameOrId);
    if (!stored) throw workflowNotFound(nameOrId);
    return replaceWorkflow(options, stored, { changes, caller });
  };
  return {
    create,
    update,
    async importAll(candidates, caller) {
      const documents = candidates.map((candidate) => requireOutline(candidate, "/body"));
      return insertWorkflows(options, await newWorkflowsOfFiles(options, documents, caller));
    },
    async save(candidate, caller) {
      const document = requireOutline(candidate, "/body");
      const byId = typeof document._id === "string" ? await find(document._id) : undefined;
      const known = byId ?? (await find(document.name));
      return known ? update(known._id, document as unknown as JsonObject, caller) : create(document, caller);
    },
    rename: (name, newName, caller) => update(name, { name: newName }, caller),
    async remove(nameOrId) {
      const workflow = await find(nameOrId);
      if (workflow) await removeWorkflow(options, workflow);
      return workflow;
    },
  };
}

function workflowNotFound(nameOrId: string): Error {
  return notFound(`Cannot find workflow ${nameOrId}`);
}
