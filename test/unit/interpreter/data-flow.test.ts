import { describe, expect, it } from "vitest";
import { createDataFlow } from "../../../src/workflow-engine/interpreter/data-flow.ts";
import { compileWorkflowGraph } from "../../../src/workflow-engine/interpreter/workflow-graph.ts";
import type { WorkflowTask } from "../../../src/workflow-engine/workflow-schema.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const call = { app: "Outside", location: "Adapter" };
const evaluation = { name: "evaluation" };
type Parts = Record<string, Partial<WorkflowTask>>;

/** Whether `source` has run when `reader` starts: tasks named in the edges are calls unless given. */
function before(question: string, edges: string, given: Parts = {}): string {
  const [reader = "", source = ""] = question.split(" reads ");
  const lines = edges.split(", ");
  const named = lines.flatMap((line) => line.split(/\s*>\w*[>~]?\s*/u)).filter((id) => id !== "start" && id !== "end");
  const tasks = Object.fromEntries(
    [...new Set([...named, ...Object.keys(given)])].map((id) => [id, given[id] ?? call]),
  );
  const workflow = workflowOf("flow", tasks, lines);
  const flow = createDataFlow(workflow, compileWorkflowGraph(workflow));
  const answer = flow?.before(source, [reader]).get(reader);
  if (answer?.has !== "sometimes") return answer?.has ?? "not asked";
  const { steps, besides, isUnderWay } = answer.way();
  const text = (all: typeof steps) =>
    all.map(({ task, state }) => `${task.replace("workflow_", "")} ${state}`).join(", ");
  return [
    text(steps),
    ...(besides.length > 0 ? [`when ${text(besides)}`] : []),
    ...(isUnderWay ? ["under way"] : []),
  ].join("; ");
}

describe("what has run before a task", () => {
  it("is what every way leads through, and every parallel branch that is waited for", () => {
    expect(before("b reads a", "start > a, a > b, b > end")).toBe("always");
    expect(before("c reads a", "start > a, start > b, a > c, b > c, c > end")).toBe("always");
    expect(before("d reads b", "start > a, a > b, a > c, b > d, c > d, d > end")).toBe("always");
  });

  it("is not what another branch runs: the way says where it turns off", () => {
    expect(before("d reads b", "start > a, a > b, a >failure> c, b > d, c > d, d > end")).toBe(
      "start success, a failure, c success",
    );
    expect(before("c reads b", "start > a, a > b, a >error> c, b > c, c > end")).toBe("start success, a error");
  });

  it("is both branches when each leads to it", () => {
    expect(before("d reads b", "start > a, a > b, a >failure> b2, b2 > b, b > d, d > end")).toBe("always");
  });

  it("may lack what depends on how a parallel branch ends", () => {
    const edges = "start > a, start > b, a > c, a >failure> end, b > d, c > d, d > end";
    expect(before("d reads c", edges)).toBe("start success, b success; when a failure");
    // A task that only errors without a transition for it stops the job.
    expect(before("d reads c", "start > a, start > b, a > c, b > d, c > d, d > end")).toBe("always");
    expect(before("d reads c", "start > a, start > b, a > c, b > d, c > d, d > end", { a: evaluation })).toBe(
      "start success, b success; when a failure",
    );
  });

  it("takes a task to end in one state only: what both transitions of it lead to is run", () => {
    expect(before("e reads d", "start > a, a > b, a > c, a >failure> e, b > d, c > e, d > e, e > end")).toBe(
      "start success, a failure",
    );
    expect(before("e reads d", "start > a, a > b, a > c, b > d, b >failure> d2, d2 > d, c > e, d > e, e > end")).toBe(
      "always",
    );
  });
});

describe("what can never have run before a task", () => {
  it("is the task itself, what comes after it, and what no way leads to", () => {
    const edges = "start > a, a > b, b > end, z > end";
    expect([before("a reads a", edges), before("a reads b", edges), before("a reads z", edges)]).toEqual([
      "never",
      "never",
      "never",
    ]);
    expect(before("z reads a", edges)).toBe("not asked");
  });

  it("is a branch that excludes it; a parallel one may have run", () => {
    expect(before("b reads c", "start > a, a > b, a >failure> c, b > end, c > end")).toBe("never");
    expect(before("b reads c", "start > a, a > b, a > c, b > end, c > end")).toBe("unordered");
    expect(before("b reads c", "start > a, a > b, a >failure> c, start > d, d > b, b > end, c > end")).toBe(
      "unordered",
    );
  });

  it("is what a revert clears: the next pass starts without it", () => {
    expect(before("a reads b", "start > a, a > b, b >failure~ a, b > end")).toBe("never");
  });
});

