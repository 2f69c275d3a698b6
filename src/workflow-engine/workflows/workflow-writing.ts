import type { Caller } from "../../core/caller.ts";
import type { Clock } from "../../core/clock.ts";
import { conflict, PlatformError } from "../../core/errors.ts";
import { mayAccessDocument, withAccess, withoutAccess } from "../../core/group-access.ts";
import { lossOfAccess } from "../../core/group-change.ts";
import type { Identifiers } from "../../core/identifiers.ts";
import type { JsonObject } from "../../core/json.ts";
import { requireProjectName } from "../../document-storage/index.ts";
import { DuplicateKeyError, VersionConflictError, type Store, type Stored, type Write } from "../../store/store.ts";
import type { WorkflowDocument } from "../workflow-schema.ts";
import { toStoredWorkflow, withProblems, type StoredWorkflow } from "./stored-workflow.ts";
import { modelsOnly, validateTogether, type FindTaskModel } from "./workflow-environment.ts";
import { requireOutline } from "./workflow-outline.ts";

export interface WorkflowServiceOptions {
  store: Store;
  clock: Clock;
  identifiers: Identifiers;
  findTask: FindTaskModel;
  /** Further changes that belong to the removal of a workflow: its project forgets it in the same commit. */
  writesOnRemoval?: (workflow: StoredWorkflow) => Promise<readonly Write[]>;
}

/** By name, otherwise by `_id`, without its `access`; one that the caller may not see is not there. */
export async function readWorkflow(
  store: Store,
  nameOrId: string,
  caller: Caller,
): Promise<Stored<StoredWorkflow> | undefined> {
  if (nameOrId === "") return undefined;
  const seen = (found: Stored<StoredWorkflow> | undefined) =>
    found && mayAccessDocument(found.document, caller)
      ? { ...found, document: withoutAccess(found.document) }
      : undefined;
  return (
    seen(await store.readBy<StoredWorkflow>("workflows", "name", nameOrId)) ??
    seen(await store.read<StoredWorkflow>("workflows", nameOrId))
  );
}

/** A workflow made here: id, dates and author are new, whatever the document says. */
export function newWorkflow(
  options: WorkflowServiceOptions,
  document: WorkflowDocument,
  caller: Caller,
): StoredWorkflow {
  const { created: _c, created_by: _b, last_updated: _u, last_updated_by: _l, ...members } = document as StoredWorkflow;
  return withAuthorship(options, { document: members, caller, _id: options.identifiers.uuid() });
}

/**
 * Workflows of files: dates and authors stay, and ids where they are free. A taken id is replaced by a
 * new one, because workflows are referred to by name.
 */
export async function newWorkflowsOfFiles(
  options: WorkflowServiceOptions,
  documents: readonly WorkflowDocument[],
  caller: Caller,
): Promise<StoredWorkflow[]> {
  const taken = new Set<string>();
  const workflows: StoredWorkflow[] = [];
  for (const document of documents) {
    const { _id } = document;
    const isFree = typeof _id === "string" && _id !== "" && !taken.has(_id) && !(await isStored(options, _id));
    const workflow = withAuthorship(options, { document, caller, _id: isFree ? _id : options.identifiers.uuid() });
    taken.add(workflow._id);
    workflows.push(workflow);
  }
  return workflows;
}

async function isStored({ store }: WorkflowServiceOptions, _id: string): Promise<boolean> {
  return (await store.version("workflows", _id)) !== undefined;
}

interface AuthoredWorkflow {
  document: WorkflowDocument;
  caller: Caller;
  _id: string;
}

function withAuthorship(options: WorkflowServiceOptions, { document, caller, _id }: AuthoredWorkflow): StoredWorkflow {
  const update = lastUpdate(options, caller);
  const authorship = { created: update.last_updated, created_by: update.last_updated_by, ...update };
  const missing = Object.entries(authorship).filter(
    ([member]) => (document as unknown as JsonObject)[member] === undefined,
  );
  const complete = { ...document, ...Object.fromEntries(missing) };
  return toStoredWorkflow(complete, { _id, findModel: modelsOnly(options.findTask) });
}

