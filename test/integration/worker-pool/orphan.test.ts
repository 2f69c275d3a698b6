import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { builtUrl } from "../../../src/core/built-url.ts";

const source = new URL("../../../src/worker-pool/index.ts", import.meta.url).href;
const poolModule = builtUrl(source, "./index.js").href;
const clockModule = builtUrl(source, "../core/clock.js").href;

/** A process with a pool of one worker, whose number is \`worker\`. */
const beginning = `
import { readFileSync } from "node:fs";
import { createWorkerPool } from ${JSON.stringify(poolModule)};
import { createSystemClock } from ${JSON.stringify(clockModule)};
const pool = createWorkerPool({ workers: 1, deadlineMs: 60000, memoryMb: 128, clock: createSystemClock() });
const run = (name, incoming) => pool.run("runTask", { name, incoming, now: 0 }, { key: "" });
await run("search", { str: "a", regexp: "a" });
const [worker] = readFileSync("/proc/self/task/" + process.pid + "/children", "utf8").trim().split(" ");
`;

/** Its worker computes without end. It prints the worker's number when that has begun. */
const endless = `${beginning}
run("match", { str: "a".repeat(60) + "!", regExp: "^(a+)+$" }).catch(() => undefined);
console.log(worker);
setInterval(() => undefined, 1000);
`;

/** Its worker gets what ends a program while it computes. It prints the result. */
const signalled = `${beginning}
const result = run("match", { str: "a".repeat(22) + "!", regExp: "^(a+)+$" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.kill(Number(worker), signal);
console.log(JSON.stringify(await result));
await pool.close();
`;

function startNode(program: string) {
  return spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: ["ignore", "pipe", "inherit"] });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it.runIf(process.platform === "linux")(
  "a worker that computes without end goes when its node is killed",
  { timeout: 60_000 },
  async () => {
    const node = startNode(endless);
    const [line] = (await once(node.stdout, "data")) as [Buffer];
    const worker = Number(String(line).trim());
    expect(isAlive(worker)).toBe(true);
    node.kill("SIGKILL");
    await once(node, "exit");
    await expect.poll(() => isAlive(worker), { timeout: 30_000 }).toBe(false);
  },
);

it.runIf(process.platform === "linux")(
  "a worker does not end by a signal that all processes of its node get",
  { timeout: 60_000 },
  async () => {
    const node = startNode(signalled);
    const [line] = (await once(node.stdout, "data")) as [Buffer];
    expect(JSON.parse(String(line))).toEqual({ finishState: "success", outgoing: { matches: null } });
    node.kill("SIGKILL");
  },
);
