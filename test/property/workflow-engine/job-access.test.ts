import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Caller } from "../../../src/core/caller.ts";
import { mayAccess } from "../../../src/core/group-access.ts";
import { matches } from "../../../src/store/query/matches.ts";
import { parseQuery } from "../../../src/store/query.ts";
import {
  accessibleJobs,
  accessibleTasks,
  accessText,
  mayAccessTask,
  taskAccessText,
} from "../../../src/workflow-engine/jobs/job-access.ts";

const group = fc.oneof(fc.string({ maxLength: 4 }), fc.constantFrom("a", "b", '"a"', "\n", "a\nb", '","', "|", "\\"));
const groups = fc.array(group, { maxLength: 4 });

describe("access to jobs by groups", () => {
  it("is the same as a rule and as a query on headers", () => {
    fc.assert(
      fc.property(groups, groups, fc.boolean(), (ofJob, ofCaller, isAdmin) => {
        const caller = { accountId: "1", username: "u", isAdmin, groupIds: ofCaller } as unknown as Caller;
        const header = { _id: "1", name: "n", access: accessText(ofJob) };
        const isFound = matches(parseQuery(accessibleJobs(caller, { name: "n" })), header);
        expect(isFound).toBe(mayAccess(ofJob, caller));
      }),
      { numRuns: 2_000 },
    );
  });

  it("is written the same in whatever order the groups are", () => {
    expect(accessText(["b", "a", "b"])).toBe(accessText(["a", "b"]));
    expect(accessText([])).toBe("");
  });
});

describe("access to tasks by the groups of their job and their own", () => {
  const listed = fc.array(fc.oneof(group, fc.constantFrom<unknown>("default", "*", 7, null)), { maxLength: 4 });
  const type = fc.constantFrom("manual", "automatic");

  it("is the same as a rule and as a query on rows", () => {
    fc.assert(
      fc.property(groups, listed, type, groups, fc.boolean(), (ofJob, ofTask, type, ofCaller, isAdmin) => {
        const caller = { accountId: "1", username: "u", isAdmin, groupIds: ofCaller } as unknown as Caller;
        const task = { name: "n", type, groups: ofTask };
        const row = { _id: "1", name: "n", access: taskAccessText(ofJob, task) };
        const isFound = matches(parseQuery(accessibleTasks(caller, { name: "n" })), row);
        expect(isFound).toBe(mayAccess(ofJob, caller) && mayAccessTask(task, caller));
      }),
      { numRuns: 2_000 },
    );
  });

  it("is restricted by the groups of manual tasks alone", () => {
    const caller = { accountId: "1", username: "u", isAdmin: false, groupIds: ["a"] } as unknown as Caller;
    const may = (type: string, groups?: unknown[]) =>
      mayAccessTask({ name: "n", type, ...(groups ? { groups } : {}) }, caller);
    expect([may("manual", ["b"]), may("automatic", ["b"]), may("manual", ["default"]), may("manual")]).toEqual([
      false,
      true,
      true,
      true,
    ]);
  });
});
