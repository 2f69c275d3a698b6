import { StoredValue } from "../../src/core/stored-value.ts";
import type { TaskResult } from "../../src/core/task.ts";
import { bytesOf, digestOf, longList, measuredValue } from "./large-answers.ts";
import { workflowOf } from "./workflow-builder.ts";

export const mebi = 1024 * 1024;
/** JSON text that is too long to be parsed. */
export const text = longList(17 * mebi);
export const shown = { size: text.length, digest: digestOf(text) };

const outside = { app: "Outside", location: "Adapter" };
const read = { ...outside, name: "read", outgoing: { result: "$var.job.answer" } };
const take = {
  ...outside,
  name: "take",
  incoming: { given: "$var.job.answer" },
  outgoing: { result: "$var.job.taken" },
};
const childJob = {
  name: "childJob",
  type: "operation" as const,
  incoming: {
    task: "",
    workflow: "stored child",
    variables: { answer: { task: "job", value: "answer" } },
    data_array: "",
    transformation: "",
    loopType: "",
  },
  outgoing: { job_details: "$var.job.details" },
};
const manual = { type: "manual" as const, name: "ViewData", incoming: { header: "h", body: "$var.job.answer" } };

/** Workflows in which such a text goes from one task into others. */
export const workflows = [
  workflowOf("stored read", { a1: read, b1: take }, ["start > a1", "a1 > b1", "b1 > end"]),
  workflowOf("stored child", { b1: take }, ["start > b1", "b1 > end"]),
  workflowOf("stored parent", { a1: read, c1: childJob }, ["start > a1", "a1 > c1", "c1 > end"]),
  workflowOf("stored manual", { a1: read, b1: manual }, ["start > a1", "a1 > b1", "b1 > end"]),
  workflowOf("stored retry", { a1: { ...read, retrySettings: { state: ["error"], limit: 1, delay: 0 } } }, [
    "start > a1",
    "a1 > end",
  ]),
];

/** Reads a value from the store as a task outside would. */
export async function taken(given: unknown): Promise<TaskResult> {
  const result = given instanceof StoredValue ? await measuredValue(given) : { given };
  return { finishState: "success", outgoing: { result } };
}

/** Something that a test waits for, and what came of it. */
export function happening<T = void>(): { seen: Promise<T>; happens: (what: T) => void } {
  let happens: (what: T) => void = () => undefined;
  const seen = new Promise<T>((resolve) => {
    happens = resolve;
  });
  return { seen, happens };
}

/** The text with bytes in it that are none of UTF-8. */
export async function* brokenBytes(): AsyncGenerator<Uint8Array> {
  yield* bytesOf(text.slice(0, -100));
  yield Uint8Array.of(0xff);
}
