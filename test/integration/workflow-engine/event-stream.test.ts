import { get, type IncomingMessage } from "node:http";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { systemCaller } from "../../../src/core/caller.ts";
import { createGate } from "../../conformance/work-queue/queue-harness.ts";
import { allIdle, type EngineNode } from "../../support/engine-bench.ts";
import { createManualClock, type ManualClock } from "../../support/manual-clock.ts";
import { addWorker, startJob } from "../../support/manual-work.ts";
import { signIn, startTestPlatform, type TestPlatform } from "../../support/platform.ts";
import { openSharedNodes, type SharedNodes } from "../../support/shared-nodes.ts";
import { asShared } from "../../support/shared-store.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const manual = { type: "manual", name: "ViewData", view: "/workflow_engine/task/ViewData", incoming: {} };
const person = workflowOf("a person", { a: manual }, ["start > a", "a > end"]);

interface Told {
  id: string;
  event: string;
  data: { job: { _id: string; status: string }; task?: { taskId: string; status: string } };
}

/** Reads server-sent events. */
class Reader {
  text = "";
  hasEnded = false;
  readonly #waiting: (() => void)[] = [];

  constructor(body: AsyncIterable<Uint8Array | string>) {
    void this.#read(body);
  }

  get told(): Told[] {
    const blocks = this.text.split("\n\n").filter((block) => block.includes("event: "));
    return blocks.map((block) => {
      const member = (name: string) => new RegExp(`^${name}: (.*)$`, "mu").exec(block)?.[1] ?? "";
      return { id: member("id"), event: member("event"), data: JSON.parse(member("data")) as Told["data"] };
    });
  }

  get topics(): string[] {
    return this.told.map(({ event, data }) => (data.task ? `${data.task.taskId} ${data.task.status}` : event));
  }

  /** Resolves when what was read so far is as wanted, or at the end. */
  async until(isWanted: (reader: Reader) => boolean): Promise<this> {
    while (!isWanted(this) && !this.hasEnded) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return this;
  }

  async #read(body: AsyncIterable<Uint8Array | string>): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of body) {
        this.text += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
        this.#wake();
      }
    } catch {
      // Cut off: an end like any other.
    }
    this.hasEnded = true;
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}

