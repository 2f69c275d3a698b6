import fc from "fast-check";
import type { WorkflowDocument } from "../../src/workflow-engine/workflow-schema.ts";
import { workflowOf } from "./workflow-builder.ts";

const states = ["success", "failure", "error"] as const;
const most = 12;

/** How a task ends. */
export type RandomResult = (typeof states)[number];

interface Parts {
  size: number;
  edges: [number, number, RandomResult, boolean][];
  kinds: string[];
  results: RandomResult[];
}

/** A workflow whose standard transitions go forward and whose revert transitions go back, how each task finishes, and in which order. */
export const randomWorkflow = fc
  .record({
    size: fc.integer({ min: 1, max: most }),
    edges: fc.array(fc.tuple(fc.nat(most), fc.nat(most), fc.constantFrom(...states), fc.boolean()), { maxLength: 40 }),
    kinds: fc.array(fc.constantFrom("call", "manual", "stub"), { minLength: most, maxLength: most }),
    results: fc.array(fc.constantFrom(...states), { minLength: 60, maxLength: 60 }),
    order: fc.array(fc.nat(1_000), { minLength: 60, maxLength: 60 }),
  })
  .map((parts) => ({ ...parts, workflow: workflowFrom(parts) }));

function workflowFrom({ size, edges, kinds, results }: Parts): WorkflowDocument {
  const id = (n: number) => (n === 0 ? "start" : n > size ? "end" : `t${n}`);
  const tasks = Object.fromEntries(
    Array.from({ length: size }, (_, n) => [
      `t${n + 1}`,
      kinds[n] === "manual"
        ? { type: "manual" }
        : kinds[n] === "call"
          ? { app: "Outside", location: "Adapter" }
          : { incoming: { type: results[n] } },
    ]),
  );
  const lines = edges.flatMap(([a, b, state, isRevert]) => {
    const from = Math.min(a, size);
    const to = Math.min(Math.max(b, 1), size + 1);
    if (from < to) return [`${id(from)} >${from === 0 ? "success" : state}> ${id(to)}`];
    return isRevert && to >= 1 && from >= 1 ? [`${id(from)} >${state}~ ${id(to)}`] : [];
  });
  return workflowOf("random", tasks, ["start > t1", ...lines]);
}
