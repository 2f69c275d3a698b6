import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Caller } from "../../../src/core/caller.ts";
import { matches } from "../../../src/store/query/matches.ts";
import { parseQuery } from "../../../src/store/query.ts";
import { accessibleJobs, accessText, mayAccess } from "../../../src/workflow-engine/jobs/job-access.ts";

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
