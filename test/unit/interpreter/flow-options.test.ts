import { describe, expect, it } from "vitest";
import { optionProblems, taskOptions } from "../../../src/workflow-engine/interpreter/task-options.ts";
import { validateWorkflow } from "../../../src/workflow-engine/interpreter/validate-workflow.ts";
import { SimulatedJob } from "../../support/simulated-job.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const call = { app: "Outside", location: "Adapter" };
const options = (members: object): typeof call => ({ ...call, ...members });
const edges = (text: string) => text.split(", ");
const three = (join: unknown, more: object = {}) =>
  new SimulatedJob(
    workflowOf("three", { a: call, b: call, c: call, d: options({ join, ...more }) }, [
      ..."abc".split("").flatMap((id) => [`start > ${id}`, `${id} > d`]),
      "d > end",
    ]),
  );

describe("joins that count", () => {
  it("start at the n-th transition taken, once", () => {
    const job = three(2).answer("b");
    expect(job.status("d")).toBe("incomplete");
    expect(job.answer("a").status("d")).toBe("running");
    job.answer("c").answer("d");
    expect([job.runs("d"), job.state.status]).toEqual([1, "complete"]);
  });

  it("are dead when all transitions are decided and fewer were taken", () => {
    const job = three(2).answer("a", "failure").answer("b");
    expect(job.status("d")).toBe("incomplete");
    expect(job.answer("c", "failure").status("d")).toBe("dead");
    expect(job.state.status).toBe("error");
  });

  it("ignore later arrivals even when the task is over, and count anew once it is reset", () => {
    const job = new SimulatedJob(
      workflowOf("again", { a: call, b: call, d: options({ join: "any" }), e: call }, [
        ...edges("start > a, start > b, a > d, b > d, d > e, e >failure~ d, e > end"),
      ]),
    );
    job.answer("a").answer("d").answer("b");
    expect(job.runs("d")).toBe(1);
    job.answer("e", "failure");
    expect(job.runs("d")).toBe(2);
  });

  it("keep what tasks outside of a reverted region contributed: enough of it starts the task at once", () => {
    const job = new SimulatedJob(
      workflowOf("kept", { a: call, b: call, d: options({ join: "any" }), e: call }, [
        ...edges("start > a, start > b, a > d, b > d, d > e, e >failure~ a, e > end"),
      ]),
    );
    job.answer("b").answer("a").answer("d").answer("e", "failure");
    expect([job.status("a"), job.status("d")]).toEqual(["running", "running"]);
  });

  it("all is what a task without the option does", () => {
    const job = three("all").answer("a").answer("b", "failure");
    expect(job.status("d")).toBe("incomplete");
    expect(job.answer("c").status("d")).toBe("running");
  });
});

describe("canceling others", () => {
  it("gives up what is unfinished upstream when the task starts; late results are void", () => {
    const job = three(1, { cancelOthers: true });
    const late = job.iteration("b");
    job.take("forget");
    job.answer("a");
    expect([job.status("b"), job.status("c"), job.status("d")]).toEqual(["canceled", "canceled", "running"]);
    expect(job.take("forget").map(({ iteration }) => iteration)).toEqual([late, job.iteration("c")]);
    job.send({ event: "taskResult", task: "b", iteration: late, result: { finishState: "success", outgoing: {} } });
    expect(job.status("b")).toBe("canceled");
    expect(job.answer("d").state.status).toBe("complete");
  });

  it("decides other ways out of what it gives up", () => {
    const job = new SimulatedJob(
      workflowOf("ways", { a: call, b: call, d: options({ join: "any", cancelOthers: true }), x: call, y: call }, [
        ...edges("start > a, start > b, a > d, b > d, b > x, x > y, a > y, d > end, y > end"),
      ]),
    );
    job.answer("a");
    expect([job.status("x"), job.status("y")]).toEqual(["dead", "running"]);
  });

  it("stays within the body of the loop that the task belongs to", () => {
    const job = new SimulatedJob(
      workflowOf(
        "body",
        {
          f: { name: "forEach", incoming: { data_array: [1, 2] } },
          a: call,
          b: call,
          d: options({ join: "any", cancelOthers: true }),
        },
        edges("start > f, f >loop> a, f >loop> b, a > d, b > d, f > end"),
      ),
    );
    for (let element = 0; element < 2; element++) job.answer("a").answer("d");
    expect([job.state.status, job.runs("b"), job.runs("d")]).toEqual(["complete", 2, 2]);
  });

  it("cancels the listed tasks and what only they lead to, when the task finishes", () => {
    const job = new SimulatedJob(
      workflowOf("region", { a: call, b: call, c: call, d: call, s: options({ cancelOthers: ["a"] }) }, [
        ...edges("start > a, start > d, start > s, a > b, b > c, d > c, c > end, s > end"),
      ]),
    );
    job.answer("a").answer("s");
    expect([job.status("a"), job.status("b"), job.status("c")]).toEqual(["complete", "canceled", "incomplete"]);
    job.answer("d").answer("c");
    expect(job.state.status).toBe("complete");
  });

  it("at the end of the workflow ends the job", () => {
    const workflow = workflowOf("end", { a: call, b: call }, edges("start > a, start > b, a > end, b > end"));
    Object.assign(workflow.tasks["workflow_end"] ?? {}, { join: "any", cancelOthers: true });
    const job = new SimulatedJob(workflow).answer("b");
    expect([job.state.status, job.status("a")]).toEqual(["complete", "canceled"]);
  });
});

