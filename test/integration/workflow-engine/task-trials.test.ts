import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { taskLibrary } from "../../../src/task-library/index.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { startTestPlatform, type TestPlatform } from "../../support/platform.ts";
import { createTrialBench, type Given, type Refusal, type Trial } from "../../support/task-trials.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

interface Job {
  tasks: Record<string, { iterations: string[] }>;
  variables: Given;
}
interface RunTask {
  metrics: { finish_state: string };
  variables: Record<"incoming" | "outgoing", Given>;
}
let platform: TestPlatform;

beforeAll(async () => {
  platform = await startTestPlatform({ clock: createManualClock(0), random: () => 0.5 });
});
afterAll(() => platform.stop());

const { attempt, tryTask } = createTrialBench(() => platform);

/** What JSON makes of a value: NaN is null, what is undefined is absent. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

/** Arguments as a workflow writes them: where it may name a variable, a value is marked as one. */
function written(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(written);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      /^(?:value|operand_[12])$/u.test(name) ? { task: "static", variable: member } : written(member),
    ]),
  );
}
const withOperands = new Set(["merge", "deepmerge", "evaluation", "decision"]);

describe("the examples of a task, when it is tried", () => {
  // What these wait for is not there, or they need documents of their own: below.
  const apart = new Set(["childJob", "eventListenerJob", "transformation", "restCall"]);
  const rows = taskLibrary
    .filter(({ name, type }) => type !== "manual" && !apart.has(name))
    .flatMap(({ name, examples }) =>
      examples.map((example, index) => ({ title: `${name} ${index + 1}`, name, example })),
    );
  const variables = { devices: ["r1", "r2"] };

  it.each(rows)("$title", async ({ name, example }) => {
    const incoming = asJson(example.incoming) as Given;
    const { status, body } = await attempt<Trial & Refusal>(
      name,
      withOperands.has(name) ? (written(incoming) as Given) : incoming,
      variables,
    );
    if (example.error === undefined) {
      expect([status, status === 200 ? undefined : body]).toEqual([200, undefined]);
      expect(body.finish_state).toBe(example.finishState ?? "success");
      expect(body.outgoing).toEqual(asJson(example.outgoing));
      expect(body.incoming).toEqual(incoming);
    } else if (status === 400) {
      // Of a wrong type altogether, as the refusal of the task itself says too.
      expect(body.metadata.errors.every(({ path }) => path.startsWith("/body/incoming/"))).toBe(true);
    } else {
      expect(body).toMatchObject({ finish_state: "error" });
      expect(body.error?.IAPerror.displayString).toContain(example.error);
    }
  });
});

describe("a trial does what a job does", () => {
  const cases: [name: string, incoming: Given, variables: Given][] = [
    ["arrayLength", { arr: "$var.job.list" }, { list: [1, 2, 3] }],
    ["arrayLength", { arr: "$var.job.deep#/a/0" }, { deep: { a: [[1, 2]] } }],
    ["stringConcat", { str: "$var.job.first", stringN: "b" }, { first: "a" }],
    ["query", { pass_on_null: false, query: "a[1].b", obj: "$var.job.obj" }, { obj: { a: [0, { b: 7 }] } }],
    ["query", { pass_on_null: false, query: "x", obj: {} }, {}],
    ["query", { pass_on_null: false, query: "a[", obj: {} }, {}],
    [
      "merge",
      {
        data_to_merge: [
          { key: "a", value: { task: "job", variable: "x" } },
          { key: "b", value: { task: "static", variable: 2 } },
        ],
      },
      { x: 1 },
    ],
    [
      "evaluation",
      {
        all_true_flag: true,
        evaluation_groups: [
          {
            all_true_flag: true,
            evaluations: [
              { operand_1: { task: "job", variable: "x" }, operator: ">", operand_2: { task: "static", variable: 5 } },
            ],
          },
        ],
      },
      { x: 1 },
    ],
    ["push", { job_variable: "devices", item_to_push: "r3" }, { devices: ["r1"] }],
    ["push", { job_variable: "devices", item_to_push: "r3" }, { devices: "r1" }],
    ["shift", { job_variable: "devices" }, { devices: ["r1", "r2"] }],
    ["newVariable", { name: "new", value: "$var.job.initiator" }, {}],
    ["match", { str: `${"a".repeat(18)}!`, regExp: "$var.job.pattern", flags: "" }, { pattern: "(a+)+(?=!)" }],
  ];

  it.each(cases)("%s of %j with %j", async (name, incoming, variables) => {
    const trial = await tryTask(name, incoming, variables);
    const workflow = workflowOf(
      `trial of ${name} ${JSON.stringify([incoming, variables])}`.slice(0, 200),
      { a1: { name, incoming }, a2: { incoming: { type: "success", delay: "", response: "" } } },
      ["start > a1", "a1 > end", "a1 >failure> a2", "a2 > end"],
    );
    await platform.importWorkflow(workflow);
    const { data } = await platform.send<{ data: { _id: string } }>(
      "POST",
      "/operations-manager/jobs/start?wait=20000",
      { workflow: workflow.name, options: { variables } },
    );
    const { data: job } = await platform.send<{ data: Job }>("GET", `/operations-manager/jobs/${data._id}`);
    const iteration = job.tasks["a1"]?.iterations[0] ?? "";
    const { data: task } = await platform.send<{ data: RunTask }>("GET", `/operations-manager/tasks/${iteration}`);
    expect(trial.finish_state).toBe(task.metrics.finish_state);
    expect(trial.incoming).toEqual(task.variables.incoming);
    expect(trial.outgoing).toEqual(task.variables.outgoing);
    const { _id, initiator: _initiator, ...after } = job.variables;
    expect({ ...variables, ...trial.variables }).toEqual(after);
  });
});
