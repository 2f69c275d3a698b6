import { afterEach, describe, expect, it } from "vitest";
import { createSystemClock } from "../../../src/core/clock.ts";
import { TaskError } from "../../../src/core/task.ts";
import { createWorkerPool, WorkerPoolError, WorkLimitError, type WorkerPool } from "../../../src/worker-pool/index.ts";

const limits = { workers: 1, deadlineMs: 30_000, memoryMb: 128 };
const endless = { str: `${"a".repeat(60)}!`, regExp: "^(a+)+$", flags: "" };

describe("the worker pool", () => {
  let pool: WorkerPool;
  const create = (changes: Partial<typeof limits> = {}) => {
    pool = createWorkerPool({ ...limits, ...changes, clock: createSystemClock() });
  };
  afterEach(() => pool.close());

  const runTask = (name: string, incoming: Record<string, unknown>, deadlineMs?: number) =>
    pool.run(
      "runTask",
      { name, incoming, now: 0 },
      { key: "job", ...(deadlineMs === undefined ? {} : { deadlineMs }) },
    );

  it("runs a task of the library", async () => {
    create();
    expect(await runTask("match", { str: "r1 up", regExp: "(\\w+) (?=up)", flags: "" })).toEqual({
      finishState: "success",
      outgoing: { matches: ["r1 ", "r1"] },
    });
  });

  it("refuses what the task refuses, with its message", async () => {
    create();
    await expect(runTask("match", { str: "a", regExp: "(" })).rejects.toThrow(TaskError);
    await expect(runTask("match", { str: "a", regExp: "(" })).rejects.toThrow("Invalid regular expression");
    await expect(runTask("nothing", {})).rejects.toThrow("Method not found: WorkFlowEngine.nothing");
  });

  it("stops what takes too long, names the limit, and goes on with a new worker", async () => {
    create();
    const stopped = runTask("match", endless, 300);
    await expect(stopped).rejects.toThrow(WorkLimitError);
    await expect(stopped).rejects.toThrow(
      "stopped after 300 ms, the longest it may take (LINEWRIGHT_TASK_DEADLINE_MS)",
    );
    expect(await runTask("search", { str: "abc", regexp: "c" })).toMatchObject({ outgoing: { index: 2 } });
  });

  it("stops what needs too much memory, names the limit, and goes on with a new worker", async () => {
    create({ memoryMb: 64 });
    const stopped = runTask("parse", { text: `[${"{},".repeat(3_000_000)}0]` });
    await expect(stopped).rejects.toThrow(WorkLimitError);
    await expect(stopped).rejects.toThrow("needs more than 64 MB of memory (LINEWRIGHT_TASK_MEMORY_MB)");
    expect(await runTask("search", { str: "abc", regexp: "c" })).toMatchObject({ outgoing: { index: 2 } });
  });

  it("refuses values and results that are nested too deep", async () => {
    create();
    const deep = JSON.parse(`${"[".repeat(20_000)}${"]".repeat(20_000)}`) as unknown[];
    await expect(runTask("arrayConcat", { arr: deep, arrN: [] })).rejects.toThrow(/nested too deep/u);
    const text = `${"[".repeat(800)}${"]".repeat(800)}`;
    await expect(runTask("parse", { text })).rejects.toThrow("nested deeper than 500 levels");
    expect(await runTask("search", { str: "abc", regexp: "c" })).toMatchObject({ outgoing: { index: 2 } });
  });

  it("refuses a result that is longer than a task may answer", async () => {
    create();
    await expect(runTask("repeat", { str: "abcdefgh", count: 3_000_000 })).rejects.toThrow(
      "The result takes more than",
    );
  });

  it("rejects what is under way and what waits when it is closed", async () => {
    create();
    const outcomes = Promise.allSettled([runTask("match", endless), runTask("match", endless)]);
    await pool.close();
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ status: "rejected", reason: new WorkerPoolError("The node stops") });
    }
    await expect(runTask("match", endless)).rejects.toThrow(WorkerPoolError);
  });

  it("refuses more than may wait, as something to try again", async () => {
    create();
    const asked = Array.from({ length: 1_010 }, () => runTask("match", endless));
    const outcomes = Promise.allSettled(asked);
    await expect(runTask("match", endless)).rejects.toThrow("More than 1000 computations wait for a worker");
    await pool.close();
    await outcomes;
  });

  it("takes turns between those it works for", async () => {
    create();
    const order: string[] = [];
    const ask = async (key: string) => {
      await pool.run("runTask", { name: "search", incoming: { str: "a", regexp: "a" }, now: 0 }, { key });
      order.push(key);
    };
    await Promise.all([...Array.from({ length: 20 }, () => ask("greedy")), ask("modest")]);
    expect(order.indexOf("modest")).toBeLessThan(3);
  });

  it("runs a transformation by the clock it is given", async () => {
    create();
    const document = {
      name: "t",
      incoming: [],
      outgoing: [{ $id: "time", type: "number" }],
      steps: [
        { id: 1, type: "method", library: "Date", method: "now", args: [] },
        {
          id: 2,
          type: "assign",
          from: { location: "method", name: 1, ptr: "/return" },
          to: { location: "outgoing", name: "time", ptr: "" },
        },
      ],
      functions: [],
      comments: [],
    };
    const outgoing = await pool.run(
      "runTransformation",
      { document, incoming: {}, options: undefined, now: 1_700_000_000_000 },
      { key: "job" },
    );
    expect(Number(outgoing["time"])).toBeGreaterThanOrEqual(1_700_000_000_000);
    expect(Number(outgoing["time"])).toBeLessThan(1_700_000_030_000);
  });
});
