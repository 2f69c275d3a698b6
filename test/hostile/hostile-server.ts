import { readFileSync } from "node:fs";
import { defaultDeniedNetworks } from "../../src/outgoing-requests/index.ts";
import { adminPassword, startTestPlatform } from "../support/platform.ts";
import { watchLoop, type LongestHold } from "./loop-hold.ts";

// A platform in a process of its own that also tells what has become of the process. HOSTILE_POOL: limits of its pool.

/** What the server is asked by the programme that started it. */
export type ServerQuestion = "look" | "stop";

/** What it tells. */
export type ServerAnswer = { serving: { url: string; password: string } } | { sight: ServerSight };

/** The state of the server's process. */
export interface ServerSight {
  held: LongestHold;
  /** Every name on the prototypes and every trace on the global object, as one text. */
  prototypes: string;
  /** Most resident memory at any time, in megabytes; 0 where the system does not tell. */
  peakMb: number;
}

const workerPool = JSON.parse(process.env["HOSTILE_POOL"] ?? "null") as {
  workers: number;
  deadlineMs: number;
  memoryMb: number;
};
// What is not refused would reach the programme's own listener, on a loopback address.
const deny = [...defaultDeniedNetworks, "127.0.0.0/8", "::1"];
const server = await startTestPlatform(
  { storeThread: "worker" },
  { workerPool, outgoing: { deny, allow: [], unverifiedHosts: [] } },
);
const loop = watchLoop();

process.on("message", (question: ServerQuestion) => {
  if (question === "look") tell({ sight: { held: loop.take(), prototypes: prototypesNow(), peakMb: peakMb() } });
  else void server.stop().then(() => process.disconnect());
});
process.once("disconnect", () => {
  loop.stop();
  process.exit();
});
loop.take();
tell({ serving: { url: server.platform.url, password: adminPassword } });

function tell(answer: ServerAnswer): void {
  process.send?.(answer);
}

function prototypesNow(): string {
  const watched = [Object, Array, Function, String, Number, Boolean, RegExp, Date, Map, Set, Promise, Error];
  const places: object[] = [...watched.map(({ prototype }) => prototype as object), ...watched];
  const traces = Object.getOwnPropertyNames(globalThis).filter((name) => name.startsWith("hostile"));
  return JSON.stringify([places.map((place) => Reflect.ownKeys(place).map(String)), traces, "polluted" in {}]);
}

function peakMb(): number {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+)/u.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    return Math.round(Number(kilobytes ?? 0) / 1024);
  } catch {
    return 0;
  }
}
