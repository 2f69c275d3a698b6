import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStoreAt, type Store, type Write } from "../../src/store/index.ts";
import type { TaskCaller } from "../../src/workflow-engine/index.ts";
import { systemCaller } from "../../src/core/caller.ts";
import { benchLocation, startBenchEngine } from "../bench-engine.ts";
import { storedJob } from "../workflows.ts";
import { transcript } from "./transcript.ts";

/** How a stored job ended, or where it stands. */
export type Ending = "complete" | "error" | "canceled" | "running";

/** What the engine leaves of one job in the store, once it is at rest. */
export interface RecordedJob {
  jobId: string;
  /** Log, header, open tasks, and what it added to figures. */
  writes: Write[];
  /** The snapshot of its workflow, which all its kind share. */
  snapshots: Write[];
}

/** Runs a job of somebody to such an end on an engine of its own, and answers what it wrote. */
export async function recordJob(ending: Ending, groups: readonly string[], accountId: string): Promise<RecordedJob> {
  const folder = await mkdtemp(join(tmpdir(), "linewright-record-"));
  const store = await openStoreAt(benchLocation(folder, undefined));
  const recorded: Write[] = [];
  const bench = await startBenchEngine(recording(store, recorded), callsThatEnd(ending));
  const workflow = storedJob(ending === "running" || ending === "canceled" ? "manual" : "automatic");
  await store.commit([{ kind: "put", collection: "workflows", document: { _id: workflow.name, ...workflow } }]);
  const { engine } = bench;
  const options = { description: "Change 10042 for site Lyon", groups, variables: { device: "r1" } };
  const caller = { ...systemCaller, accountId };
  const { state } = await engine.jobs.start(workflow.name, options, caller, 2_000);
  const jobId = state.origin._id;
  if (ending === "canceled") await engine.jobs.apply(jobId, { event: "cancel", by: systemCaller }, systemCaller);
  await bench.stop();
  await store.close();
  await rm(folder, { recursive: true, force: true });
  const snapshots = recorded.filter((write) => write.kind === "keep");
  return { jobId, writes: lastWrites(recorded), snapshots };
}

/** The same store, but the writes of its commits are noted. */
function recording(store: Store, recorded: Write[]): Store {
  return new Proxy(store, {
    get(target, name) {
      if (name === "commit") {
        return async (writes: readonly Write[]) => {
          await target.commit(writes);
          recorded.push(...writes);
        };
      }
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === "function" ? (member.bind(target) as unknown) : member;
    },
  });
}

/** What a device says, twice; a job that ends in error gets no second answer. */
function callsThatEnd(ending: Ending): TaskCaller {
  return {
    call: async ({ task }) =>
      ending === "error" && task.name === "setConfig"
        ? { finishState: "error", outgoing: {}, error: "The device does not answer" }
        : { finishState: "success", outgoing: { result: transcript } },
  };
}

/** All events and additions, and of each document what was written last; work items are gone with the work. */
function lastWrites(recorded: readonly Write[]): Write[] {
  const documents = new Map<string, Write>();
  const events: Write[] = [];
  for (const write of recorded) {
    if (write.kind === "appendEvent" || write.kind === "add") events.push(write);
    else if (write.kind === "put") documents.set((write.document as { _id: string })._id, write);
    else if (write.kind === "remove") documents.delete(write.id);
  }
  return [...events, ...documents.values()];
}
