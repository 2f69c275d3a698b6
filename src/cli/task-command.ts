import pc from "picocolors";
import { CommandError, type ApiClient } from "./api-client.ts";
import { errorText } from "./job-commands.ts";
import { readJsonObject } from "./json-argument.ts";
import { showResult, type Output } from "./output.ts";

/** What a trial on the command line can say. */
export interface TrialArguments {
  incoming?: string | undefined;
  variables?: string | undefined;
}

interface Trial {
  finish_state: string | null;
  outgoing: Record<string, unknown>;
  error?: unknown;
  variables?: Record<string, unknown>;
  waitsFor?: object;
  duration_ms: number;
}

/** `linewright task try`: what a task of the engine gives for these arguments. Exit code 1 when it ends in error. */
export async function tryTask(client: ApiClient, output: Output, task: string, given: TrialArguments): Promise<number> {
  if (given.incoming === "-" && given.variables === "-") {
    throw new CommandError("Only one of --incoming and --variables can be read from standard input.");
  }
  const incoming = await readJsonObject("--incoming", given.incoming);
  const variables = await readJsonObject("--variables", given.variables);
  const trial = await client.request<Trial>("POST", "/workflow_engine/tasks/try", { task, incoming, variables });
  showResult(output, trial, (shown) => describe(task, shown));
  return trial.finish_state === "error" ? 1 : 0;
}

function describe(task: string, trial: Trial): string {
  const { finish_state, outgoing, error, variables = {}, waitsFor, duration_ms } = trial;
  const ending = finish_state === null ? "waits" : `ends in ${finish_state}`;
  const headline = `${task} ${ending} (${duration_ms} ms).`;
  return [
    finish_state === "error" ? pc.red(headline) : pc.green(headline),
    ...(error === undefined ? [] : [`  ${errorText(error)}`]),
    ...(waitsFor === undefined ? [] : [`  Waits for ${JSON.stringify(waitsFor)}`]),
    ...membersOf("", outgoing),
    ...membersOf("$var.job.", variables),
  ].join("\n");
}

function membersOf(prefix: string, values: Record<string, unknown>): string[] {
  return Object.entries(values).map(([name, value]) => `  ${prefix}${name} = ${JSON.stringify(value)}`);
}