describe("the stream of events", () => {
  let clock: ManualClock;
  let server: TestPlatform;
  let token: string;
  let cuts: (() => void)[];

  beforeAll(async () => {
    clock = createManualClock(Date.UTC(2026, 0, 5, 9));
    server = await startTestPlatform({ clock });
    await server.importWorkflow(person);
    token = await signIn(server.platform.url, "admin", "test-password-1");
  });
  beforeEach(() => {
    cuts = [];
  });
  afterEach(() => cuts.forEach((cut) => cut()));
  afterAll(() => server.stop());

  /** On a connection of its own, so that nothing of it is left when it is cut. */
  const follow = async (query = "", more: { token?: string; lastEventId?: string } = {}): Promise<Reader> => {
    const headers = {
      authorization: `Bearer ${more.token ?? token}`,
      ...(more.lastEventId === undefined ? {} : { "last-event-id": more.lastEventId }),
    };
    const reply = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = get(new URL(`/events/stream${query}`, server.platform.url), { agent: false, headers }, resolve);
      request.once("error", reject);
      cuts.push(() => request.destroy());
    });
    expect(reply.statusCode).toBe(200);
    expect(reply.headers["content-type"]).toContain("text/event-stream");
    return new Reader(reply).until(({ text }) => text.includes(": connected"));
  };
  const act = (id: string, what: string) => server.send("POST", `/operations-manager/jobs/${what}`, { jobIds: [id] });
  const finish = (id: string) => server.send("POST", `/operations-manager/jobs/${id}/tasks/a/finish`, {});

  it("tells what happens to jobs and their tasks, in order", async () => {
    const reader = await follow();
    const { _id } = await startJob(server, "a person");
    await act(_id, "pause");
    await act(_id, "resume");
    await finish(_id);
    await reader.until(({ topics }) => topics.includes("a complete"));
    expect(reader.topics).toEqual(["jobStart", "a running", "jobPause", "jobResume", "jobComplete", "a complete"]);
    expect(reader.told.map(({ id }) => id)).toEqual([1, 1, 2, 3, 4, 4].map((seq) => `${_id}.${seq}`));
    expect(reader.told[2]?.data.job).toMatchObject({ _id, name: "a person", status: "paused" });
  });

  it("is restricted to a job and to topics", async () => {
    const [one, other] = [await startJob(server, "a person"), await startJob(server, "a person")];
    const reader = await follow(`?job=${one._id}&topic=jobCancel&topic=jobPause`);
    for (const { _id } of [other, one]) {
      await act(_id, "pause");
      await act(_id, "cancel");
    }
    await reader.until(({ topics }) => topics.includes("jobCancel"));
    expect(reader.told.map(({ event, data }) => [event, data.job._id])).toEqual([
      ["jobPause", one._id],
      ["jobCancel", one._id],
    ]);
  });

  it("tells of other groups' jobs to nobody else", async () => {
    const ann = await addWorker(server, "ann");
    const others = await addWorker(server, "bert");
    const hidden = await startJob(server, "a person", { groups: [others.groupId] });
    const reader = await follow("", { token: ann.token });
    const path = `/events/stream?job=${hidden._id}`;
    expect((await server.request("GET", path, undefined, ann.token)).status).toBe(404);
    await act(hidden._id, "pause");
    const open = await startJob(server, "a person", { groups: [ann.groupId] });
    await reader.until(({ topics }) => topics.includes("a running"));
    expect(new Set(reader.told.map(({ data }) => data.job._id))).toEqual(new Set([open._id]));
  });

  it("refuses who has no credentials, and topics that are not known", async () => {
    expect((await server.request("GET", "/events/stream", undefined, null)).status).toBe(401);
    expect((await server.request("GET", "/events/stream?topic=nothing")).status).toBe(400);
  });

  it("is not begun for who asks for its head alone", async () => {
    const timers = clock.pendingTimers();
    expect((await server.request("HEAD", "/events/stream")).status).toBe(200);
    await new Promise((resolve) => setImmediate(resolve));
    expect(clock.pendingTimers()).toBe(timers);
  });

  it("goes on where it was broken off", async () => {
    const { _id } = await startJob(server, "a person");
    const first = await follow();
    await act(_id, "pause");
    await first.until(({ topics }) => topics.includes("jobPause"));
    cuts[0]?.();
    await act(_id, "resume");
    const again = await follow("", { lastEventId: `${_id}.2` });
    await again.until(({ topics }) => topics.includes("jobResume"));
    expect(again.topics).toEqual(["jobResume"]);
    const ofJob = await follow(`?job=${_id}`, { lastEventId: `${_id}.1` });
    await ofJob.until(({ topics }) => topics.includes("jobResume"));
    expect(ofJob.topics).toEqual(["jobPause", "jobResume"]);
    const unknown = await follow("", { lastEventId: `${"0".repeat(24)}.7` });
    expect((await unknown.until(({ text }) => text.includes("reset"))).topics).toEqual(["reset"]);
  });

  it("says that it is still there, and ends at logout", async () => {
    const own = await signIn(server.platform.url, "admin", "test-password-1");
    const reader = await follow("", { token: own });
    await clock.advance(15_000);
    await reader.until(({ text }) => text.includes(": still here"));
    await server.request("POST", "/logout", undefined, own);
    await clock.advance(2_000);
    await startJob(server, "a person");
    await reader.until(() => false);
    expect(reader.hasEnded).toBe(true);
    expect(reader.told).toEqual([]);
  });

  it("ends when the server stops, which it does not hold up", async () => {
    const reader = await follow();
    server = await server.restart({ clock });
    await reader.until(() => false);
    expect(reader.hasEnded).toBe(true);
  });
});

