import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import pc from "picocolors";
import {
  collectionIndexes,
  copyStore,
  CopyRefusedError,
  describeLocation,
  parseLocation,
  type CopiedPart,
  type CopyPhase,
  type Store,
  type StoreLocation,
} from "../store/index.ts";
import { CommandError } from "./api-client.ts";
import { isAlive, nodesOf, withNewStore, withStore } from "./operated-store.ts";
import { say, showResult, table, type Output } from "./output.ts";

/** What `linewright copy-store` is asked for. */
export interface CopyArguments {
  from: string;
  to: string;
  resume?: boolean;
  force?: boolean;
  version: string;
}

const progressEveryMs = 1_000;

/** Which nodes served a store says nothing about its copy: where nobody is listed, nobody has started yet. */
const collections = Object.keys(collectionIndexes).filter((name) => name !== "nodes");

/**
 * Access tokens are bound to the versions of credentials, which begin anew in a copy: with a new signing key
 * all of them end, and none that had ended begins to be good again.
 */
const isLeft = (collection: string, id: string): boolean => collection === "secrets" && id === "oauth-signing-key";

/**
 * `linewright copy-store`: copies everything from one store into another, empty one, and compares the two.
 * Exit code 1 when they differ afterwards.
 */
export async function copyStores(output: Output, given: CopyArguments): Promise<number> {
  const from = parseLocation(given.from);
  const to = parseLocation(given.to);
  if (given.from === given.to) throw new CommandError("--from and --to name the same store.");
  const began = performance.now();
  const parts = await withStore(from, async (source) => {
    await refuseUsedSource(source, given);
    if (to.kind === "sqlite") await mkdir(dirname(to.file), { recursive: true, mode: 0o700 });
    return withNewStore(to, async (target) => {
      await refuseUsedTarget(target, given);
      return copy(output, { source, target, isResumed: given.resume === true });
    });
  });
  return conclude(output, { parts, from, to, seconds: (performance.now() - began) / 1000 });
}

async function refuseUsedSource(source: Store, { force, version }: CopyArguments): Promise<void> {
  const alive = (await nodesOf(source, version)).filter(isAlive);
  if (alive.length > 0 && force !== true) {
    const names = alive.map(({ host, pid }) => `${host} (process ${pid})`).join(", ");
    throw new CommandError(
      `The source is in use by ${names}: what changes during the copy may be missing in it.`,
      "Stop every node of the source first. --force copies nevertheless.",
    );
  }
}

async function refuseUsedTarget(target: Store, { version }: CopyArguments): Promise<void> {
  if ((await nodesOf(target, version)).length > 0)
    throw new CommandError(
      "A platform has been started on the target already.",
      "Copy into a database that nobody has used, then start the platform on it.",
    );
}

interface Copying {
  source: Store;
  target: Store;
  isResumed: boolean;
}

async function copy(output: Output, { source, target, isResumed }: Copying): Promise<CopiedPart[]> {
  try {
    return await copyStore(source, target, { collections, isLeft, isResumed, onRow: createProgress(output) });
  } catch (error) {
    if (!(error instanceof CopyRefusedError)) throw interrupted(error);
    throw new CommandError(
      `Nothing was copied: ${error.message}.`,
      isResumed
        ? "Copy into an empty database."
        : "Use an empty database, or --resume to go on with a copy that was broken off.",
    );
  }
}

function interrupted(error: unknown): CommandError {
  const message = error instanceof Error ? error.message : String(error);
  return new CommandError(`The copy was broken off: ${message}`, "Remove the cause, then go on with --resume.");
}

/** Says once a second how far a part has come. */
function createProgress(output: Output): (part: string, phase: CopyPhase, size: number) => void {
  const done = new Map<string, number>();
  let saidAt = performance.now();
  return (part, phase, size) => {
    const name = `${phase === "copy" ? "copying" : "comparing"} ${part}`;
    const rows = (done.get(name) ?? 0) + size;
    done.set(name, rows);
    if (performance.now() - saidAt < progressEveryMs) return;
    saidAt = performance.now();
    say(output, pc.dim(`  ${name}: ${rows.toLocaleString("en")}`));
  };
}

interface Ended {
  parts: readonly CopiedPart[];
  from: StoreLocation;
  to: StoreLocation;
  seconds: number;
}

function conclude(output: Output, { parts, from, to, seconds }: Ended): number {
  const written = parts.reduce((sum, part) => sum + part.written, 0);
  const rowsPerSecond = Math.round(written / seconds);
  const isEqual = parts.every((part) => part.isEqual);
  const report = { from: describeLocation(from), to: describeLocation(to), isEqual, written, rowsPerSecond, parts };
  showResult(output, report, () => {
    const filled = parts.filter((part) => part.source.rows > 0 || part.target.rows > 0);
    const rows = filled.map((part) => [
      part.name,
      part.source.rows.toLocaleString("en"),
      part.written.toLocaleString("en"),
      part.isEqual ? "equal" : pc.red(`differs: ${part.target.rows.toLocaleString("en")} in the target`),
    ]);
    const speed = `${written.toLocaleString("en")} rows written in ${seconds.toFixed(1)} s, ${rowsPerSecond.toLocaleString("en")} rows/s, comparison included.`;
    return `${table(["Part", "Source", "Written", "Compared"], rows)}\n${speed}\n${isEqual ? pc.green(equalText) : pc.red(differentText)}`;
  });
  return isEqual ? 0 : 1;
}

const equalText =
  "The target holds what the source holds. Give its nodes the encryption key of the source. Access tokens of service accounts have to be asked for anew.";
const differentText =
  "The target differs from the source. Somebody wrote to one of them: stop every node and copy into an empty database.";
