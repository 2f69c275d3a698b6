import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { systemCaller } from "../../../src/core/caller.ts";
import { PlatformError } from "../../../src/core/errors.ts";
import type { Store } from "../../../src/store/store.ts";
import { rebuildProjections } from "../../../src/workflow-engine/index.ts";
import type { JobEvent, Person } from "../../../src/workflow-engine/interpreter/events.ts";
import {
  allIdle,
  createCounter,
  createEngineNode,
  storeWorkflows,
  type EngineNode,
} from "../../support/engine-bench.ts";
import { createManualClock, type ManualClock } from "../../support/manual-clock.ts";
import { asShared } from "../../support/shared-store.ts";
import { createCurrentStore } from "../../support/current-store.ts";
import { createTemporaryStore } from "../../support/store-sqlite.ts";
import { currentStoreKind } from "../../support/temporary-database.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const runs = Number(process.env["PROPERTY_RUNS"] ?? (currentStoreKind() === "postgres" ? 4 : 25));
const mostMs = 1_000 * Math.max(60, 2 * runs);
const manual = { type: "manual", name: "ViewData" };
const call = { app: "Outside", location: "Adapter", name: "look", outgoing: { result: "$var.job.looked" } };
const delay = { name: "delay", type: "operation", incoming: { time: 3 } };
const push = { name: "push", type: "operation", incoming: { job_variable: "seen", item_to_push: "$var.a1.note" } };

const edges =
  "start > a1, start > b1, start > c1, a1 > a2, b1 > b2, a2 > d1, b2 > d1, c1 > d1, d1 > d2, d2 > end, " +
  "a1 >failure~ a1, d1 >failure~ a1";

const workflow = workflowOf(
  "any interleaving",
  { a1: manual, a2: push, b1: manual, b2: call, c1: delay, d1: manual, d2: call },
  edges.split(", "),
);

const people = ["ann", "bob"].map((name): Person => ({ accountId: name, username: name }));
const task = fc.constantFrom("a1", "b1", "d1");
const person = fc.nat(people.length - 1);
/** What people do, and time. */
const action = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("finish" as const), task, person, isFailure: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("claim" as const), task, person }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("release" as const), task, person }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("pause" as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("resume" as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.nat({ max: 2_500 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("watch" as const), person }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("fail" as const), task }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("continue" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("fix" as const), task }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("revert" as const), task }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("retry" as const), task }) },
);
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;
const onNode = fc.record({ node: fc.nat(1), action });

type Event = Exclude<Action, { do: "wait" }>;
const eventsOf: { [Do in Event["do"]]: (given: Extract<Event, { do: Do }>, by: Person) => JobEvent } = {
  pause: (_, by) => ({ event: "pause", by }),
  resume: (_, by) => ({ event: "resume", by }),
  watch: (_, by) => ({ event: "watch", watchers: [by.accountId], by }),
  claim: ({ task }, by) => ({ event: "claim", task, owner: by, by }),
  release: ({ task }, by) => ({ event: "release", task, by, isAdmin: false }),
  finish: ({ task, isFailure }, by) => finishing(task, isFailure ? "failure" : "success", by),
  fail: ({ task }, by) => finishing(task, "error", by),
  fix: ({ task }, by) => ({ event: "fix", from: task, to: "a1", by }),
  revert: ({ task }, by) => ({ event: "revert", to: task, by }),
  continue: (_, by) => ({ event: "continue", by }),
  retry: ({ task }, by) => ({ event: "retry", task, by }),
};

function finishing(task: string, finishState: "success" | "failure" | "error", by: Person): JobEvent {
  return { event: "finishManualTask", task, finishState, variables: { note: by.username }, by };
}

function eventOf(given: Event): JobEvent {
  const make = eventsOf[given.do] as (given: Event, by: Person) => JobEvent;
  return make(given, people["person" in given ? given.person : 0]!);
}

interface Cluster {
  clock: ManualClock;
  store: Store;
  nodes: EngineNode[];
  jobId: string;
}

/** Nodes on an empty store, and a job of the workflow. */
async function open(count: number, store: Store): Promise<Cluster> {
  const clock = createManualClock();
  const seen = count > 1 ? asShared(store).store : store;
  const documentId = createCounter();
  const nodes = Array.from({ length: count }, () => createEngineNode({ store: seen, clock, documentId }));
  await storeWorkflows(store, [workflow]);
  for (const { engine } of nodes) await engine.start();
  const { state } = await nodes[0]!.engine.jobs.start(workflow.name, { variables: { seen: [] } }, systemCaller);
  return { clock, store, nodes, jobId: state.origin._id };
}

async function close({ nodes, store }: Cluster): Promise<void> {
  for (const { engine } of nodes) await engine.stop(0);
  await store.close();
}

/** The code of the refusal, or the job as it is answered. */
async function act({ clock, nodes, jobId }: Cluster, node: number, given: Action): Promise<unknown> {
  if (given.do === "wait") return clock.advance(given.ms);
  try {
    const { state } = await nodes[node % nodes.length]!.engine.jobs.apply(jobId, eventOf(given), systemCaller);
    return [state.seq, state.status, state.variables];
  } catch (error) {
    if (error instanceof PlatformError) return error.message;
    throw error;
  }
}

const logOf = ({ store, jobId }: Cluster) => store.wholeLog(jobId);

/** Read models and figures are what the logs lead to. */
async function expectAsLogged(store: Store): Promise<void> {
  const { written, removed, figures } = await rebuildProjections(store, { dryRun: true });
  expect({ written, removed }).toEqual({ written: 0, removed: 0 });
  expect(figures).toEqual({ unchanged: expect.any(Number) as number, different: 0 });
}

describe("any interleaving of events on two nodes", () => {
  it(
    "is answered and logged as on one node, one after the other",
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(onNode, { minLength: 1, maxLength: 25 }), async (steps) => {
          // Time must stand still while work is done, which only a store in this process allows.
          const one = await open(1, await createTemporaryStore());
          const two = await open(2, await createTemporaryStore());
          try {
            for (const { node, action: given } of steps) {
              expect(await act(two, node, given)).toEqual(await act(one, node, given));
              await allIdle(one.nodes);
              await allIdle(two.nodes);
            }
            expect(await logOf(two)).toEqual(await logOf(one));
            await expectAsLogged(two.store);
          } finally {
            await close(one);
            await close(two);
          }
        }),
        { numRuns: runs },
      );
    },
    mostMs,
  );

  it(
    "loses and doubles nothing when all come at once",
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(onNode, { minLength: 1, maxLength: 8 }), { maxLength: 6 }),
          async (volleys) => {
            const two = await open(2, await createCurrentStore());
            try {
              for (const volley of volleys) {
                await Promise.all(volley.map(({ node, action: given }) => act(two, node, given)));
                await allIdle(two.nodes);
              }
              const log = await logOf(two);
              expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
              const changes = log.flatMap(({ delta }) => (JSON.parse(delta) as { changes: LoggedChange[] }).changes);
              const begun = changes.flatMap(({ change, iteration }) =>
                change === "started" && iteration ? [iteration] : [],
              );
              expect(new Set(begun).size).toBe(begun.length);
              const views = await Promise.all(two.nodes.map(({ engine }) => engine.jobs.view(two.jobId, systemCaller)));
              expect(views[1]?.state).toEqual(views[0]?.state);
              expect(views[0]?.state.seq).toBe(log.length);
              await expectAsLogged(two.store);
            } finally {
              await close(two);
            }
          },
        ),
        { numRuns: runs },
      );
    },
    mostMs,
  );
});

interface LoggedChange {
  change: string;
  iteration?: number;
}
