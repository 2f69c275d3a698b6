import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestPlatform, type TestPlatform } from "../../support/platform.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

interface Started {
  data: { status: string; variables: Record<string, unknown>; error?: { task: string; message: unknown }[] };
}

const time = (name: string, incoming: Record<string, unknown>, outgoing: Record<string, string> = {}) => ({
  name,
  displayName: "Time",
  incoming,
  outgoing,
});
const isHours = (hours: number) => [
  {
    operand_1: { task: "c", variable: "timeDiff" },
    query: "hours",
    operator: "==",
    operand_2: { task: "static", variable: hours },
  },
];

/** Now, a day and `more` later, what lies between, and a decision on it. */
const chain = workflowOf(
  "time chain",
  {
    a: time("getTime", { timezone: "-04:00", offsetDuration: "", format: "" }, { time: "$var.job.now" }),
    b: time(
      "addDuration",
      { inputTime: "$var.a.time", offsetDuration: "$var.job.more" },
      { newTime: "$var.job.later" },
    ),
    c: time(
      "calculateTimeDiff",
      { firstTime: "$var.b.newTime", secondTime: "$var.a.time" },
      { timeDiff: "$var.job.diff" },
    ),
    d: {
      name: "decision",
      type: "operation",
      incoming: {
        decisionArray: [
          { next_task: "e1", evaluations: isHours(24) },
          { next_task: "e2", evaluations: isHours(48) },
        ],
      },
      outgoing: { return_value: "$var.job.chosen" },
    },
    e1: time(
      "convertTimezone",
      { inputTime: "$var.b.newTime", NewTimezone: "Asia/Kolkata" },
      { convertedTime: "$var.job.shown" },
    ),
    e2: time(
      "extractField",
      { inputTime: "$var.b.newTime", field: "Year", outputFormat: "Number" },
      { timeFieldValue: "$var.job.shown" },
    ),
    f: time(
      "convertTimeToEpoch",
      { inputTime: "$var.b.newTime", EpochFormat: "Seconds" },
      { epochTime: "$var.job.epoch" },
    ),
  },
  ["start > a", "a > b", "b > c", "c > d", "d > e1", "d > e2", "d >failure> f", "e1 > end", "e2 > end", "f > end"],
);

describe("the time tasks and a decision in a job", () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform();
    await platform.importWorkflow(chain);
  });
  afterAll(() => platform.stop());

  const run = async (more: unknown) => {
    const body = { workflow: "time chain", options: { variables: { more } } };
    return (await platform.send<Started>("POST", "/operations-manager/jobs/start?wait=10000", body)).data;
  };

  it("hand times on and take the way that the difference chooses", async () => {
    const { status, variables } = await run({ days: 1 });
    expect([status, variables["chosen"]]).toEqual(["complete", "e1"]);
    expect(variables["diff"]).toEqual({
      milliseconds: 86_400_000,
      seconds: 86_400,
      minutes: 1440,
      hours: 24,
      days: 1,
      months: 1 / 30.436875,
      years: 1 / 365.2425,
    });
    const formatString = "YYYY-MM-DDTHH:mm:ss.SSSSSSZZ";
    expect(variables["now"]).toEqual({ time: expect.stringMatching(/^\d{4}-.*\d{3}000-0400$/u), formatString });
    expect(variables["shown"]).toEqual({ time: expect.stringMatching(/\+0530$/u), formatString });
    expect(variables["epoch"]).toBeUndefined();
  });

  it("take another way for another difference, and the way of failure where none holds", async () => {
    const two = await run("P2D");
    expect([two.status, two.variables["chosen"], typeof two.variables["shown"]]).toEqual(["complete", "e2", "number"]);
    const none = await run(1000);
    expect([none.status, none.variables["chosen"]]).toEqual(["complete", null]);
    expect(none.variables["epoch"]).toBe(Math.floor(Date.parse(isoOf(none.variables["later"])) / 1000));
  });

  it("end in error by what cannot be read", async () => {
    const { status, error } = await run({ moons: 1 });
    expect(status).toBe("error");
    expect(JSON.stringify(error)).toContain('Unknown unit of a duration: \\"moons\\"');
  });
});

/** The time of a time object in the form that `Date` reads. */
function isoOf(value: unknown): string {
  return (value as { time: string }).time.replace(/(\d{2})$/u, ":$1");
}
