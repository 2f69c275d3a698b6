import { compileTransformation } from "../transformations/compile-transformation.ts";
import { runTransformation } from "../transformations/run-transformation.ts";
import { queryPath } from "../workflow-engine/interpreter/query-path.ts";
import { compileRegularExpression } from "../workflow-engine/interpreter/regular-expression.ts";
import type { PoolContext } from "./pool-work.ts";

/** A transformation document with its incoming values by `$id`. */
export interface TransformationWork {
  document: object;
  incoming: Record<string, unknown>;
  options: unknown;
  /** Milliseconds since the epoch. */
  now: number;
}

/** Runs a transformation in a worker: its outgoing values by `$id`. TaskError when it cannot. */
export function runTransformationInWorker(
  { document, incoming, options, now }: TransformationWork,
  { random, elapsedMs }: PoolContext,
): Record<string, unknown> {
  return runTransformation(compileTransformation(document), incoming, options, {
    now: () => now + Math.floor(elapsedMs()),
    random,
    query: (query, value) => queryPath(query, value, "worker"),
    compileRegularExpression: (source, flags) => compileRegularExpression(source, flags, "worker"),
  }).outgoing;
}
