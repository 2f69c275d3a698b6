import { Type } from "@sinclair/typebox";
import type { Caller } from "../core/caller.ts";
import { badRequest } from "../core/errors.ts";
import { lightOrHeavy } from "../core/heavy-work.ts";
import type { JsonObject } from "../core/json.ts";
import { operationOf } from "../core/operation.ts";
import { readRoles } from "../core/roles.ts";
import { NameParams } from "../core/schemas.ts";
import { TaskError } from "../core/task.ts";
import type { WorkerPool } from "../worker-pool/index.ts";
import { evaluateGroups, type Evaluations } from "./interpreter/evaluation.ts";
import { findForwardPaths } from "./interpreter/forward-paths.ts";
import { queryPath } from "./interpreter/query-path.ts";
import { patternAllowance } from "./interpreter/regular-expression.ts";
import type { WorkflowEngineServices } from "./workflow-engine-services.ts";
import { Transitions, WorkflowTask } from "./workflow-schema.ts";
import { validateAsAsked, workflowValidation } from "./workflow-validation.ts";
import { WorkflowOutline } from "./workflows/workflow-outline.ts";

const operation = operationOf<WorkflowEngineServices>();

const Evaluation = Type.Object(
  {
    operand_1: Type.Optional(Type.Unknown()),
    operator: Type.String({ description: "contains, !contains, <, <=, >, >=, == or !=; any other is never true." }),
    operand_2: Type.Optional(Type.Unknown()),
    query: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: "Applied to operand_1." })),
    rightQuery: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: "Applied to operand_2." })),
  },
  { additionalProperties: true },
);
const isAllTrue = Type.Optional(Type.Boolean({ description: "true: all must hold; false (default): one is enough." }));
const evaluationOptions = Type.Optional(Type.Object({ strictTypes: Type.Optional(Type.Boolean()) }));
const Group = Type.Object(
  { all_true_flag: isAllTrue, evaluations: Type.Array(Evaluation) },
  { additionalProperties: true },
);

/** What helps to write and try workflows, older family (workflow-engine.md §8.7). Nothing is stored or run. */
export const workflowHelpOperations = [
  operation({
    name: "getWorkflowsDetailedByName",
    method: "GET",
    path: "/workflow_engine/workflows/detailed/:name",
    summary: "Show the workflow of this name.",
    roles: readRoles,
    params: NameParams,
    response: WorkflowOutline,
    handle: ({ workflows }, { params, caller }) => workflows.get(params.name, caller),
  }),
  operation({
    name: "checkWorkflowForJobVariables",
    method: "GET",
    path: "/workflow_engine/workflows/variables/:name",
    summary: "Job variables a workflow is started with, each with its schema.",
    roles: readRoles,
    params: NameParams,
    response: Type.Record(Type.String(), Type.Unknown()),
    handle: async ({ workflows }, { params, caller }) => {
      const { inputSchema } = await workflows.get(params.name, caller);
      return (inputSchema as { properties?: JsonObject } | undefined)?.properties ?? {};
    },
  }),
  operation({
    name: "runValidation",
    method: "POST",
    path: "/workflow_engine/workflows/validate",
    summary: "Find the errors and doubtful places of a workflow. Errors keep it from being started.",
    ...workflowValidation,
    roles: readRoles,
    handle: ({ workflows }, { body, caller }) => validateAsAsked(workflows, body, caller),
  }),
  operation({
    name: "findForwardPaths",
    method: "POST",
    path: "/workflow_engine/findForwardPaths",
    summary: "All ways forward from one task to another, each a list of task ids.",
    roles: readRoles,
    body: Type.Object({
      start_task: Type.String(),
      end_task: Type.String(),
      workflow_details: Type.Object(
        { tasks: Type.Record(Type.String(), WorkflowTask), transitions: Transitions },
        { additionalProperties: true },
      ),
    }),
    response: Type.Array(Type.Array(Type.String())),
    handle: (_services, { body }) => findForwardPaths(body.workflow_details, body.start_task, body.end_task),
  }),
  operation({
    name: "query",
    method: "POST",
    path: "/workflow_engine/query",
    summary: "Pick a value out of data by a path query: what the task query gives.",
    description: "Null where nothing is found. `job_id` is accepted because older clients send it.",
    roles: readRoles,
    body: Type.Object({
      pass_on_null: Type.Optional(Type.Boolean()),
      query: Type.String(),
      obj: Type.Unknown(),
      job_id: Type.Optional(Type.String()),
    }),
    response: Type.Unknown(),
    handle: ({ pool }, { body, caller }) =>
      compute("/body/query", async () => {
        const result = await lightOrHeavy(
          () => queryPath(body.query, body.obj, patternAllowance()),
          () => pool.run("runQuery", { query: body.query, value: body.obj }, { key: caller.accountId }),
        );
        return result.value ?? null;
      }),
  }),
  operation({
    name: "runEvaluationGroup",
    method: "POST",
    path: "/workflow_engine/runEvaluationGroup",
    summary: "Try one group of comparisons of plain values.",
    roles: readRoles,
    body: Type.Object({
      evaluation_group: Type.Array(Evaluation),
      all_true_flag: isAllTrue,
      options: evaluationOptions,
    }),
    response: Type.Boolean(),
    handle: ({ pool }, { body, caller }) => {
      const group = { all_true_flag: body.all_true_flag ?? false, evaluations: body.evaluation_group };
      const asked = { groups: [group], isAllTrue: true, isStrict: body.options?.strictTypes ?? false };
      return evaluate(asked, pool, caller);
    },
  }),
  operation({
    name: "runEvaluationGroups",
    method: "POST",
    path: "/workflow_engine/runEvaluationGroups",
    summary: "Try several groups of comparisons of plain values together.",
    roles: readRoles,
    // The documented name is singular here too; the plural is what people expect.
    body: Type.Object({
      evaluation_group: Type.Optional(Type.Array(Group)),
      evaluation_groups: Type.Optional(Type.Array(Group)),
      all_true_flag: isAllTrue,
      options: evaluationOptions,
    }),
    response: Type.Boolean(),
    handle: ({ pool }, { body, caller }) => {
      const groups = body.evaluation_group ?? body.evaluation_groups;
      if (!groups) throw missing("evaluation_group");
      const asked = { groups, isAllTrue: body.all_true_flag ?? false, isStrict: body.options?.strictTypes ?? false };
      return evaluate(asked, pool, caller);
    },
  }),
];

function evaluate(asked: Evaluations, pool: WorkerPool, { accountId }: Caller): Promise<boolean> {
  return compute("/body/evaluation_group", () =>
    lightOrHeavy(
      () => evaluateGroups({ ...asked, allowance: patternAllowance() }),
      () => pool.run("runEvaluation", asked, { key: accountId }),
    ),
  );
}

/** Computes; what a task would finish in error with is the caller's mistake here, at this place. */
async function compute<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TaskError) throw badRequest(error.message, [{ path, message: error.message }]);
    throw error;
  }
}

function missing(member: string) {
  return badRequest(`${member} is missing`, [{ path: `/body/${member}`, message: "is missing" }]);
}