describe("the stream of events of a node", () => {
  let clock: ManualClock;
  let nodes: SharedNodes;
  let one: EngineNode;
  let other: EngineNode;

  beforeEach(async () => {
    nodes = await openSharedNodes([person]);
    ({ clock } = nodes);
    [one, other] = [await nodes.start(), await nodes.start()];
  });
  afterEach(() => nodes.close());

  const apply = ({ engine }: EngineNode, jobId: string, event: "pause" | "resume" | "cancel") =>
    engine.jobs.apply(jobId, { event, by: systemCaller }, systemCaller);

  it("tells what the other does, each thing once", async () => {
    const before = await other.engine.jobs.start("a person", {}, systemCaller);
    await clock.advance(2_000);
    const reader = new Reader(await one.engine.streams.open({}, systemCaller));
    const jobId = before.state.origin._id;
    await apply(other, jobId, "pause");
    await clock.advance(200);
    await apply(one, jobId, "resume");
    await apply(other, jobId, "cancel");
    await clock.advance(200);
    await allIdle([one, other]);
    await reader.until(({ topics }) => topics.includes("a canceled"));
    expect(reader.topics).toEqual(["jobPause", "jobResume", "jobCancel", "a canceled"]);
  });

  it.each([
    ["while it looks at what the other did", 100],
    ["before it looks at what the other did", 0],
  ])("tells what the other did before what it does itself %s", async (_, passMs) => {
    const read = createGate();
    const { store } = asShared(nodes.store, {
      wholeLog: async (...log) => {
        await read.passed;
        return nodes.store.wholeLog(...log);
      },
    });
    const slow = await nodes.start({ store });
    const { state } = await other.engine.jobs.start("a person", {}, systemCaller);
    await clock.advance(2_000);
    const reader = new Reader(await slow.engine.streams.open({}, systemCaller));
    const jobId = state.origin._id;
    await apply(other, jobId, "pause");
    await clock.advance(passMs);
    await apply(slow, jobId, "resume");
    read.open();
    await clock.advance(200);
    await reader.until(({ topics }) => topics.includes("jobResume"));
    expect(reader.topics).toEqual(["jobPause", "jobResume"]);
  });

  it("tells what the other did that it has not heard of before what it does itself", async () => {
    const { store } = asShared(nodes.store, { watch: () => () => undefined });
    const deaf = await nodes.start({ store });
    const { state } = await other.engine.jobs.start("a person", {}, systemCaller);
    await clock.advance(2_000);
    const reader = new Reader(await deaf.engine.streams.open({}, systemCaller));
    await clock.advance(1);
    const jobId = state.origin._id;
    await apply(other, jobId, "pause");
    await apply(deaf, jobId, "resume");
    await clock.advance(200);
    await reader.until(({ topics }) => topics.includes("jobResume"));
    expect(reader.topics).toEqual(["jobPause", "jobResume"]);
  });

  it("sends a client away that does not read", async () => {
    const body = await one.engine.streams.open({}, systemCaller);
    const description = "x".repeat(5_000);
    for (let n = 0; n < 300 && !body.destroyed; n++)
      await one.engine.jobs.start("a person", { description }, systemCaller);
    expect(body.destroyed).toBe(true);
  });

  it("takes no more clients than it can serve, and takes the next when one leaves", async () => {
    const bodies = await Promise.all(Array.from({ length: 200 }, () => one.engine.streams.open({}, systemCaller)));
    await expect(one.engine.streams.open({}, systemCaller)).rejects.toThrow("200 clients");
    bodies[0]?.destroy();
    await new Promise((resolve) => setImmediate(resolve));
    await expect(one.engine.streams.open({}, systemCaller)).resolves.toBeDefined();
  });

  it("ends after a quarter of an hour, so that credentials are looked at anew", async () => {
    const reader = new Reader(await one.engine.streams.open({}, systemCaller));
    await clock.advance(900_000);
    await reader.until(() => false);
    expect(reader.hasEnded).toBe(true);
  });
});
