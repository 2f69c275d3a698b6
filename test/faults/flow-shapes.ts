import { workflowOf } from "../support/workflow-builder.ts";
import { call, childJob, delay, equals, length, push } from "./shape-tasks.ts";
import type { Shape } from "./shape.ts";

const edges = (text: string) => text.split(", ");

/** Shapes of what tasks may ask for beyond their transitions: locks, joins that count and cancel, limits of loops, compensation. */
export const flowShapes: readonly Shape[] = [
  {
    // All jobs of this shape want the same lock; two tasks of each at once.
    workflow: workflowOf(
      "fault lock",
      {
        a1: { ...delay(0.1), lock: "fault section" },
        b1: { ...call, lock: "fault section" },
        a2: push("seen", "one"),
        b2: push("seen", "one"),
        c: length,
      },
      edges("start > a1, start > b1, a1 > a2, b1 > b2, a2 > c, b2 > c, c > end"),
    ),
    variables: { seen: [] },
  },
  {
    // What is canceled here waits for times that never come, and for a lock that another job holds as vainly.
    workflow: workflowOf(
      "fault first come",
      {
        a1: call,
        b1: delay(3_600),
        b2: { ...delay(3_600), lock: "fault vain" },
        c1: { ...push("seen", "first"), join: "any", cancelOthers: true },
        c2: { ...call, cancelOthers: ["d1"] },
        d1: delay(3_600),
        d2: push("seen", "never"),
      },
      edges(
        "start > a1, start > b1, start > b2, start > d1, a1 > c1, b1 > c1, b2 > c1, c1 > c2, c2 > end, d1 > d2, d2 > end",
      ),
    ),
    variables: { seen: [] },
  },
  {
    workflow: workflowOf(
      "fault loop limits",
      {
        c1: { ...childJob("fault child", "parallel"), loop: { maxParallel: 2 } },
        c2: { ...childJob("fault failing child", "sequential"), loop: { stopWhen: { failed: 1 } } },
        a1: push("seen", "all"),
        a2: push("seen", "stopped"),
      },
      ["start > c1", "c1 > c2", "c2 > a1", "c2 >failure> a2", "a1 > end", "a2 > end"],
    ),
    variables: {
      list: [
        { text: "a", options: { limit: 1 } },
        { text: "b", options: { limit: -1 } },
        { text: "c", options: { limit: 1 } },
      ],
      seen: [],
    },
  },
  {
    workflow: workflowOf(
      "fault compensation",
      {
        a1: { ...call, compensation: "f1" },
        f1: call,
        a2: { ...push("seen", "made"), compensation: "f2" },
        f2: push("seen", "undone"),
        a3: length,
        a4: equals("count", 3),
        c1: childJob("fault canceled child", ""),
      },
      ["start > a1", "a1 > a2", "a2 > a3", "a3 > a4", "a4 >failure~ a1", "a4 > c1", "c1 > end"],
    ),
    variables: { seen: [] },
  },
];
