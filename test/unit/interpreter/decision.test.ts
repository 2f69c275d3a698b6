import { describe, expect, it } from "vitest";
import { createTaskModels } from "../../../src/application-task-models.ts";
import { createTaskCatalog, taskLibrary } from "../../../src/task-library/index.ts";
import type { Mock } from "../../../src/workflow-engine/interpreter/job-state.ts";
import { validateWorkflow } from "../../../src/workflow-engine/interpreter/validate-workflow.ts";
import type { WorkflowTask } from "../../../src/workflow-engine/workflow-schema.ts";
import { SimulatedJob, tester } from "../../support/simulated-job.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const catalog = createTaskCatalog(taskLibrary);
const call = { app: "Outside", location: "Adapter" };
const step = { incoming: { type: "success", delay: "", response: "" } };

const when = (next_task: string, operator: string, value: unknown) => ({
  next_task,
  evaluations: [
    { operand_1: { task: "job", variable: "colour" }, operator, operand_2: { task: "static", variable: value } },
  ],
});
const decision = (...decisionArray: unknown[]) => ({
  name: "decision",
  type: "operation",
  incoming: { decisionArray },
});
const byColour = decision(when("a", "==", "red"), when("b", "==", "green"), when("c", "contains", "^b"));
const edges = ["start > d", "d > a", "d > b", "d > c", "d >failure> f", "a > end", "b > end", "c > end", "f > end"];

interface Run {
  task?: Partial<WorkflowTask> & { incoming?: Record<string, unknown> };
  lines?: readonly string[];
  mocks?: Record<string, Mock>;
}

function run(colour: unknown, { task = byColour, lines = edges, mocks }: Run = {}): SimulatedJob {
  const workflow = workflowOf("colours", { d: task, a: step, b: step, c: step, f: step }, lines);
  return new SimulatedJob(workflow, {
    variables: { colour },
    environment: { findTask: catalog.find },
    ...(mocks ? { mocks } : {}),
  });
}

const statuses = (job: SimulatedJob) => ["a", "b", "c", "f"].map((id) => `${id} ${job.status(id)}`).join(", ");
const outcome = (job: SimulatedJob) => ({
  job: job.state.status,
  chosen: job.state.tasks.get("d")?.outgoing?.["return_value"],
  errors: JSON.stringify(job.state.errors),
});

describe("a decision", () => {
  it("takes the transition to the task of the first entry that holds, and no other", () => {
    expect(statuses(run("red"))).toBe("a complete, b dead, c dead, f dead");
    expect(statuses(run("green"))).toBe("a dead, b complete, c dead, f dead");
    expect(statuses(run("blue"))).toBe("a dead, b dead, c complete, f dead");
    expect(outcome(run("blue"))).toMatchObject({ job: "complete", chosen: "c" });
  });

  it("ends in failure where none holds", () => {
    expect(statuses(run("yellow"))).toBe("a dead, b dead, c dead, f complete");
    expect(outcome(run("yellow"))).toMatchObject({ job: "complete", chosen: null });
    const stuck = run("yellow", { lines: edges.filter((line) => !line.includes("failure")) });
    expect(outcome(stuck)).toMatchObject({ job: "error" });
    expect(outcome(stuck).errors).toContain("d could have led to the workflow end task");
  });

  it("takes an entry without evaluations in any case", () => {
    const task = decision(when("a", "==", "red"), { next_task: "b" }, when("c", "==", "blue"));
    expect(statuses(run("blue", { task }))).toBe("a dead, b complete, c dead, f dead");
  });

  it("holds with one of the evaluations where all_true_flag is false", () => {
    const evaluations = [...when("a", "==", "red").evaluations, ...when("a", "==", "green").evaluations];
    const any = decision({ next_task: "a", all_true_flag: false, evaluations });
    const all = decision({ next_task: "a", evaluations });
    expect(statuses(run("green", { task: any }))).toBe("a complete, b dead, c dead, f dead");
    expect(statuses(run("green", { task: all }))).toBe("a dead, b dead, c dead, f complete");
  });

  it("is an error where no success transition leads to the task", () => {
    const lost = outcome(run("red", { task: decision(when("f", "==", "red")) }));
    expect(lost).toMatchObject({ job: "error", chosen: "f" });
    expect(lost.errors).toContain('The decision chose task \\"f\\", to which none of its success transitions leads');
    const caught = run("red", { task: decision(when("x", "==", "red")), lines: [...edges, "d >error> end"] });
    expect(outcome(caught)).toMatchObject({ job: "complete" });
  });

  it("refuses what is no list of decisions", () => {
    const { errors } = outcome(run("red", { task: decision({ evaluations: [] }) }));
    expect(errors).toContain("Schema validation failed on decisionArray");
  });

  it("goes by its label where people have edited its name", () => {
    const job = run("red", {
      task: { ...decision({ next_task: "b" }), name: "Which colour?", canvasName: "decision" },
    });
    expect(statuses(job)).toBe("a dead, b complete, c dead, f dead");
  });

  it("takes the way that a mock gives", () => {
    const mocked = run("red", { mocks: { d: { outgoing: { return_value: "b" } } } });
    expect(statuses(mocked)).toBe("a dead, b complete, c dead, f dead");
    expect(outcome(run("red", { mocks: { d: {} } })).errors).toContain("The decision chose task null");
    expect(statuses(run("red", { mocks: { d: { finish_state: "failure" } } }))).toContain("f complete");
  });

  it("reverts by the transition it chooses alone", () => {
    const workflow = workflowOf(
      "again",
      {
        a: call,
        d: decision(
          {
            next_task: "a",
            evaluations: [
              {
                operand_1: { task: "a", variable: "state" },
                operator: "!=",
                operand_2: { task: "static", variable: "up" },
              },
            ],
          },
          { next_task: "b" },
        ),
        b: step,
      },
      ["start > a", "a > d", "d >success~ a", "d > b", "b > end"],
    );
    const job = new SimulatedJob(workflow, { environment: { findTask: catalog.find } });
    job.answer("a", "success", { state: "down" });
    expect([job.runs("a"), job.status("b")]).toEqual([2, "incomplete"]);
    job.answer("a", "success", { state: "up" });
    expect([job.state.status, job.runs("d"), job.status("b")]).toEqual(["complete", 2, "complete"]);
  });

  it("stays decided when a part of the job behind it is repeated", () => {
    const workflow = workflowOf(
      "repeat",
      { d: decision(when("a", "==", "red"), { next_task: "b" }), a: call, b: call, c: call, e: step },
      ["start > d", "d > a", "d > b", "a > c", "b > c", "c > e", "e > end"],
    );
    const job = new SimulatedJob(workflow, { variables: { colour: "red" }, environment: { findTask: catalog.find } });
    job.answer("a").send({ event: "revert", to: "a", by: tester });
    expect([job.runs("a"), job.status("b"), job.runs("b")]).toEqual([2, "dead", 0]);
    expect(job.answer("a").answer("c").state.status).toBe("complete");
  });
});