describe("reverts", () => {
  it("change nothing where their target had run before", () => {
    const edges = "start > a, a > b, b > c, c > d, d >failure~ b, d > end";
    expect([before("c reads a", edges), before("d reads b", edges), before("d reads c", edges)]).toEqual([
      "always",
      "always",
      "always",
    ]);
  });

  it("may start a task that was never come to: then nothing that leads to it need have run", () => {
    const edges = "start > a, a > q, q > b, a >error> x, b >error> x, b > end, x >success~ b, x >failure> end";
    expect(before("b reads q", edges)).toBe("start success, a error, x success");
    expect(before("b reads a", edges)).toBe("always");
    expect(before("x reads q", edges)).toBe("start success, a error");
  });

  it("start their target also while what leads to it is under way", () => {
    const edges = "start > a, start > x, a > b, b > y, x > y, y >error~ b, y > end";
    const early = { y: { ...call, join: "any" } };
    expect(before("b reads a", edges, early)).toBe("start success, x success, y error; under way");
    expect(before("b reads a", edges)).toBe("always");
  });

  it("of a loop at its end do not hide that its body runs", () => {
    const edges = "start > a, a > f, f >loop> b, b > c, f > g, g >loop> h, g >success~ f";
    const loops = { f: { name: "forEach" }, g: { name: "forEach" } };
    expect(before("h reads b", edges, loops)).toBe("start success, a success, f success without an element, g loop");
  });

  it("let a branch see one that excludes it, when they start it after that one", () => {
    const edges = "start > c, c > s, c >failure> t, s > x, t > x, t > v, x >failure~ t, x > end, v > end";
    expect(before("v reads s", edges)).toBe("unordered");
    expect(before("s reads v", edges)).toBe("unordered");
    expect(before("v reads s", edges.replace("x >failure~ t, ", ""))).toBe("never");
  });
});

describe("loops", () => {
  const forEach = { f: { name: "forEach" } };
  const edges = "start > a, a > f, f >loop> b, b > c, f > d, d > end";

  it("show their bodies what came before, the element, and what the body has run", () => {
    for (const question of ["b reads a", "b reads f", "c reads b", "d reads f"])
      expect(before(question, edges, forEach)).toBe("always");
    expect([before("b reads c", edges, forEach), before("b reads d", edges, forEach)]).toEqual(["never", "never"]);
  });

  it("may have no element", () => {
    expect(before("d reads b", edges, forEach)).toBe("start success, a success, f success without an element");
    expect(before("d reads b", edges.replace("a > f", "a > f, f >error> e, e > end"), forEach)).toContain(
      "f success without",
    );
  });
});

describe("joins that do not wait, and cancelling", () => {
  const edges = "start > a, start > b, a > c, b > c, c > d, d > end";

  it("start a task while another one is under way", () => {
    expect(before("c reads a", edges, { c: { ...call, join: "any" } })).toBe("start success, b success; under way");
    expect(before("d reads a", edges, { c: { ...call, join: 1 } })).toBe(
      "start success, b success, c success; under way",
    );
    expect(before("c reads a", edges, { c: { ...call, join: 2 } })).toBe("always");
    expect(before("c reads a", edges, { c: { ...call, join: "all" } })).toBe("always");
  });

  it("may take a task away that is waited for", () => {
    const canceled = "start > a, start > b, start > x, a > c, b > c, x > end, c > end";
    expect(before("c reads a", canceled, { x: { ...call, cancelOthers: ["a"] } })).toBe(
      "start success, b success; when a cancel",
    );
    expect(before("c reads b", canceled, { x: { ...call, cancelOthers: ["a"] } })).toBe("always");
  });
});

describe("compensation", () => {
  it("knows what it undoes and what that one knew; of all else nothing", () => {
    const parts = { b: { ...call, compensation: "u" }, u: call };
    const edges = "start > a, a > b, b > c, c > end";
    expect([before("u reads b", edges, parts), before("u reads a", edges, parts)]).toEqual(["always", "always"]);
    expect([before("u reads c", edges, parts), before("c reads u", edges, parts)]).toEqual(["unordered", "unordered"]);
  });
});

it("nothing is said of a workflow with a cycle of standard transitions", () => {
  expect(before("b reads a", "start > a, a > b, b > a, b > end")).toBe("not asked");
});

it("a workflow of very many tasks and branches is looked at for a bounded time, and the rest is not answered", () => {
  const ids = Array.from({ length: 7_000 }, (_, index) => `t${index}`);
  const edges = ids.flatMap((id, index) => [`start > ${id}`, `${id} > ${ids[index + 1] ?? "end"}`]);
  const workflow = workflowOf("wide", Object.fromEntries(ids.map((id) => [id, call])), edges);
  const flow = createDataFlow(workflow, compileWorkflowGraph(workflow));
  const answered = ids.slice(1).map((reader, index) => flow?.before(ids[index] ?? "", [reader]).size ?? 0);
  expect(answered.at(0)).toBe(1);
  expect(answered.at(-1)).toBe(0);
});
