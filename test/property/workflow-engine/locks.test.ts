import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { systemCaller } from "../../../src/core/caller.ts";
import type { Store } from "../../../src/store/store.ts";
import { createCurrentStore } from "../../support/current-store.ts";
import {
  createCounter,
  createEngineNode,
  passTime,
  storeWorkflows,
  type EngineNode,
} from "../../support/engine-bench.ts";
import { createManualClock, fewTurns, type ManualClock } from "../../support/manual-clock.ts";
import { asShared } from "../../support/shared-store.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const call = { app: "Outside", location: "Adapter", name: "look" };
const job = (value: string) => ({ task: "job", value });
/** A child job section that takes the first lock, and hands the others down. */
const section = (workflow: string) =>
  workflowOf(
    `over ${workflow}`,
    {
      c1: {
        name: "childJob",
        type: "operation",
        lock: "$var.job.first",
        incoming: {
          task: "",
          workflow,
          variables: { first: job("second"), second: job("third") },
          data_array: "",
          transformation: "",
          loopType: "",
        },
      },
    },
    ["start > c1", "c1 > end"],
  );
const workflows = [
  workflowOf("leaf", { a1: { ...call, lock: "$var.job.first" } }, ["start > a1", "a1 > end"]),
  section("leaf"),
  section("over leaf"),
  // A loop is a section of its own job.
  workflowOf(
    "loop",
    {
      f1: { name: "forEach", type: "operation", lock: "$var.job.first", incoming: { data_array: [1, 2] } },
      a1: { ...call, lock: "$var.job.second" },
    },
    ["start > f1", "f1 >loop> a1", "f1 > end"],
  ),
  section("loop"),
];
const depths = { leaf: 1, loop: 2, "over leaf": 2, "over over leaf": 3, "over loop": 3 } as const;

type Program = { workflow: keyof typeof depths; locks: string[]; node: number };
const programs = (locks: fc.Arbitrary<string[]>): fc.Arbitrary<Program[]> =>
  fc.array(
    fc.record({
      workflow: fc.constantFrom(...(Object.keys(depths) as (keyof typeof depths)[])),
      locks,
      node: fc.nat(1),
    }),
    { minLength: 2, maxLength: 8 },
  );
const anyLocks = fc.array(fc.constantFrom("red", "green", "blue"), { minLength: 3, maxLength: 3 });

interface Bench {
  clock: ManualClock;
  base: Store;
  nodes: EngineNode[];
  roots: string[];
}

interface Header {
  _id: string;
  status: string;
  ancestors: string[];
  error?: { message: unknown }[];
}

/** Runs programs on two nodes until nothing happens any more, and looks at what is left. */
async function run(given: readonly Program[], look: (bench: Bench) => Promise<void>): Promise<void> {
  const clock = createManualClock();
  const base = await createCurrentStore();
  const documentId = createCounter();
  const work = async () => {
    await fewTurns();
    return { finishState: "success" as const, outgoing: {} };
  };
  const nodes = [1, 2].map(() => createEngineNode({ store: asShared(base).store, clock, documentId, call: work }));
  try {
    await storeWorkflows(base, workflows);
    for (const { engine } of nodes) await engine.start();
    const roots = await Promise.all(
      given.map(async ({ workflow, locks: [first, second, third], node }) => {
        const options = { variables: { first, second, third } };
        const view = await (nodes[node] as EngineNode).engine.jobs.start(workflow, options, systemCaller);
        return view.state.origin._id;
      }),
    );
    await passTime(clock, nodes, 5_000);
    await look({ clock, base, nodes, roots });
  } finally {
    await Promise.all(nodes.map(({ engine }) => engine.stop(0)));
    await base.close();
  }
}

const jobsIn = (base: Store, status: string) => base.find<Header>("jobs", { status }, {});

describe("tasks with locks in sections, in any order, on two nodes", () => {
  it("never wait for each other for ever: whoever closes a circle ends in error, and the others go on", async () => {
    await fc.assert(
      fc.asyncProperty(programs(anyLocks), async (given) => {
        await run(given, async ({ clock, base, nodes, roots }) => {
          // Every round people give up what failed.
          for (let round = 0; round <= given.length; round++) {
            const failed = await jobsIn(base, "error");
            expect(failed.filter(({ error }) => !JSON.stringify(error).includes("The lock "))).toEqual([]);
            const open = (await jobsIn(base, "running")).filter(({ _id }) => roots.includes(_id));
            if (open.length + failed.length === 0) break;
            const failing = new Set(failed.map(({ _id, ancestors }) => ancestors[0] ?? _id));
            expect(failing.size, "jobs wait for each other").toBeGreaterThan(0);
            for (const root of failing)
              await nodes[0]?.engine.jobs.apply(root, { event: "cancel", by: systemCaller }, systemCaller);
            await passTime(clock, nodes, 5_000);
          }
          const ended = await base.find<Header>("jobs", { _id: { $in: roots } }, {});
          expect(ended.map(({ status }) => status).filter((status) => !/complete|canceled/u.test(status))).toEqual([]);
          expect(await base.find("locks", {}, {})).toEqual([]);
        });
      }),
      { numRuns: 25 },
    );
  });

  it("are refused nothing when all take them in the same order", async () => {
    const inOrder = fc.constant<string[]>(["blue", "green", "red"]);
    await fc.assert(
      fc.asyncProperty(programs(inOrder), async (given) => {
        await run(given, async ({ clock, base, nodes, roots }) => {
          await passTime(clock, nodes, 15_000);
          const ended = await base.find<Header>("jobs", { _id: { $in: roots } }, {});
          expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(["complete"]));
        });
      }),
      { numRuns: 8 },
    );
  });
});