function lastUpdate({ clock }: WorkflowServiceOptions, { accountId }: Caller) {
  return { last_updated: new Date(clock.now()).toISOString(), last_updated_by: accountId };
}

/** Stores new workflows with their problems, all or none; CONFLICT when a name is taken. */
export async function insertWorkflows(
  options: WorkflowServiceOptions,
  workflows: readonly StoredWorkflow[],
): Promise<StoredWorkflow[]> {
  const names = workflows.map((workflow) => workflow.name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw nameTaken(repeated);
  const known = { fields: { name: 1 }, limit: 1 } as const;
  const [taken] = await options.store.find<{ name: string }>("workflows", { name: { $in: names } }, known);
  if (taken) throw nameTaken(taken.name);
  const checked = await checkAll(options, workflows);
  const writes = checked.map((workflow): Write => {
    return { kind: "insert", collection: "workflows", document: withAccess(workflow) };
  });
  await commit(options, writes, names[0] ?? "");
  return checked;
}

/**
 * Replaces the members given. Schemas that the change does not bring are computed when it brings tasks. FORBIDDEN when
 * its `groups` would cost who is no administrator the access, or open a restricted workflow to everybody.
 */
export async function replaceWorkflow(
  options: WorkflowServiceOptions,
  { document: before, version }: Stored<StoredWorkflow>,
  { changes, caller }: { changes: JsonObject; caller: Caller },
): Promise<StoredWorkflow> {
  const { inputSchema: _i, outputSchema: _o, ...withoutSchemas } = before;
  const base = changes["tasks"] === undefined ? before : withoutSchemas;
  const { created, created_by, namespace, _id } = before;
  const merged = { ...base, ...changes, created, created_by, ...lastUpdate(options, caller) };
  const document = requireOutline(merged, "/body/update");
  requireProjectName(document.name, namespace);
  const loss = lossOfAccess("workflow", { before: before.groups, after: document.groups, caller });
  if (loss !== undefined) throw new PlatformError("FORBIDDEN", loss);
  const stored = toStoredWorkflow(document, { _id, namespace, findModel: modelsOnly(options.findTask) });
  const [checked = stored] = await checkAll(options, [stored]);
  const write: Write = { kind: "replace", collection: "workflows", document: withAccess(checked), version };
  await commit(options, [write], document.name);
  return checked;
}

/** Removes a workflow as it was read, and what its removal brings with it; CONFLICT when it was changed meanwhile. */
export async function removeWorkflow(
  options: WorkflowServiceOptions,
  { document, version }: Stored<StoredWorkflow>,
): Promise<void> {
  const further = (await options.writesOnRemoval?.(document)) ?? [];
  const removal: Write = { kind: "discard", collection: "workflows", id: document._id, version };
  await commit(options, [removal, ...further], document.name);
}

async function checkAll(
  options: WorkflowServiceOptions,
  workflows: readonly StoredWorkflow[],
): Promise<StoredWorkflow[]> {
  const toValidate = workflows.map((workflow) => ({ workflow, projectId: workflow.namespace?._id }));
  const workflowNames = workflows.map((workflow) => workflow.name);
  const problems = await validateTogether(options, toValidate, { transformations: [], workflowNames });
  return workflows.map((workflow, index) => withProblems(workflow, problems[index] ?? { errors: [], warnings: [] }));
}

async function commit({ store }: WorkflowServiceOptions, writes: readonly Write[], name: string): Promise<void> {
  try {
    await store.commit(writes);
  } catch (thrown) {
    if (thrown instanceof DuplicateKeyError) throw nameTaken(name);
    if (thrown instanceof VersionConflictError) {
      throw conflict(`Workflow ${name} was changed by somebody else meanwhile`);
    }
    throw thrown;
  }
}

function nameTaken(name: string): Error {
  return conflict(`workflow with name \`${name}\` already exists`);
}
