import { systemCaller, type Caller } from "../../core/caller.ts";
import { accessibleDocuments } from "../../core/group-access.ts";
import type { Store } from "../../store/store.ts";
import {
  chooseTransformation,
  readCandidates,
  transformationReferenceOf,
  type TransformationHeader,
} from "../../transformations/index.ts";
import type { FindModel, TaskModel } from "../interpreter/job-schemas.ts";
import type { WorkflowEnvironment } from "../interpreter/validate-workflow-findings.ts";
import { validateWorkflow, type WorkflowProblems } from "../interpreter/validate-workflow.ts";
import type { WorkflowDocument, WorkflowTask } from "../workflow-schema.ts";
import { hasWorkflowShape } from "./workflow-outline.ts";

/** The model of a task's method; `"unknown app"` when its application or adapter type is not installed. */
export type FindTaskModel = (task: WorkflowTask) => TaskModel | "unknown app" | undefined;

/** The models only: for schemas an unknown application is no different from an unknown method. */
export function modelsOnly(findTask: FindTaskModel): FindModel {
  return (task) => {
    const model = findTask(task);
    return model === "unknown app" ? undefined : model;
  };
}

/** A workflow to validate, and the project it belongs to. */
export interface WorkflowToValidate {
  workflow: WorkflowDocument;
  projectId?: string | undefined;
}

/** Documents that are stored together with the workflows under validation, so that they count as known. */
export interface ComingDocuments {
  transformations: readonly TransformationHeader[];
  workflowNames: readonly string[];
}

const nothingComing: ComingDocuments = { transformations: [], workflowNames: [] };

/** What workflows are validated against. */
interface Surroundings {
  store: Store;
  findTask: FindTaskModel;
  /** Who asks: workflows that this caller may not see do not exist. Default: the platform itself. */
  caller?: Caller;
}

/** Validates workflows against what is stored: three reads at most, whatever their number. Problems are in the order of the workflows. */
export async function validateTogether(
  { store, findTask, caller = systemCaller }: Surroundings,
  workflows: readonly WorkflowToValidate[],
  coming: ComingDocuments = nothingComing,
): Promise<WorkflowProblems[]> {
  const references = workflows.flatMap(({ workflow, projectId }) =>
    tasksOf(workflow).flatMap((task) => transformationReferenceOf(task, projectId) ?? []),
  );
  const stored = await readCandidates(store, references);
  const candidates = [...coming.transformations, ...stored];
  const names = new Set([...coming.workflowNames, ...(await knownWorkflowNames(store, workflows, caller))]);
  return workflows.map(({ workflow, projectId }) => {
    const environment: WorkflowEnvironment = {
      findTask,
      hasWorkflow: (name) => names.has(name) || name === workflow.name,
      hasTransformation(task) {
        const reference = transformationReferenceOf(task, projectId);
        return reference === undefined || chooseTransformation(reference, candidates) !== undefined;
      },
    };
    return validateWorkflow(workflow, environment);
  });
}

async function knownWorkflowNames(
  store: Store,
  workflows: readonly WorkflowToValidate[],
  caller: Caller,
): Promise<string[]> {
  const called = workflows
    .flatMap(({ workflow }) => tasksOf(workflow))
    .map((task) => (task.name === "childJob" ? task.variables?.incoming?.["workflow"] : undefined))
    .filter((name): name is string => typeof name === "string" && name !== "");
  if (called.length === 0) return [];
  const found = await store.find<{ name: string }>(
    "workflows",
    accessibleDocuments(caller, { name: { $in: [...new Set(called)] } }),
    { fields: { name: 1 } },
  );
  return found.map((workflow) => workflow.name);
}

// A document that is not quite a workflow may have anything in its tasks; its validation says so.
function tasksOf(workflow: WorkflowDocument): WorkflowTask[] {
  return hasWorkflowShape(workflow) ? Object.values(workflow.tasks) : [];
}
