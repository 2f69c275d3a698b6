import { describe, expect, it } from "vitest";
import { isLongerThan, largestResult, tooLargeResult } from "../../../src/core/result-size.ts";
import { SimulatedJob } from "../../support/simulated-job.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const call = { app: "Outside", location: "Adapter", name: "read", outgoing: { result: "$var.job.kept" } };
const started = () => new SimulatedJob(workflowOf("w", { a: call }, ["start > a", "a > end"]));
const piece = "x".repeat(1_024);
/** Texts of so many characters as JSON together, brackets and commas included. */
const textsOf = (characters: number) => Array.from({ length: Math.floor(characters / 1_027) }, () => piece);

describe("a result that is too large for a node", () => {
  it("ends its task in error, which says so and keeps nothing of it", () => {
    const job = started().answer("a", "success", { result: textsOf(largestResult + 10_000) });
    expect([job.state.status, job.status("a")]).toEqual(["error", "error"]);
    expect(job.state.errors).toMatchObject([
      {
        task: "a",
        message: {
          IAPerror: {
            origin: "Outside.read",
            displayString: tooLargeResult.message,
            recommendation: tooLargeResult.recommendation,
          },
        },
      },
    ]);
    expect(job.state.variables).not.toHaveProperty("kept");
    expect(JSON.stringify(job.deltas).length).toBeLessThan(5_000);
  });

  it("is refused as an error as well", () => {
    const job = started().answer("a", "error", {}, textsOf(largestResult + 10_000));
    expect(job.state.errors).toMatchObject([{ message: { IAPerror: { displayString: tooLargeResult.message } } }]);
  });

  it("is taken up to that size", () => {
    const result = textsOf(largestResult - 10_000);
    const job = started().answer("a", "success", { result });
    expect(job.state.status).toBe("complete");
    expect(job.state.variables["kept"]).toBe(result);
  });
});

describe("the length of JSON text", () => {
  it.each([["text"], [["a", 1, null, { b: [true, {}] }]], [{ name: "x", list: [[], [[]]] }], [12], [null]])(
    "of %j is never said to be more than it is",
    (value) => {
      const { length } = JSON.stringify(value);
      expect([isLongerThan(value, length), isLongerThan(value, -1)]).toEqual([false, true]);
    },
  );

  it("is looked at no further than it must be", () => {
    const looked: number[] = [];
    const items = Array.from({ length: 100 }, (_, n) => ({
      get text() {
        looked.push(n);
        return piece;
      },
    }));
    expect(isLongerThan(items, 3_000)).toBe(true);
    expect(looked).toEqual([0, 1, 2]);
  });
});
