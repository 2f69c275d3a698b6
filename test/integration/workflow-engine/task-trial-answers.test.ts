import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createManualClock } from "../../support/manual-clock.ts";
import { startTestPlatform, type TestPlatform } from "../../support/platform.ts";
import { startScriptedServer, type ScriptedServer } from "../../support/scripted-server.ts";
import { createTrialBench } from "../../support/task-trials.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

let platform: TestPlatform;
let outside: ScriptedServer;

beforeAll(async () => {
  platform = await startTestPlatform({ clock: createManualClock(0) });
  outside = await startScriptedServer(({ method, body }, response) =>
    response.writeHead(method === "GET" ? 200 : 422, { "content-type": "application/json" }).end(body || '{"vlan":10}'),
  );
});
afterAll(async () => {
  await platform.stop();
  await outside.close();
});

const { tryTask, refusal } = createTrialBench(() => platform);

describe("a task that waits tells for what", () => {
  it("a delay: how long, and how it ends then", async () => {
    expect(await tryTask("delay", { time: 90 })).toEqual({
      finish_state: "success",
      outgoing: { time_in_milliseconds: 90_000 },
      waitsFor: { for: "timer", seconds: 90 },
      incoming: { time: 90 },
      duration_ms: 0,
    });
  });

  it("a listener: the event", async () => {
    const event = { source: "s", topic: "t", schema: { type: "object" } };
    expect(await tryTask("eventListenerJob", event)).toMatchObject({
      finish_state: null,
      outgoing: {},
      waitsFor: { for: "event", ...event },
    });
    expect(await tryTask("eventListenerJob", { ...event, topic: "" })).toMatchObject({
      finish_state: "error",
      error: { IAPerror: { displayString: "The topic of the event is missing" } },
    });
  });

  it("a loop: its first element, and how many there are", async () => {
    expect(await tryTask("forEach", { data_array: "$var.job.all" }, { all: ["r1", "r2", "r3"] })).toMatchObject({
      finish_state: "loop",
      outgoing: { current_item: "r1" },
      waitsFor: { for: "loop", elements: 3 },
    });
  });

  it("child jobs: what they would be started with, or why they cannot be", async () => {
    const stub = { incoming: { type: "success", delay: "", response: "" } };
    await platform.importWorkflow(workflowOf("trial child", { a1: stub }, ["start > a1", "a1 > end"]));
    const childJob = {
      task: "",
      workflow: "trial child",
      variables: { vlan: { task: "job", value: "vlan" }, site: { task: "static", value: "s1" } },
      data_array: "",
      transformation: "",
      loopType: "",
    };
    expect(await tryTask("childJob", childJob, { vlan: 12 })).toMatchObject({
      finish_state: null,
      outgoing: {},
      waitsFor: { for: "childJobs", workflow: "trial child", count: 1, variables: [{ vlan: 12, site: "s1" }] },
    });
    const data_array = Array.from({ length: 30 }, (_, port) => ({ port }));
    for (const loopType of ["sequential", "parallel"]) {
      const loop = await tryTask("childJob", { ...childJob, data_array, loopType }, { vlan: 12 });
      expect(loop.waitsFor).toMatchObject({ count: 30 });
      const shown = loop.waitsFor?.["variables"] as unknown[];
      expect([shown.length, shown[19]]).toEqual([20, { vlan: 12, site: "s1", port: 19, childJobLoopIndex: 19 }]);
      const absent = await tryTask("childJob", { ...childJob, workflow: "none", data_array, loopType }, { vlan: 12 });
      expect(absent).toMatchObject({
        finish_state: "error",
        error: { IAPerror: { displayString: "Error starting child job: Cannot find workflow none" } },
      });
      expect(absent.waitsFor).toBe(undefined);
    }
    expect(await tryTask("childJob", { ...childJob, data_array: [], loopType: "parallel" })).toMatchObject({
      finish_state: "success",
      outgoing: { job_details: { status: "complete", loop: [] } },
    });
  });
});

