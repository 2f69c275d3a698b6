import { evaluateGroups, type Evaluations } from "../workflow-engine/interpreter/evaluation.ts";
import { queryPath, type QueryResult } from "../workflow-engine/interpreter/query-path.ts";

/** Asks a query in a worker. TaskError when it is malformed. */
export function runQuery({ query, value }: { query: string; value: unknown }): QueryResult {
  return queryPath(query, value, "worker");
}

/** Compares values in a worker. TaskError when a query is malformed. */
export function runEvaluation(evaluations: Omit<Evaluations, "allowance">): boolean {
  return evaluateGroups({ ...evaluations, allowance: "worker" });
}
