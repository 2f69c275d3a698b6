import type { NodeMessage } from "../simulation/node-messages.ts";
import { shapeOfJob } from "./shapes.ts";

/** What a programme asked for, and what it was answered. */
export interface RunRecord {
  /** Description → workflow. */
  asked: Map<string, string>;
  /** Description → job. */
  acknowledged: Map<string, string>;
  /** Iterations of manual tasks whose finish was answered. */
  finished: string[];
  /** Topics whose events were acknowledged over HTTP. */
  published: Set<string>;
  /** Jobs whose deletion was answered. */
  deleted: Set<string>;
  /** Starts that were answered with an error. */
  refused: number;
  /** The next jobs to ask for, of all shapes in turn, the first of them of another workflow if one is given. */
  nextJobs(count: number, workflow?: string): { workflow: string; description: string }[];
  /** Takes down a job of a workflow that is to be asked for. */
  ask(workflow: string): string;
  /** Takes down what a node says. */
  listen(message: NodeMessage): void;
}

/** An empty record; the shape of its first job is the one of number `from`. */
export function createRunRecord(from = 0): RunRecord {
  const record: RunRecord = {
    asked: new Map(),
    acknowledged: new Map(),
    finished: [],
    published: new Set(),
    deleted: new Set(),
    refused: 0,
    nextJobs: (count, wanted) =>
      Array.from({ length: count }, (_, index) => {
        const inTurn = shapeOfJob(from + record.asked.size).workflow.name;
        const workflow = index === 0 && wanted !== undefined ? wanted : inTurn;
        return { workflow, description: record.ask(workflow) };
      }),
    ask(workflow) {
      const description = `job ${record.asked.size + 1}`;
      record.asked.set(description, workflow);
      return description;
    },
    listen(message) {
      if (message.is === "started") record.acknowledged.set(message.description, message.jobId);
      if (message.is === "finished") record.finished.push(message.iteration);
      if (message.is === "deleted") record.deleted.add(message.jobId);
      if (message.is === "refused") record.refused += 1;
    },
  };
  return record;
}
