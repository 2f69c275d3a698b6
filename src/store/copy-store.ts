import { BatchWriter, type SizedWrite } from "./copy/batch-writer.ts";
import { collectionPart } from "./copy/collection-part.ts";
import { ContentDigest, type Contents } from "./copy/content-digest.ts";
import { logPart } from "./copy/log-part.ts";
import type { PartRow, StorePart } from "./copy/store-part.ts";
import { workPart } from "./copy/work-part.ts";
import type { Store } from "./store.ts";

export interface CopyOptions {
  /** Names of the collections to copy. */
  collections: readonly string[];
  /** Documents that stay behind. */
  isLeft?: (collection: string, id: string) => boolean;
  /** Goes on with a copy that was broken off. Otherwise a target that holds anything is refused. */
  isResumed?: boolean;
  /** Called for every row that was copied or verified. */
  onRow?: (part: string, phase: CopyPhase, size: number) => void;
}

export type CopyPhase = "copy" | "verify";

/** What became of one part: a collection, the logs of all jobs, or the work items. */
export interface CopiedPart {
  name: string;
  /** Rows of the database that were written now: documents, events and snapshots, items. */
  written: number;
  source: Contents;
  target: Contents;
  isEqual: boolean;
}

/** A copy that must not be begun or cannot go on. */
export class CopyRefusedError extends Error {
  override readonly name = "CopyRefusedError";
}

/**
 * Copies everything from one store into another, whatever kinds they are: documents, whole logs with
 * their snapshots, work items. Rows go over in order of their keys, in commits of bounded size, so
 * that a copy can be broken off and resumed; nothing that the target holds is changed. Work items come
 * last. Then the target is read again and compared. Nobody else may write to either store meanwhile.
 * Versions of documents begin anew.
 */
export async function copyStore(source: Store, target: Store, options: CopyOptions): Promise<CopiedPart[]> {
  const { collections, isLeft = () => false, isResumed = false } = options;
  const parts = [...collections.map((name) => collectionPart(name, (id) => isLeft(name, id))), logPart, workPart];
  if (!isResumed) await requireEmpty(target, parts);
  const copied: { part: StorePart; written: number; contents: Contents }[] = [];
  for (const part of parts) copied.push({ part, ...(await copyPart(source, target, part, options)) });
  const verified: CopiedPart[] = [];
  for (const { part, written, contents } of copied) {
    const found = await readContents(target, part, options);
    const isEqual = found.rows === contents.rows && found.digest === contents.digest;
    verified.push({ name: part.name, written, source: contents, target: found, isEqual });
  }
  return verified;
}

async function requireEmpty(target: Store, parts: readonly StorePart[]): Promise<void> {
  for (const part of parts) {
    if (!(await part.isEmpty(target))) throw new CopyRefusedError(`the target is not empty: it has ${part.name}`);
  }
}

async function copyPart(
  source: Store,
  target: Store,
  part: StorePart,
  { isResumed = false, onRow }: CopyOptions,
): Promise<{ written: number; contents: Contents }> {
  const lastKey = isResumed ? await part.lastKey(target) : undefined;
  const writer = new BatchWriter(target);
  const digest = new ContentDigest();
  let isBehind = lastKey !== undefined;
  let written = 0;
  for await (const row of part.rows(source)) {
    digest.add(row.key, row.content);
    const writes = isBehind ? await missingWrites(target, part, { row, lastKey }) : row.writes;
    if (row.key === lastKey) isBehind = false;
    for (const write of writes) await writer.add(write);
    written += writes.length;
    onRow?.(part.name, "copy", row.size);
  }
  await writer.flush();
  if (isBehind) {
    throw new CopyRefusedError(`the target is no part of a copy: the source has no ${lastKey} in ${part.name}`);
  }
  return { written, contents: digest.contents() };
}

/** Of rows that a broken copy wrote only the last may lack something. */
async function missingWrites(
  target: Store,
  part: StorePart,
  { row, lastKey }: { row: PartRow; lastKey: string | undefined },
): Promise<readonly SizedWrite[]> {
  return row.key === lastKey ? part.rest(target, row) : [];
}

async function readContents(store: Store, part: StorePart, { onRow }: CopyOptions): Promise<Contents> {
  const digest = new ContentDigest();
  for await (const row of part.rows(store)) {
    digest.add(row.key, row.content);
    onRow?.(part.name, "verify", row.size);
  }
  return digest.contents();
}
