import { readdirSync, readFileSync } from "node:fs";
import { expect, vi } from "vitest";
import type { WorkflowDocument } from "../../src/workflow-engine/workflow-schema.ts";
import { startTestPlatform, type TestPlatform } from "./platform.ts";

const folder = new URL("../../examples/patterns/", import.meta.url);

/** The workflows of `examples/patterns`, by file name. */
export function patternWorkflows(): Map<string, WorkflowDocument> {
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return new Map(
    files.map((name) => [name, JSON.parse(readFileSync(new URL(name, folder), "utf8")) as WorkflowDocument]),
  );
}

/** A job as patterns look at it. */
export interface PatternJob {
  _id: string;
  status: string;
  compensating?: boolean;
  variables: Record<string, unknown>;
  tasks: Record<string, { status: string; iterations: string[]; finish_state?: string; childJobs?: { _id: string }[] }>;
}

/** A platform with the patterns, and what people do there. */
export interface PatternBench {
  platform: TestPlatform;
  start(pattern: number, variables?: Record<string, unknown>): Promise<string>;
  job(jobId: string): Promise<PatternJob>;
  /** A person finishes a manual task of a job. */
  finish(jobId: string, taskId: string, finishState?: "success" | "failure"): Promise<void>;
  /** Status of each task that is named, `taskId:status`, as soon as they are like this. */
  reaches(jobId: string, ...states: string[]): Promise<PatternJob>;
  /** The job, once it has this status. */
  ends(jobId: string, status?: string): Promise<PatternJob>;
  /** The child jobs of a task whose manual tasks are open, once there are so many. */
  children(jobId: string, taskId: string, count: number): Promise<string[]>;
  stop(): Promise<void>;
}

/** Starts a platform and imports every pattern. */
export async function startPatternBench(): Promise<PatternBench> {
  const platform = await startTestPlatform();
  for (const workflow of patternWorkflows().values()) await platform.importWorkflow(workflow);
  const names = new Map([...patternWorkflows().values()].map(({ name }) => [/^Pattern (\d+):/u.exec(name)?.[1], name]));
  return { platform, stop: () => platform.stop(), ...acting(platform, (pattern) => names.get(String(pattern)) ?? "") };
}

function acting(platform: TestPlatform, nameOf: (pattern: number) => string): Omit<PatternBench, "platform" | "stop"> {
  const job = (jobId: string) => platform.send<PatternJob>("GET", `/workflow_engine/getJob/${jobId}`);
  const eventually = <T>(look: () => Promise<T>) => vi.waitFor(look, { timeout: 20_000, interval: 20 });
  const openChild = async (jobId: string): Promise<boolean> => {
    const { status, body } = await platform.request<PatternJob>("GET", `/workflow_engine/getJob/${jobId}`);
    return status === 200 && Object.values(body.tasks).some((task) => task.status === "running");
  };
  return {
    job,
    async start(pattern, variables = {}) {
      const body = { workflow: nameOf(pattern), options: { variables } };
      const { data } = await platform.send<{ data: { _id: string } }>("POST", "/operations-manager/jobs/start", body);
      return data._id;
    },
    async finish(jobId, taskId, finishState = "success") {
      const body = { job_id: jobId, task_id: taskId, task_data: { finish_state: finishState, variables: {} } };
      await platform.send("POST", "/workflow_engine/finishTask", body);
    },
    reaches: (jobId, ...states) =>
      eventually(async () => {
        const found = await job(jobId);
        const named = states.map((state) => state.split(":")[0] ?? "");
        expect(named.map((taskId) => `${taskId}:${found.tasks[taskId]?.status}`)).toEqual(states);
        return found;
      }),
    ends: (jobId, status = "complete") =>
      eventually(async () => {
        const found = await job(jobId);
        expect(found.status).toBe(status);
        return found;
      }),
    children: (jobId, taskId, count) =>
      eventually(async () => {
        const links = (await job(jobId)).tasks[taskId]?.childJobs ?? [];
        const open: string[] = [];
        for (const { _id } of links) if (await openChild(_id)) open.push(_id);
        expect(open).toHaveLength(count);
        return open;
      }),
  };
}
