import type { Transitions, WorkflowDocument, WorkflowTask } from "../../src/workflow-engine/workflow-schema.ts";

type TaskParts = Partial<WorkflowTask> & {
  incoming?: Record<string, unknown>;
  outgoing?: Record<string, unknown>;
  error?: unknown;
};

/**
 * A workflow from a short notation: edges are `from > to`, `from >failure> to`, `from >success~ to`
 * (`~` instead of the second `>` makes it a revert transition). `start` and `end` stand for the two
 * fixed tasks.
 */
export function workflowOf(name: string, tasks: Record<string, TaskParts>, edges: readonly string[]): WorkflowDocument {
  const documents: Record<string, WorkflowTask> = {
    workflow_start: { name: "workflow_start", groups: [] },
    workflow_end: { name: "workflow_end", groups: [] },
  };
  for (const [taskId, parts] of Object.entries(tasks)) documents[taskId] = taskOf(parts);
  return {
    name,
    type: "automation",
    tasks: documents,
    transitions: transitionsOf(Object.keys(documents), edges),
    inputSchema: { type: "object", properties: {}, required: [] },
    outputSchema: { type: "object", properties: {} },
    groups: [],
    tags: [],
  };
}

function taskOf({ incoming, outgoing, error, ...parts }: TaskParts): WorkflowTask {
  return {
    name: "stub",
    summary: "a task",
    description: "a task",
    app: "WorkFlowEngine",
    location: "Application",
    type: "automatic",
    displayName: "WorkFlowEngine",
    groups: [],
    ...parts,
    variables: {
      incoming: incoming ?? {},
      outgoing: outgoing ?? {},
      ...(error === undefined ? {} : { error }),
      decorators: [],
    },
  };
}

function transitionsOf(taskIds: readonly string[], edges: readonly string[]): Transitions {
  const transitions: Transitions = Object.fromEntries(taskIds.map((taskId) => [taskId, {}]));
  for (const edge of edges) {
    const match = /^(\S+)\s*>(?:(\w+)([>~]))?\s*(\S+)$/u.exec(edge);
    if (!match) throw new Error(`not an edge: ${edge}`);
    const [, from = "", state = "success", kind, to = ""] = match;
    const target = { state: state as "success", type: kind === "~" ? ("revert" as const) : ("standard" as const) };
    const source = transitions[fixedId(from)];
    if (!source) throw new Error(`no such task: ${from}`);
    source[fixedId(to)] = target;
  }
  return transitions;
}

function fixedId(id: string): string {
  return id === "start" ? "workflow_start" : id === "end" ? "workflow_end" : id;
}
