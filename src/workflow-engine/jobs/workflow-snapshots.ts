import { createHash } from "node:crypto";
import { withoutAccess } from "../../core/group-access.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Store, Stored, Write } from "../../store/store.ts";
import { compileWorkflow, type CompiledWorkflow, type WorkflowSnapshot } from "../interpreter/compiled-workflow.ts";
import {
  chooseTransformation,
  readCandidates,
  transformationReferenceOf,
} from "../../transformations/find-transformation.ts";
import type { WorkflowDocument, WorkflowProblem } from "../workflow-schema.ts";

/** A workflow ready to start, as it is stored now. */
export interface PreparedWorkflow {
  /** Content hash of the snapshot. */
  hash: string;
  compiled: CompiledWorkflow;
  /** To be committed with the job: what keeps the snapshot, until this node knows it is there, and what it relies on. */
  alongside: readonly Write[];
}

/** A workflow that cannot be started, and why. It may not even have the shape of a workflow. */
export interface UnfitWorkflow {
  workflow: WorkflowDocument;
  errors: readonly WorkflowProblem[];
}

/** The document of a workflow, whether or not it can be started. */
export function documentIn(prepared: PreparedWorkflow | UnfitWorkflow): WorkflowDocument {
  return "hash" in prepared ? prepared.compiled.snapshot.workflow : prepared.workflow;
}

/** Finds the errors a workflow has now: those stored with it may be out of date. */
export type FindErrors = (workflow: WorkflowDocument) => Promise<readonly WorkflowProblem[]>;

/** Makes and finds the snapshots jobs run on. Each is stored once per content. */
export interface WorkflowSnapshots {
  /**
   * The named workflow as this node knows it, without a look: it may be out of date, and what is committed
   * alongside is refused then. Undefined: not known.
   */
  recall(name: string): PreparedWorkflow | undefined;
  /** The named workflow as it is now; undefined when there is none. */
  prepare(name: string): Promise<PreparedWorkflow | UnfitWorkflow | undefined>;
  /** The snapshot of a job under way. */
  find(hash: string): Promise<CompiledWorkflow>;
  /** Remembers that a commit with this snapshot's write has succeeded. */
  confirm(hash: string): void;
}

type StoredWorkflow = WorkflowDocument & { _id: string; namespace?: { _id?: string } | null };

interface DocumentVersion {
  collection: string;
  id: string;
  version: number;
}

interface CurrentWorkflow {
  hash: string;
  /** Documents the snapshot was made of. */
  versions: readonly DocumentVersion[];
}

const mostCompiled = 500;

/** Snapshots over a store, with the compiled ones kept in memory (at most 500, least recently used go first). */
export function createWorkflowSnapshots(store: Store, findErrors: FindErrors): WorkflowSnapshots {
  const compiled = new Map<string, CompiledWorkflow>();
  const current = new Map<string, CurrentWorkflow>();
  const confirmed = new Set<string>();

  const remember = (hash: string, workflow: CompiledWorkflow): CompiledWorkflow => {
    compiled.delete(hash);
    compiled.set(hash, workflow);
    const oldest = compiled.keys().next();
    if (compiled.size > mostCompiled && !oldest.done) compiled.delete(oldest.value);
    return workflow;
  };

  const prepared = (hash: string, workflow: CompiledWorkflow): PreparedWorkflow => ({
    hash,
    compiled: workflow,
    alongside: confirmed.has(hash) ? [] : [keepWrite(hash, workflow.snapshot)],
  });

  return {
    recall(name) {
      const known = current.get(name);
      const workflow = known && compiled.get(known.hash);
      if (!workflow) return undefined;
      const { hash, compiled: remembered, alongside } = prepared(known.hash, remember(known.hash, workflow));
      return { hash, compiled: remembered, alongside: [...alongside, ...known.versions.map(requirement)] };
    },
    async prepare(name) {
      const known = current.get(name);
      const workflow = known && compiled.get(known.hash);
      if (workflow && (await isCurrent(store, known))) return prepared(known.hash, remember(known.hash, workflow));
      const found = await store.readBy<StoredWorkflow>("workflows", "name", name);
      if (!found) return undefined;
      const stored = { ...found, document: withoutAccess(found.document) };
      const errors = hasErrors(stored.document) ? await findErrors(stored.document) : [];
      if (errors.length > 0) return { workflow: stored.document, errors };
      const { snapshot, versions, isWhole } = await takeSnapshot(store, stored);
      const hash = createHash("sha256").update(JSON.stringify(snapshot)).digest("hex");
      // A transformation that is missing now may be there at the next start.
      if (isWhole) current.set(name, { hash, versions });
      return prepared(hash, remember(hash, compiled.get(hash) ?? compileWorkflow(snapshot)));
    },
    async find(hash) {
      const known = compiled.get(hash);
      if (known) return remember(hash, known);
      const stored = await store.read<{ _id: string; snapshot: WorkflowSnapshot }>("workflow_snapshots", hash);
      if (!stored) throw new Error(`workflow snapshot ${hash} is not in the store`);
      return remember(hash, compileWorkflow(stored.document.snapshot));
    },
    confirm: (hash) => {
      confirmed.add(hash);
    },
  };
}

function hasErrors({ errors }: WorkflowDocument): boolean {
  return errors !== undefined && errors.length > 0;
}

function keepWrite(hash: string, snapshot: WorkflowSnapshot): Write {
  return { kind: "keep", collection: "workflow_snapshots", document: { _id: hash, snapshot } };
}

function requirement(document: DocumentVersion): Write {
  return { kind: "require", ...document };
}

/** Is everything the snapshot was made of as it was? A workflow that lost its name has another version too. */
async function isCurrent(store: Store, known: CurrentWorkflow): Promise<boolean> {
  // Asked at once: a store at the end of a line answers them together.
  const versions = await Promise.all(known.versions.map(({ collection, id }) => store.version(collection, id)));
  return known.versions.every(({ version }, index) => versions[index] === version);
}

async function takeSnapshot(store: Store, stored: Stored<StoredWorkflow>) {
  const { namespace } = stored.document;
  const references = Object.values(stored.document.tasks).flatMap(
    (task) => transformationReferenceOf(task, namespace?._id) ?? [],
  );
  const candidates = await readCandidates(store, references);
  const versions = [{ collection: "workflows", id: stored.document._id, version: stored.version }];
  const transformations: Record<string, JsonObject> = {};
  let isWhole = true;
  for (const reference of references) {
    const chosen = chooseTransformation(reference, candidates);
    const transformation = chosen && (await store.read("transformations", chosen._id));
    if (!transformation) {
      isWhole = false;
      continue;
    }
    versions.push({ collection: "transformations", id: chosen._id, version: transformation.version });
    transformations[reference.id] = transformation.document;
  }
  const snapshot: WorkflowSnapshot = { workflow: stored.document, transformations };
  return { snapshot, versions, isWhole };
}
