import { isDeepStrictEqual } from "node:util";
import { shapes } from "../faults/shapes.ts";
import { parsed } from "./check-reply.ts";
import type { FuzzBench } from "./fuzz-bench.ts";
import { jsonRequest } from "./target.ts";

/** How long canceled jobs have to end, their children and grandchildren included. */
const mostSettlingMs = 20_000;

/** After all is sent: every job that is left ends when it is canceled, and a good workflow completes. Answers what is wrong. */
export async function finalProblems(bench: FuzzBench): Promise<string[]> {
  const problems: string[] = [];
  const untilMs = performance.now() + mostSettlingMs;
  let answer = "";
  let open = await openJobs(bench);
  while (open.length > 0 && performance.now() < untilMs) {
    for (const id of open) answer = await cancel(bench, id);
    open = await openJobs(bench);
  }
  if (open.length > 0) problems.push(`${open.length} jobs cannot be canceled, e.g. ${open.at(-1)}: ${answer}`);
  const [shape] = shapes;
  if (shape) problems.push(...(await runGoodWorkflow(bench, shape)));
  return problems;
}

async function cancel({ target }: FuzzBench, jobId: string): Promise<string> {
  const { status, text } = await target.send(jsonRequest("POST", "/workflow_engine/cancelJob", { job_id: jobId }));
  return `${status} ${text.slice(0, 300)}`;
}

async function openJobs({ target }: FuzzBench): Promise<string[]> {
  const path = "/operations-manager/jobs?not-in[status]=complete,canceled&limit=1000";
  const { status, text } = await target.send(jsonRequest("GET", path));
  const { data } = (parsed(text) ?? {}) as { data?: { _id: string }[] | null };
  if (!data) throw new Error(`the list of jobs is answered ${status} ${text.slice(0, 300)}`);
  return data.map(({ _id }) => _id);
}

async function runGoodWorkflow(
  { target }: FuzzBench,
  { workflow, variables }: (typeof shapes)[number],
): Promise<string[]> {
  // Under a name of its own: that of the shape may have been taken or changed meanwhile.
  const good = { ...workflow, name: "fuzz final check" };
  await target.send(jsonRequest("POST", "/workflow_builder/import", { workflow: good, options: {} }));
  const body = { workflow: good.name, options: { variables } };
  const { status, text } = await target.send(jsonRequest("POST", "/operations-manager/jobs/start?wait=4000", body));
  const { data } = (parsed(text) ?? {}) as { data?: { status: string; variables: Record<string, unknown> } };
  const isGood = data?.status === "complete" && isDeepStrictEqual(data.variables["seen"], ["one", "one"]);
  return isGood ? [] : [`a good workflow does not complete any more: ${status} ${text.slice(0, 300)}`];
}
