import type { Store } from "../../store/store.ts";
import type { JobState } from "../interpreter/job-state.ts";
import type { CompiledWorkflow } from "../interpreter/compiled-workflow.ts";
import { jobDocument } from "./job-document.ts";
import type { FindWorkflow } from "./job-log.ts";
import { descendantsOf } from "./job-tree.ts";
import { largeValueMarker } from "../../core/stored-value.ts";
import {
  largeValueCollection,
  pieceId,
  placeParts,
  type LargeValueDocument,
  type PieceDocument,
  type StoredTextDocument,
} from "./large-parts.ts";
import { loggedEvents, referredValues, restoreMarkers, stateAfter } from "./replay-log.ts";
import { shownEvent, type CurrentIterations, type HistoryEntry } from "./shown-changes.ts";
import { taskDocument } from "./task-document.ts";

/** A job in an archive. Large values are shown by their markers; they stand in lines of their own. */
export interface ArchivedJob {
  kind: "job";
  _id: string;
  /** The job at the top of its tree. */
  root: string;
  job: Record<string, unknown>;
  /** The row of the last iteration of each task that ran. */
  tasks: object[];
  history: HistoryEntry[];
}

/** A large value that jobs of the tree before it refer to. Parts of it that are large themselves are markers. */
export interface ArchivedValue {
  kind: "largeValue";
  _id: string;
  root: string;
  value: unknown;
}

/** A large value that was kept as text. The lines of its pieces follow at once, in order. */
export interface ArchivedText {
  kind: "largeText";
  _id: string;
  root: string;
  /** Characters of the text. */
  size: number;
  /** Of how many pieces. */
  pieces: number;
}

/** A piece of the text before it. */
export interface ArchivedPiece {
  kind: "textPiece";
  /** Of the large value. */
  _id: string;
  root: string;
  text: string;
}

/** A line of an archive file. */
export type ArchiveLine = ArchivedJob | ArchivedValue | ArchivedText | ArchivedPiece;

export interface ArchiveSource {
  store: Store;
  findWorkflow: FindWorkflow;
}

/** A tree of jobs that cannot be archived, by its root. */
export class UnreadableTree extends Error {
  override readonly name = "UnreadableTree";
  readonly root: string;

  constructor(root: string, reason: string) {
    super(`job ${root} cannot be archived: ${reason}`);
    this.root = root;
  }
}

/** The lines of some trees of jobs, each as JSON text with a line end. UnreadableTree when one cannot be read. */
export async function* archiveTexts(source: ArchiveSource, roots: readonly string[]): AsyncGenerator<string> {
  for (const root of roots) for await (const line of treeLines(source, root)) yield `${JSON.stringify(line)}\n`;
}

async function* treeLines(source: ArchiveSource, root: string): AsyncGenerator<ArchiveLine> {
  const written = new Set<string>();
  const line = await jobLine(source, root, root);
  // Somebody has deleted it meanwhile: what is left below it goes as well.
  if (!line) return;
  yield line;
  yield* valueLines(source, { root, jobId: root }, written);
  for await (const { _id } of descendantsOf(source.store, root)) yield* jobLines(source, { root, jobId: _id }, written);
}

/** The line of a job, and those of the large values that were not written before. */
async function* jobLines(
  source: ArchiveSource,
  { root, jobId }: { root: string; jobId: string },
  written: Set<string>,
): AsyncGenerator<ArchiveLine> {
  const line = await jobLine(source, root, jobId);
  if (line) yield line;
  yield* valueLines(source, { root, jobId }, written);
}

async function* valueLines(
  source: ArchiveSource,
  { root, jobId }: { root: string; jobId: string },
  written: Set<string>,
): AsyncGenerator<ArchiveLine> {
  const ids = new Set((await referredValues(source.store, jobId)).keys());
  for (const id of ids) {
    if (written.has(id)) continue;
    written.add(id);
    const stored = await source.store.read<LargeValueDocument | StoredTextDocument>(largeValueCollection, id);
    if (!stored) continue;
    if ("pieces" in stored.document) {
      yield* textLines(source.store, root, stored.document);
      continue;
    }
    for (const part of stored.document.large ?? []) ids.add(part.id);
    yield { kind: "largeValue", _id: id, root, value: valueOf(stored.document) };
  }
}

/** One piece at a time is in memory. */
async function* textLines(
  store: Store,
  root: string,
  { _id, size, pieces }: StoredTextDocument,
): AsyncGenerator<ArchiveLine> {
  yield { kind: "largeText", _id, root, size, pieces: pieces.length };
  for (const hash of pieces) {
    const stored = await store.read<PieceDocument>(largeValueCollection, pieceId(root, hash));
    if (!stored) throw new UnreadableTree(root, `large value ${_id} is not whole`);
    yield { kind: "textPiece", _id, root, text: stored.document.text };
  }
}

function valueOf({ text, large = [] }: LargeValueDocument): unknown {
  const value: unknown = JSON.parse(text);
  if (large.length > 0) placeParts(value as object, large, largeValueMarker);
  return value;
}

/** Undefined for a job that is gone meanwhile. */
async function jobLine(source: ArchiveSource, root: string, jobId: string): Promise<ArchivedJob | undefined> {
  const { store, findWorkflow } = source;
  const state = await readState(source, root, jobId);
  if (!state || state.isDeleted) return undefined;
  const workflow = await findWorkflow(state.origin.snapshot);
  const history: HistoryEntry[] = [];
  const current: CurrentIterations = new Map();
  for await (const events of loggedEvents({ store, restore: restoreMarkers }, jobId))
    for (const event of events) history.push(shownEvent(jobId, event, current));
  return {
    kind: "job",
    _id: jobId,
    root,
    job: jobDocument(state, workflow),
    tasks: taskDocuments(state, workflow),
    history,
  };
}

function taskDocuments(state: JobState, workflow: CompiledWorkflow): object[] {
  const ran = [...state.tasks].filter(([, { iteration }]) => iteration > 0);
  return ran.map(([taskId]) => taskDocument(state, workflow, taskId));
}

async function readState({ store, findWorkflow }: ArchiveSource, root: string, jobId: string) {
  try {
    return await stateAfter({ store, findWorkflow, restore: restoreMarkers }, jobId);
  } catch (error) {
    if (error instanceof Error && error.name === "StoreUnavailableError") throw error;
    throw new UnreadableTree(root, error instanceof Error ? error.message : String(error));
  }
}