describe("a trial", () => {
  it("runs a stored transformation, named plainly or by a variable", async () => {
    const id = "5f00000000000000000000d7";
    const transformation = {
      _id: id,
      name: "trial",
      incoming: [{ $id: "vpcId", type: "string" }],
      outgoing: [{ $id: "copy", type: "string" }],
      steps: [
        {
          id: 1,
          type: "assign",
          from: { location: "incoming", name: "vpcId", ptr: "" },
          to: { location: "outgoing", name: "copy", ptr: "" },
        },
      ],
      functions: [],
      comments: [],
    };
    await platform.send("POST", "/transformations/import", { transformation });
    const incoming = { tr_id: id, variableMap: { vpcId: "$var.job.vpc" }, options: "" };
    const plain = await tryTask("transformation", incoming, { vpc: "vpc-1" });
    expect(plain).toMatchObject({ finish_state: "success", outgoing: { copy: "vpc-1" } });
    const named = await tryTask("transformation", { ...incoming, tr_id: "$var.job.id" }, { vpc: "vpc-1", id });
    expect(named.outgoing).toEqual(plain.outgoing);
    expect(await tryTask("transformation", { ...incoming, tr_id: "none" }, { vpc: 1 })).toMatchObject({
      finish_state: "error",
      error: { IAPerror: { displayString: "Cannot find transformation none" } },
    });
  });

  it("of restCall makes the request", async () => {
    const uri = `${outside.url}/devices`;
    expect(await tryTask("restCall", { uri: "$var.job.uri", verb: "GET" }, { uri })).toMatchObject({
      finish_state: "success",
      outgoing: { response: { vlan: 10 } },
    });
    expect(await tryTask("restCall", { uri, verb: "POST", body: { vlan: 1 } })).toMatchObject({
      finish_state: "error",
      error: { IAPerror: { code: 422, displayString: expect.stringContaining("answered 422") } },
    });
  });

  it("of a decision chooses among what its choices name", async () => {
    const evaluations = [
      { operand_1: { task: "job", variable: "n" }, operator: ">", operand_2: { task: "static", variable: 5 } },
    ];
    const decisionArray = [
      { name: "big", evaluations, next_task: "b1" },
      { name: "rest", evaluations: [], next_task: "c1" },
    ];
    const choose = async (n: number) => (await tryTask("decision", { decisionArray }, { n })).outgoing["return_value"];
    expect([await choose(9), await choose(1)]).toEqual(["b1", "c1"]);
  });

  it("takes an argument by another name that workflows use for it", async () => {
    expect(await tryTask("parse", { stringToParse: "[1]" })).toMatchObject({ outgoing: { result: [1] } });
  });

  it("of what is large or heavy is computed all the same", { timeout: 30_000 }, async () => {
    const arr = Array.from({ length: 200_000 }, (_, index) => String(index % 1_000));
    const sorted = await tryTask("sort", { arr: "$var.job.arr" }, { arr });
    expect(sorted.outgoing["sortedArray"]).toEqual(arr.toSorted());
    const deep = `${"[".repeat(400)}${"]".repeat(400)}`;
    const { outgoing } = await tryTask("arrayPush", { arr: [], elementN: JSON.parse(deep) as unknown });
    expect(JSON.stringify(outgoing["pushedArray"])).toBe(`[${deep}]`);
  });

  it("leaves nothing behind", async () => {
    const { store } = platform.platform;
    const stored = async () =>
      Promise.all(
        ["jobs", "tasks", "workflow_snapshots", "event_waits", "large_values"].map((name) => store.count(name, {})),
      );
    const [before, dueBefore] = [await stored(), await store.nextWorkAt()];
    await tryTask("delay", { time: 5 });
    await tryTask("eventListenerJob", { source: "s", topic: "t", schema: "" });
    await tryTask("newVariable", { name: "x", value: 1 });
    await tryTask("arrayPush", { arr: [1], elementN: 2 });
    await platform.platform.queue.idle();
    expect([await stored(), await store.nextWorkAt()]).toEqual([before, dueBefore]);
  });
});

describe("a trial is refused", () => {
  it("for a task that does not exist, with names that are near", async () => {
    const [detail] = await refusal("arrayLenght", {});
    expect(detail).toEqual({ path: "/body/task", message: "There is no task arrayLenght: did you mean arrayLength?" });
    const [far] = await refusal("zzzzzzzzzzzz", {});
    expect(far?.message).toBe("There is no task zzzzzzzzzzzz: GET /workflow_builder/tasks/list shows all");
  });

  it("for tasks of people and of other applications", async () => {
    expect((await refusal("ViewData", {}))[0]?.message).toBe("ViewData is worked by a person: start a job to try it");
    expect((await refusal("renderJinjaTemplate", {}))[0]?.message).toMatch(
      /^renderJinjaTemplate is a task of \w+: only tasks of WorkFlowEngine can be tried/u,
    );
  });

  it("for arguments that are missing, unknown or of a wrong type, each named", async () => {
    expect(await refusal("arrayConcat", { arr: 5, colour: "red", "a/b": 1 })).toEqual([
      { path: "/body/incoming/colour", message: "is not an argument of arrayConcat, which takes arr, arrayN" },
      { path: "/body/incoming/a~1b", message: "is not an argument of arrayConcat, which takes arr, arrayN" },
      { path: "/body/incoming/arr", message: "is number, expected array" },
      { path: "/body/incoming/arrayN", message: "is missing" },
    ]);
  });

  it("with no more problems than anybody reads", async () => {
    const surplus = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`x${index}`, index]));
    expect(await refusal("isArray", { arr: [], ...surplus })).toHaveLength(100);
  });

  it("for references that have no value here", async () => {
    expect(await refusal("arrayLength", { arr: "$var.job.list" }, { other: [] })).toEqual([
      { path: "/body/incoming/arr", message: "reads a variable that is not given" },
    ]);
    const message = "reads result of task a1b2: in a trial there is no other task, so give the value itself";
    expect((await refusal("arrayLength", { arr: "$var.a1b2.result" }))[0]).toEqual({
      path: "/body/incoming/arr",
      message,
    });
    const operand = { key: "a", value: { task: "a1b2", variable: "result" } };
    expect(await refusal("merge", { data_to_merge: [operand] })).toEqual([
      { path: "/body/incoming/data_to_merge", message },
    ]);
  });
});
