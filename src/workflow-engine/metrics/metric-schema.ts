import { Type, type Static } from "@sinclair/typebox";

/** Most rows of a page. */
export const largestMetricPage = 100;
/** Days that are looked at when the request does not say since when. */
export const defaultDays = 30;

const Count = Type.Integer({ minimum: 0 });
const Milliseconds = Type.Integer({ minimum: 0, description: "Milliseconds." });
const StartDate = Type.Integer({
  description: "When the day (UTC) begins, in milliseconds since the epoch.",
});
const Workflow = Type.Object({ _id: Type.String(), name: Type.String() });

/** The figures of a workflow on one day. */
export const JobDay = Type.Object({
  startDate: StartDate,
  jobsComplete: Count,
  totalRunTime: Milliseconds,
  slaTargetsMissed: Count,
  totalManualTime: Milliseconds,
});
export type JobDay = Static<typeof JobDay>;

/** The figures of a workflow. */
export const JobMetrics = Type.Object({
  _id: Type.String(),
  workflow: Workflow,
  metrics: Type.Array(JobDay),
  jobsComplete: Count,
  totalRunTime: Milliseconds,
  preAutomationTime: Type.Optional(
    Type.Number({ description: "How long the work takes without automation, as the workflow says, in milliseconds." }),
  ),
});
export type JobMetrics = Static<typeof JobMetrics>;

/** The figures of a task on one day. */
export const TaskDay = Type.Object({
  startDate: StartDate,
  totalSuccesses: Count,
  totalFailures: Count,
  totalErrors: Count,
  totalRunTime: Milliseconds,
});
export type TaskDay = Static<typeof TaskDay>;

/** The figures of a task of a workflow, or of all tasks of one application and name. */
export const TaskMetrics = Type.Object({
  _id: Type.String(),
  taskId: Type.Optional(Type.String({ description: "Absent in a global row." })),
  taskType: Type.String(),
  name: Type.String(),
  app: Type.String(),
  global: Type.Boolean({ description: "True: of all workflows together." }),
  workflow: Type.Optional(Workflow),
  metrics: Type.Array(TaskDay),
});
export type TaskMetrics = Static<typeof TaskMetrics>;

/** A page of rows. */
export function MetricPage<Row extends typeof JobMetrics | typeof TaskMetrics>(row: Row) {
  return Type.Object({ results: Type.Array(row), skip: Count, limit: Count, total: Count });
}

function fieldOf<const Names extends readonly string[]>(names: Names, description: string) {
  return Type.Optional(
    Type.Union(
      names.map((name) => Type.Literal(name)),
      { description },
    ),
  );
}

/** Query of the lists of figures (workflow-engine.md §8.6) whose rows have these fields. */
function metricQuery(texts: readonly string[], sorts: readonly string[]) {
  return Type.Object({
    limit: Type.Optional(
      Type.Integer({ minimum: 0, maximum: largestMetricPage, description: "Rows of a page. Default 100." }),
    ),
    skip: Type.Optional(Type.Integer({ minimum: 0, description: "How many rows to pass over." })),
    order: Type.Optional(
      Type.Union([Type.Literal(1), Type.Literal(-1)], { description: "1: ascending (default), -1: descending." }),
    ),
    sort: fieldOf([...texts, ...sorts], "Field to sort by. Default `workflow.name`."),
    contains: Type.Optional(Type.String({ description: "Text that `containsField` contains, in either case." })),
    containsField: fieldOf(texts, "Field that `contains` looks at. Default `workflow.name`."),
    equals: Type.Optional(Type.String({ description: "Text that `equalsField` is." })),
    equalsField: fieldOf(texts, "Field that `equals` looks at. Default `workflow.name`."),
    greaterThanEquals: Type.Optional(
      Type.Number({
        minimum: 0,
        // Days are texts, and four digits of the year are enough for their order.
        maximum: 253_402_214_400_000,
        description: `Days that begin then or later, in milliseconds since the epoch. Default: the last ${defaultDays} days.`,
      }),
    ),
    greaterThanEqualsField: fieldOf(["metrics.startDate"], "Field that `greaterThanEquals` looks at."),
  });
}

/** Query of the figures of jobs. */
export const JobMetricQuery = metricQuery(["workflow.name", "workflow._id"], ["jobsComplete", "totalRunTime"]);
/** Query of the figures of tasks. */
export const TaskMetricQuery = metricQuery(
  ["workflow.name", "workflow._id", "app", "name", "taskId", "taskType"],
  ["global"],
);
export type MetricQuery = Static<typeof JobMetricQuery>;