const environment = { findTask: () => undefined, hasTransformation: () => true, hasWorkflow: () => true };
const errorsOf = (tasks: Record<string, object>, lines: string) =>
  validateWorkflow(workflowOf("checked", tasks, edges(lines)), environment).errors.map(({ message }) => message);

describe("options that cannot be", () => {
  it.each([
    [{ join: 0 }, "/join"],
    [{ join: "some" }, "/join"],
    [{ cancelOthers: "a1" }, "/cancelOthers"],
    [{ cancelOthers: [1] }, "/cancelOthers/0"],
    [{ lock: {} }, "/lock"],
    [{ lock: { name: "a", device: "b" } }, "/lock"],
    [{ loop: { maxParallel: 0 } }, "/loop/maxParallel"],
    [{ loop: { stopWhen: {} } }, "/loop/stopWhen"],
    [{ loop: { stopWhen: { failedPercent: 101 } } }, "/loop/stopWhen/failedPercent"],
    [{ compensation: 1 }, "/compensation"],
  ])("%j is named at %s and counts as not given", (members, path) => {
    const task = { name: "stub", ...members };
    const [problem] = optionProblems(task);
    expect(problem?.path.startsWith(path.split("/").slice(0, 2).join("/"))).toBe(true);
    expect(taskOptions(task)).toEqual(taskOptions({ name: "stub" }));
  });

  it("null is not given", () => {
    const task = { name: "stub", join: null, cancelOthers: null, lock: null, loop: null, compensation: null };
    expect([optionProblems(task), taskOptions(task)]).toEqual([[], taskOptions({ name: "stub" })]);
  });

  it.each([
    [{ a1: { join: 2 } }, "start > a1, a1 > end", "/tasks/a1/join: asks for 2 transitions"],
    [{ a1: { cancelOthers: true } }, "start > a1, a1 > end", "/tasks/a1/cancelOthers: true needs a join"],
    [{ a1: { cancelOthers: ["b1"] } }, "start > a1, a1 > end", "there is no task 'b1'"],
    [{ a1: { cancelOthers: ["workflow_end"] } }, "start > a1, a1 > end", "cannot be canceled"],
    [{ a1: { loop: { maxParallel: 2 } } }, "start > a1, a1 > end", "/tasks/a1/loop: only a childJob task"],
    [{ a1: { compensation: "b1" } }, "start > a1, a1 > end", "/tasks/a1/compensation: there is no task 'b1'"],
    [{ a1: { compensation: "b1" }, b1: {} }, "start > a1, a1 > b1, b1 > end", "no transition may lead to or from"],
    [{ a1: { compensation: "b1" }, b1: { compensation: "a1" } }, "start > a1, a1 > end", "has a compensation itself"],
    [
      { a1: { compensation: "c1" }, b1: { compensation: "c1" }, c1: {} },
      "start > a1, a1 > b1, b1 > end",
      "undoes task 'a1' already",
    ],
  ])("%j is an error", (tasks, lines, message) => {
    expect(errorsOf(tasks, lines).some((found) => found.includes(message))).toBe(true);
  });

  it("a task that undoes another need not be come to, and may read what that one gave", () => {
    const tasks = { a1: { compensation: "b1" }, b1: { incoming: { response: "$var.a1.response" } } };
    const { errors, warnings } = validateWorkflow(
      workflowOf("undone", tasks, edges("start > a1, a1 > end")),
      environment,
    );
    expect(errors).toEqual([]);
    expect(warnings.filter(({ message }) => message.includes("may not have run"))).toEqual([]);
  });
});
