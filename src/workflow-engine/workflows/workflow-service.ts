import type { Caller } from "../../core/caller.ts";
import { badRequest, notFound } from "../../core/errors.ts";
import { accessibleDocuments, withoutAccess } from "../../core/group-access.ts";
import { refuseMembersOfList } from "../../core/internal-members.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import { findPage, type ListSelection } from "../../core/list-query.ts";
import type { Store } from "../../store/store.ts";
import { computeJobSchemas, type JobSchemas } from "../interpreter/job-schemas.ts";
import type { WorkflowProblems } from "../interpreter/validate-workflow.ts";
import type { WorkflowDocument } from "../workflow-schema.ts";
import { accountIdsOf, toExportedWorkflow, type AccountDocument, type StoredWorkflow } from "./stored-workflow.ts";
import { modelsOnly, validateTogether } from "./workflow-environment.ts";
import { createWorkflowGroups, type WorkflowGroups } from "./workflow-groups.ts";
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

/**
 * Stores workflows and answers for them (spec: workflow-engine.md §1, §9.3, §10). A workflow with groups exists for
 * their members and for administrators alone (§1.1); to others only its name is taken. All errors are PlatformErrors.
 */
export interface WorkflowService extends WorkflowGroups {
  /** Stores a new workflow under a new id; CONFLICT when the name is taken. */
  create(document: unknown, caller: Caller): Promise<StoredWorkflow>;
  /** Stores workflows of files, all or none. Dates, authors and free ids stay as they came. */
  importAll(documents: readonly unknown[], caller: Caller): Promise<StoredWorkflow[]>;
  /** Replaces the members given; the others stay. FORBIDDEN where `changeGroups` is. */
  update(id: string, changes: JsonObject, caller: Caller): Promise<StoredWorkflow>;
  /** Updates the workflow of that `_id` or name as `update` does, or creates it. */
  save(document: unknown, caller: Caller): Promise<StoredWorkflow>;
  rename(name: string, newName: string, caller: Caller): Promise<StoredWorkflow>;
  /** Removes by name or `_id`; undefined when there is none. */
  remove(nameOrId: string, caller: Caller): Promise<StoredWorkflow | undefined>;
  /** By name or `_id`. */
  find(nameOrId: string, caller: Caller): Promise<StoredWorkflow | undefined>;
  /** By name or `_id`; NOT_FOUND when there is none. */
  get(nameOrId: string, caller: Caller): Promise<StoredWorkflow>;
  /** BAD_REQUEST when the selection names a member that only the platform knows. */
  list(
    selection: ListSelection,
    caller: Caller,
    further?: Record<string, Json>,
  ): Promise<{ results: StoredWorkflow[]; total: number }>;
  /** The document as files carry it; undefined when there is none. */
  exportDocument(nameOrId: string, caller: Caller): Promise<WorkflowDocument | undefined>;
  /** Checks a document against what is stored now. A job must not start while there are errors. */
  validate(document: unknown, caller: Caller): Promise<WorkflowProblems>;
  /** Schemas computed from the references of the document. */
  schemas(document: unknown): JobSchemas;
}

/** What the store alone needs of a workflow (`withAccess`). */
const internalMembers: ReadonlySet<string> = new Set(["access"]);

export function createWorkflowService(options: WorkflowServiceOptions): WorkflowService {
  const { store } = options;
  const reading = readingOf(store);
  const writing = writingOf(options, reading);
  return {
    ...reading,
    ...writing,
    ...createWorkflowGroups(options),
    async list(selection, caller, further) {
      refuseMembersOfList(internalMembers, selection);
      const query = accessibleDocuments(caller, further);
      const { results, total } = await findPage<StoredWorkflow>(store, "workflows", selection, query);
      return { results: results.map(withoutAccess), total };
    },
    async validate(document, caller) {
      const workflow = requireOutline(document, "/body/workflow");
      const { namespace } = workflow as Partial<StoredWorkflow>;
      const [problems] = await validateTogether({ ...options, caller }, [{ workflow, projectId: namespace?._id }]);
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
  const find = async (nameOrId: string, caller: Caller): Promise<StoredWorkflow | undefined> =>
    (await readWorkflow(store, nameOrId, caller))?.document;
  return {
    find,
    async get(nameOrId, caller) {
      const workflow = await find(nameOrId, caller);
      if (!workflow) throw workflowNotFound(nameOrId);
      return workflow;
    },
    async exportDocument(nameOrId, caller) {
      const workflow = await find(nameOrId, caller);
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
    const stored = await readWorkflow(options.store, nameOrId, caller);
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
      const byId = typeof document._id === "string" ? await find(document._id, caller) : undefined;
      const known = byId ?? (await find(document.name, caller));
      return known ? update(known._id, document as unknown as JsonObject, caller) : create(document, caller);
    },
    rename: (name, newName, caller) => update(name, { name: newName }, caller),
    async remove(nameOrId, caller) {
      const stored = await readWorkflow(options.store, nameOrId, caller);
      if (stored) await removeWorkflow(options, stored);
      return stored?.document;
    },
  };
}

function workflowNotFound(nameOrId: string): Error {
  return notFound(`Cannot find workflow ${nameOrId}`);
}