describe("validation of a decision", () => {
  const findings = (task: Run["task"], lines: readonly string[] = edges) => {
    const workflow = workflowOf("checked", { d: task ?? {}, a: step, b: step, c: step, f: step }, lines);
    const inputSchema = { type: "object", properties: { colour: { type: "string" } }, required: ["colour"] };
    const { errors, warnings } = validateWorkflow(
      { ...workflow, inputSchema },
      { findTask: createTaskModels([], catalog), hasTransformation: () => true, hasWorkflow: () => true },
    );
    const texts = (problems: typeof errors) => problems.map(({ task: id, message }) => `${id}: ${message}`);
    return { errors: texts(errors), warnings: texts(warnings) };
  };

  it("has nothing to say of one whose ways are all chosen", () => {
    expect(findings(byColour)).toEqual({ errors: [], warnings: [] });
  });

  it("names a chosen task that no success transition leads to, and a transition that is never taken", () => {
    expect(findings(decision(when("a", "==", "red"), when("f", "==", "green"), { next_task: "b" }))).toEqual({
      errors: ["d: Decision chooses task 'f', to which none of its success transitions leads"],
      warnings: ["d: Success transition to task 'c' is never taken: the decision does not choose it"],
    });
  });

  it("names entries behind the default, and the lack of any", () => {
    const early = decision({ next_task: "a" }, when("b", "==", "green"), when("c", "==", "blue"));
    expect(findings(early).warnings).toEqual([
      "d: Decision has choices behind one without conditions: they are never made",
    ]);
    const lines = edges.filter((line) => !line.includes("failure")).map((line) => line.replace("f > end", "a > f"));
    expect(findings(byColour, lines).warnings).toEqual([
      "d: Decision has neither a choice without conditions nor a failure transition: when none holds the end cannot be reached",
    ]);
  });

  it("looks at references and patterns in its conditions", () => {
    const task = decision(when("a", "contains", "(x+)+$"), when("b", "==", "green"), when("c", "==", "blue"));
    expect(findings(task).errors).toEqual(["d: Regular expression is unsafe: it repeats a group that itself repeats"]);
    const evaluations = [
      { operand_1: { task: "b", variable: "response" }, operator: "==", operand_2: { task: "static", variable: 1 } },
    ];
    const early = findings(decision({ next_task: "a", evaluations }, when("b", "==", 1), when("c", "==", 2)));
    expect([...early.errors, ...early.warnings].join()).toContain("'b'");
  });

  it("knows that one way is taken: what only the other sets may be missing", () => {
    const reading = { incoming: { type: "success", delay: "", response: "$var.a.response" } };
    const workflow = workflowOf(
      "flow",
      { d: decision(when("a", "==", "red"), { next_task: "b" }), a: step, b: step, c: reading },
      ["start > d", "d > a", "d > b", "a > c", "b > c", "c > end"],
    );
    const { warnings } = validateWorkflow(workflow, {
      findTask: createTaskModels([], catalog),
      hasTransformation: () => true,
      hasWorkflow: () => true,
    });
    expect(warnings.filter(({ task }) => task === "c").map(({ message }) => message)).toHaveLength(1);
  });
});
