import { describe, expect, it } from "vitest";
import { SimulatedJob, tester } from "../../support/simulated-job.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const manual = { name: "ViewData", type: "manual", view: "/workflow_engine/task/ViewData" };
const other = { accountId: "other", username: "other" };
const third = { accountId: "third", username: "third" };
const jobOf = (tasks: Parameters<typeof workflowOf>[1] = { m: manual }) =>
  new SimulatedJob(workflowOf("shared", tasks, ["start > m", "m > end"]));
const by = tester;

describe("watchers", () => {
  it("are added and taken away one by one; what changes nothing is not written", () => {
    const job = jobOf();
    const written = job.deltas.length;
    job.send({ event: "watch", watchers: ["a", "b", "a"], by });
    job.send({ event: "unwatch", watchers: ["a", "nobody"], by });
    expect(job.state.watchers).toEqual(["tester", "b"]);
    job.send({ event: "watch", watchers: ["b"], by }).send({ event: "unwatch", watchers: ["a"], by });
    expect(job.deltas.slice(written).flatMap(({ changes }) => changes)).toHaveLength(2);
  });
});

describe("groups", () => {
  it("are added, taken away and replaced", () => {
    const job = jobOf();
    job.send({ event: "group", change: "add", groups: ["a", "b", "a"], by });
    job.send({ event: "group", change: "remove", groups: ["a", "x"], by });
    expect(job.state.groups).toEqual(["b"]);
    job.send({ event: "group", change: "replace", groups: ["c", "c", "d"], by });
    expect(job.state.groups).toEqual(["c", "d"]);
    const { seq } = job.state;
    job.send({ event: "group", change: "replace", groups: ["d", "c"], by });
    expect(job.state.seq).toBe(seq);
    job.send({ event: "group", change: "replace", groups: [], by });
    expect(job.state.groups).toEqual([]);
  });

  it("stay such that who changes them keeps access, when told so", () => {
    const job = jobOf();
    const change = (change: "add" | "remove" | "replace", groups: string[]) => () =>
      job.send({ event: "group", change, groups, by, mustKeep: ["a", "b"] });
    expect(change("add", ["c"])).toThrow("You would lose access");
    change("add", ["a", "c"])();
    expect(change("remove", ["a"])).toThrow("You would lose access");
    expect(change("replace", [])).toThrow("Only an administrator may open a job");
    expect(job.state.groups).toEqual(["a", "c"]);
  });

  it("are handed down where a job has child jobs to start", () => {
    const child = { name: "childJob", type: "operation", incoming: { workflow: "w", variables: {} } };
    const parent = jobOf({ m: child });
    parent.send({ event: "group", change: "add", groups: ["a"], by });
    expect(parent.take("regroupChildren")).toHaveLength(1);
    const alone = jobOf();
    alone.send({ event: "group", change: "add", groups: ["a"], by });
    expect(alone.take("regroupChildren")).toHaveLength(0);
  });
});

describe("assigning a manual task", () => {
  const assign = (owner: typeof tester, asks: typeof tester, isAdmin = false) =>
    ({ event: "assign", task: "m", owner, by: asks, isAdmin }) as const;

  it("gives it to an account, from oneself or as an administrator", () => {
    const job = jobOf();
    expect(job.send(assign(other, tester)).state.tasks.get("m")?.owner).toEqual(other);
    expect(() => job.send(assign(third, tester))).toThrow("Task is claimed by other");
    expect(job.send(assign(third, other)).state.tasks.get("m")?.owner).toEqual(third);
    expect(job.send(assign(other, tester, true)).state.tasks.get("m")?.owner).toEqual(other);
    const { seq } = job.state;
    expect(job.send(assign(other, tester)).state.seq).toBe(seq);
  });

  it("is refused for an iteration that is over", () => {
    const job = jobOf();
    expect(() => job.send({ ...assign(other, tester), iteration: 7 })).toThrow("not waiting for a person");
    expect(() => job.send({ event: "claim", task: "m", iteration: 7, owner: other, by })).toThrow("not waiting");
    expect(() => job.send({ event: "release", task: "m", iteration: 7, by, isAdmin: true })).toThrow("not waiting");
  });
});

describe("finishing a manual task", () => {
  it("is for its owner, or an administrator", () => {
    const finish = { event: "finishManualTask", task: "m", finishState: "success", variables: {} } as const;
    const claimed = () => jobOf().send({ event: "claim", task: "m", owner: other, by: other });
    expect(() => claimed().send({ ...finish, by: third })).toThrow("Task is claimed by other");
    expect(claimed().send({ ...finish, by: other }).state.status).toBe("complete");
    expect(claimed().send({ ...finish, by: third, isAdmin: true }).state.status).toBe("complete");
    expect(
      jobOf()
        .send({ ...finish, by: third })
        .state.tasks.get("m")?.owner,
    ).toEqual(third);
  });
});
