import type { WorkflowDocument } from "../../src/workflow-engine/workflow-schema.ts";
import { workflowOf } from "../../test/support/workflow-builder.ts";

/*
 * Workflows that are large in one way each. Task identifiers are hexadecimal numbers, as references ask for.
 */

const evaluateCount = (task: string) => ({
  name: "evaluation",
  type: "operation",
  incoming: {
    all_true_flag: true,
    evaluation_groups: [
      {
        all_true_flag: true,
        evaluations: [
          {
            operand_1: { task, variable: "length" },
            operator: ">=",
            operand_2: { task: "static", variable: 3 },
            query: "",
            rightQuery: "",
          },
        ],
      },
    ],
  },
  outgoing: { return_value: "" },
});

const text = (str: string, stringN: string) => ({
  name: "stringConcat",
  incoming: { str, stringN },
  outgoing: { combinedStrings: "" },
});

/** Tasks of a part of the long workflow, its fork included. */
const tasksOfPart = 20;
/** Every so many parts one goes back twice over its last three tasks. */
const partsBetweenReverts = 10;

/**
 * So many engine tasks one after the other, in parts of twenty: in each three tasks side by side, and every tenth
 * part takes its revert transition twice before it goes on.
 */
export function longWorkflow(length: number): WorkflowDocument {
  const tasks: Record<string, object> = {};
  const edges: string[] = [];
  let last = "start";
  for (let part = 0; part < length / tasksOfPart; part++) {
    const id = (n: number): string => (0xa000 + part * tasksOfPart + n).toString(16);
    for (let n = 0; n < tasksOfPart; n++) tasks[id(n)] = text(`part ${part} `, "$var.job.device");
    edges.push(`${last} > ${id(0)}`, ...[1, 2, 3].flatMap((n) => [`${id(0)} > ${id(n)}`, `${id(n)} > ${id(4)}`]));
    for (let n = 5; n < tasksOfPart; n++) edges.push(`${id(n - 1)} > ${id(n)}`);
    if (part % partsBetweenReverts === 0) addRevert(tasks, edges, [id(15), id(16), id(17), id(18)]);
    last = id(tasksOfPart - 1);
  }
  edges.push(`${last} > end`);
  return workflowOf("bench long workflow", tasks, edges);
}

/** Makes a list, and goes back to add to it until three elements are there. */
function addRevert(tasks: Record<string, object>, edges: string[], [list, add, count, check]: string[]): void {
  tasks[list ?? ""] = { name: "newVariable", type: "operation", incoming: { name: "list", value: [] } };
  tasks[add ?? ""] = { name: "push", type: "operation", incoming: { job_variable: "list", item_to_push: 1 } };
  tasks[count ?? ""] = { name: "arrayLength", incoming: { arr: "$var.job.list" }, outgoing: { length: "" } };
  tasks[check ?? ""] = evaluateCount(count ?? "");
  edges.push(`${check} >failure~ ${add}`);
}

/** A forEach over the job variable `items` with a body of two engine tasks. */
export function longLoop(): WorkflowDocument {
  const tasks = {
    a1: {
      name: "forEach",
      type: "operation",
      incoming: { data_array: "$var.job.items" },
      outgoing: { current_item: "" },
    },
    b1: text("interface ", "$var.a1.current_item"),
    b2: { name: "toUpperCase", incoming: { str: "$var.b1.combinedStrings" }, outgoing: { uppercaseString: "" } },
  };
  return workflowOf("bench long loop", tasks, ["start > a1", "a1 >loop> b1", "b1 > b2", "a1 > end"]);
}

/** A loop of child jobs over the job variable `items`, at most 50 at a time. */
export function manyChildren(): WorkflowDocument {
  const a1 = {
    name: "childJob",
    type: "operation",
    actor: "job",
    loop: { maxParallel: 50 },
    incoming: {
      task: "",
      workflow: smallChild().name,
      variables: {},
      data_array: "$var.job.items",
      transformation: "",
      loopType: "parallel",
    },
    outgoing: { job_details: "$var.job.details" },
  };
  return workflowOf("bench many children", { a1 }, ["start > a1", "a1 > end"]);
}

/** What each of these children does. */
export function smallChild(): WorkflowDocument {
  const b1 = { ...text("device ", "$var.job._id"), outgoing: { combinedStrings: "$var.job.title" } };
  return workflowOf("bench small child", { b1 }, ["start > b1", "b1 > end"]);
}

/** A task outside answers much; the value goes to a job variable and into a second task outside. */
export function largeAnswer(): WorkflowDocument {
  const outside = { app: "Bench", location: "Adapter", type: "automatic" };
  const tasks = {
    a1: { ...outside, name: "answer", incoming: { mb: "$var.job.mb" }, outgoing: { result: "$var.job.answer" } },
    b1: { ...outside, name: "take", incoming: { given: "$var.job.answer" }, outgoing: { length: "$var.job.length" } },
  };
  return workflowOf("bench large answer", tasks, ["start > a1", "a1 > b1", "b1 > end"]);
}
