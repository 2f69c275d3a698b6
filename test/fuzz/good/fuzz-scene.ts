import { isJsonObject } from "../../../src/core/json.ts";
import { parsed } from "../check-reply.ts";
import type { Corpus } from "../corpus.ts";
import type { Random } from "../random.ts";
import type { Session } from "../session.ts";
import { jsonRequest } from "../target.ts";
import { peopleWorkflow } from "./common-objects.ts";

/** What a good request needs could not be made. */
export class SetUpRefused extends Error {
  override readonly name = "SetUpRefused";
}

/** A job as far as requests need it. */
export interface SceneJob {
  _id: string;
  tasks: Readonly<Record<string, { iterations: string[] }>>;
}

export type JobState = "running" | "paused" | "error" | "complete" | "canceled";

/** Makes what a request needs, through the API. Everything is checked as any other answer; SetUpRefused where something is refused. */
export interface FuzzScene {
  readonly random: Random;
  readonly corpus: Corpus;
  /** A name that nothing has yet, without spaces. */
  freshName(): string;
  /** Sends, and answers what came. `isFree`: does not change documents that are compared. */
  ask(method: string, path: string, body?: unknown, how?: { isFree?: boolean }): Promise<Record<string, unknown>>;
  /** A job in this state. That of `peopleWorkflow` has done `c` and `a`, and two people are to decide at `b` and `e`. */
  job(state?: JobState, options?: object, workflow?: string): Promise<SceneJob>;
}

export function createFuzzScene(session: Session, random: Random, corpus: Corpus): FuzzScene {
  const ask: FuzzScene["ask"] = async (method, path, body, how) => {
    const { status, text } = await session.ask(jsonRequest(method, path, body), how);
    if (status >= 300) throw new SetUpRefused(`${method} ${path}: ${status} ${text.slice(0, 300)}`);
    const reply = parsed(text);
    return isJsonObject(reply) ? reply : { reply };
  };
  // Jobs and tasks are not among what is compared.
  const askOfJobs = (path: string, body: unknown) => ask("POST", path, body, { isFree: true });
  return {
    random,
    corpus,
    freshName: () => `good-${random.below(2 ** 31)}`,
    ask,
    async job(state = "running", options = {}, workflow = peopleWorkflow) {
      const { data } = await askOfJobs("/operations-manager/jobs/start", { workflow, options });
      const job = data as SceneJob;
      const job_id = job._id;
      const finish = (task: string, finish_state: string) =>
        askOfJobs(`/operations-manager/jobs/${job_id}/tasks/${task}/finish`, { taskData: { finish_state } });
      const lead: Record<JobState, () => Promise<unknown>> = {
        running: async () => undefined,
        paused: () => askOfJobs("/workflow_engine/pauseJob", { job_id }),
        error: () => finish("e", "error"),
        complete: () => finish("b", "success").then(() => finish("e", "success")),
        canceled: () => askOfJobs("/workflow_engine/cancelJob", { job_id }),
      };
      await lead[state]();
      return job;
    },
  };
}

/** The identifier in a reply, whatever it is wrapped in. */
export function idOf(reply: Record<string, unknown>): string {
  const inner = [reply, reply["data"], reply["created"]].filter(isJsonObject);
  const found = inner.map(({ _id }) => _id).find((id) => typeof id === "string");
  if (typeof found !== "string") throw new SetUpRefused(`a reply without _id: ${JSON.stringify(reply).slice(0, 300)}`);
  return found;
}

/** Identifier of the iteration a task of a job is in. */
export function iterationOf({ tasks }: SceneJob, task: string): string {
  return tasks[task]?.iterations.at(-1) ?? "";
}
