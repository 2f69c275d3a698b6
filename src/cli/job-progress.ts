import pc from "picocolors";
import { say, type Output } from "./output.ts";

/** What progress needs of a job document. */
export interface JobProgress {
  _id: string;
  name: string;
  status: string;
  tasks: Record<string, TaskProgress>;
  variables?: Record<string, unknown>;
  error?: { task: string; message: unknown }[];
}

interface TaskProgress {
  name: string;
  summary?: string;
  type?: string;
  status: string;
  start_time?: string;
  end_time?: number;
  finish_state?: string;
  iterations?: string[];
}

/** Shows how a job gets on: a line per task, redrawn on a terminal, written once when it changes otherwise. */
export interface ProgressView {
  show(job: JobProgress): void;
}

/** A view on the output. In JSON mode every change of a task is one JSON line. */
export function createProgressView(output: Output): ProgressView {
  if (output.isTerminal) return createLiveView(output);
  const seen = new Map<string, string>();
  return {
    show(job) {
      for (const [taskId, task] of startedTasks(job)) {
        const line = taskLine(task);
        if (seen.get(taskId) === line) continue;
        seen.set(taskId, line);
        if (output.isJson) output.write(`${JSON.stringify({ task: taskId, ...shownMembers(task) })}\n`);
        else say(output, line);
      }
    },
  };
}

function createLiveView(output: Output): ProgressView {
  let drawn = 0;
  return {
    show(job) {
      const lines = startedTasks(job).map(([, task]) => taskLine(task));
      const up = drawn > 0 ? `\u001b[${drawn}A` : "";
      output.write(up + lines.map((line) => `\u001b[2K${line}\n`).join(""));
      drawn = lines.length;
    },
  };
}

function startedTasks(job: JobProgress): [string, TaskProgress][] {
  const started = Object.entries(job.tasks).filter(([, task]) => task.start_time !== undefined);
  return started.sort(
    ([, a], [, b]) =>
      Date.parse(a.start_time ?? "") - Date.parse(b.start_time ?? "") ||
      (a.end_time ?? Infinity) - (b.end_time ?? Infinity),
  );
}

function shownMembers({ name, summary, status, finish_state, start_time, end_time }: TaskProgress): object {
  return { name, summary, status, finish_state, start_time, end_time };
}

function taskLine(task: TaskProgress): string {
  const label = (task.summary ?? task.name).padEnd(48);
  return `  ${mark(task)} ${label} ${outcome(task)}`;
}

function mark(task: TaskProgress): string {
  if (task.status === "running") return pc.yellow("…");
  if (task.status === "error") return pc.red("✗");
  return task.finish_state === "failure" ? pc.yellow("–") : pc.green("✓");
}

function outcome(task: TaskProgress): string {
  if (task.status === "running") return task.type === "manual" ? "waits for a person" : "running";
  const runTimeMs = (task.end_time ?? 0) - Date.parse(task.start_time ?? "");
  const repeated = (task.iterations?.length ?? 1) > 1 ? ` (run ${task.iterations?.length})` : "";
  return `${task.finish_state ?? task.status} ${pc.dim(`${runTimeMs} ms`)}${repeated}`;
}
