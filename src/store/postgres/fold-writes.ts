import { addedText } from "../commits/additions.ts";
import type { EncodedAddition, EncodedWrite } from "../commits/encode-writes.ts";

/** Writes of which no two concern the same row, so that one statement can execute them all at once. */
export type Step = readonly EncodedWrite[];

/**
 * The writes of one commit as steps to be executed one after the other: usually one. Later writes of a
 * row take the place of earlier ones where that comes to the same; where it does not, a new step begins.
 */
export function foldWrites(writes: readonly EncodedWrite[]): Step[] {
  const steps: EncodedWrite[][] = [];
  let rows = new Map<string, EncodedWrite>();
  const endStep = (): void => {
    if (rows.size > 0) steps.push([...rows.values()]);
    rows = new Map();
  };
  for (const write of writes) {
    const row = rowOf(write);
    const earlier = rows.get(row);
    const folded = earlier ? fold(earlier, write) : write;
    if (folded) rows.set(row, folded);
    else {
      endStep();
      rows.set(row, write);
    }
  }
  endStep();
  return steps;
}

/** The row a write concerns. */
export function rowOf(write: EncodedWrite): string {
  switch (write.kind) {
    case "appendEvent":
      return `event ${write.jobId} ${write.seq}`;
    case "putSnapshot":
    case "removeLog":
      return `log ${write.jobId}`;
    case "enqueue":
      return `work ${write.id}`;
    case "complete":
    case "postpone":
      return `work ${write.itemId}`;
    default:
      return `${write.collection} ${write.id}`;
  }
}

/** One write that comes to the same as both; undefined where there is none. */
function fold(earlier: EncodedWrite, later: EncodedWrite): EncodedWrite | undefined {
  switch (later.kind) {
    case "put":
      return foldPut(earlier, later);
    case "remove":
      return earlier.kind === "put" || earlier.kind === "remove" ? later : undefined;
    case "keep":
      return earlier.kind === "keep" ? earlier : undefined;
    case "add":
      return foldAddition(earlier, later);
    case "enqueue":
    case "complete":
      return later;
    case "postpone":
      return foldPostpone(earlier, later);
    default:
      return undefined;
  }
}

function foldPut(
  earlier: EncodedWrite,
  later: Extract<EncodedWrite, { kind: "put" | "keep" }>,
): EncodedWrite | undefined {
  if (earlier.kind === "put" || earlier.kind === "remove") return later;
  return earlier.kind === "insert" || earlier.kind === "replace" ? { ...earlier, text: later.text } : undefined;
}

function foldAddition(earlier: EncodedWrite, later: EncodedAddition): EncodedWrite | undefined {
  switch (earlier.kind) {
    case "insert":
    case "put":
    case "replace":
    case "add":
      return { ...earlier, text: addedText(earlier.text, later.text) };
    case "remove":
      return { ...later, kind: "put" };
    default:
      return undefined;
  }
}

function foldPostpone(
  earlier: EncodedWrite,
  later: Extract<EncodedWrite, { kind: "postpone" }>,
): EncodedWrite | undefined {
  if (earlier.kind === "complete") return earlier;
  if (earlier.kind !== "enqueue" || later.from !== undefined) return undefined;
  return { ...earlier, runAt: later.runAt, attempts: later.attempts ?? earlier.attempts };
}
