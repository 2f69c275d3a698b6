import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { silentLogger } from "../../src/core/logger.ts";
import { createSharedClock } from "../../src/nodes/index.ts";
import { StoreUnavailableError } from "../../src/store/store.ts";
import { shapes, timerShape } from "../faults/shapes.ts";
import type { Clock } from "../../src/core/clock.ts";
import { hookArchiveFiles } from "./archive-hook.ts";
import { openLedger } from "./effects-ledger.ts";
import { createEngineNode, type EngineNode } from "./engine-node.ts";
import type { AskedJob, NodeCommand, NodeMessage, NodeSettings } from "./node-messages.ts";
import { openNodeStore } from "./node-store.ts";
import { createKillPoints } from "./points.ts";
import { publishedTopics } from "./published-topics.ts";
import { takeOverTimeOfDay } from "./time-of-day.ts";

// Entry of a node process: takes commands, one line each, on standard input, and answers on standard output.

const settings = JSON.parse(process.argv[2] ?? "") as NodeSettings;
const timeOfDay = takeOverTimeOfDay();
const { reach, arm, counts, endStart } = createKillPoints();
if (settings.killAt) arm(settings.killAt.point, settings.killAt.occurrence);

const opened = await openNodeStore(settings.store, reach);
const { clock, stop: stopClock } = await createSharedClock(opened.store, silentLogger);
const node = createEngineNode({
  store: opened.store,
  clock: settings.aheadMs === undefined ? clock : aheadOf(clock, settings.aheadMs),
  ledger: openLedger(settings.ledger, settings.life),
  published: publishedTopics(settings.published),
  retention: settings.retention,
  leaseMs: settings.leaseMs,
  reach,
  ...(settings.longestEffectMs === undefined ? {} : { longestEffectMs: settings.longestEffectMs }),
});
const shapesByName = new Map([...shapes, timerShape].map((shape) => [shape.workflow.name, shape]));
const stopping = new AbortController();
/** Starts that were asked for and are not answered. */
let starting = 0;

node.engine.notices.listen((topic, { origin }) => {
  const isTimer = origin.name === timerShape.workflow.name && topic === "jobComplete";
  if (isTimer) tell({ is: "completed", jobId: origin._id, steadyMs: performance.now() });
});
// What is old is taken away from the first moment on: that is work of this node, not its start.
if (settings.retention) {
  hookArchiveFiles(reach);
  endStart();
}
await node.open();
endStart();
tell({ is: "ready" });
const person = actAsPerson(node);

// Whoever started this process is gone when its input ends.
createInterface({ input: process.stdin })
  .on("line", (line) => void obey(JSON.parse(line) as NodeCommand))
  .on("close", () => process.exit(0));

/** Written before this returns: a process that is killed afterwards has told it. */
function tell(message: NodeMessage): void {
  const line = `${JSON.stringify(message)}\n`;
  for (let rest = line; rest !== "";) rest = rest.slice(writeSync(1, rest));
}

async function obey(command: NodeCommand): Promise<void> {
  switch (command.do) {
    case "start":
      for (const job of command.jobs) void startJob(job);
      return;
    case "arm":
      return arm(command.point, command.occurrence);
    case "jump":
      timeOfDay.jump(command.ms);
      return;
    case "fail":
      opened.faulty.plan = command.plan;
      return;
    case "settle":
      return settle(command.withinMs, command.withLater);
    case "count":
      return tell({ is: "counted", points: Object.fromEntries(counts), failed: opened.faulty.failed });
    case "stop":
      return stop();
  }
}

async function startJob({ workflow, description, variables }: AskedJob): Promise<void> {
  const shape = shapesByName.get(workflow);
  if (!shape) throw new Error(`there is no shape ${workflow}`);
  starting += 1;
  try {
    const steadyMs = performance.now();
    const jobId = await node.startJob(variables ? { ...shape, variables } : shape, description);
    reach("before acknowledging a start");
    tell({ is: "started", description, jobId, steadyMs });
    reach("after acknowledging a start");
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    tell({ is: "refused", description, reason: error.message });
  }
  starting -= 1;
}

function aheadOf(clock: Clock, ms: number): Clock {
  return { ...clock, now: () => clock.now() + ms };
}

async function actAsPerson(node: EngineNode): Promise<void> {
  while (!stopping.signal.aborted) {
    try {
      await node.clean((jobId) => {
        reach("before acknowledging a deletion");
        tell({ is: "deleted", jobId });
      });
      for (const iteration of await node.workManualTasks()) {
        reach("before acknowledging a finish");
        tell({ is: "finished", iteration });
        reach("after acknowledging a finish");
      }
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
    }
    await pause(25);
  }
}

async function settle(withinMs: number, withLater = false): Promise<void> {
  const until = performance.now() + withinMs;
  for (;;) {
    const unfinished = starting + (await node.unfinished(withLater).catch(() => 1));
    if (unfinished === 0 || performance.now() > until) return tell({ is: "settled", unfinished });
    await pause(20);
  }
}

async function stop(): Promise<void> {
  stopping.abort();
  await person;
  stopClock();
  await node.close();
  tell({ is: "stopped" });
  process.exit(0);
}
