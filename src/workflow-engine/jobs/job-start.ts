import type { Caller } from "../../core/caller.ts";
import { badRequest, notFound, PlatformError } from "../../core/errors.ts";
import { mayAccessDocument } from "../../core/group-access.ts";
import type { Identifiers } from "../../core/identifiers.ts";
import { VersionConflictError } from "../../store/store.ts";
import type { CompiledWorkflow } from "../interpreter/compiled-workflow.ts";
import type { JobOrigin, JobState, Mock } from "../interpreter/job-state.ts";
import type { JobRunner } from "./job-runner.ts";
import { documentIn, type PreparedWorkflow, type WorkflowSnapshots } from "./workflow-snapshots.ts";

/** How a job is to be started. */
export interface StartOptions {
  description?: string | undefined;
  variables?: Record<string, unknown> | undefined;
  groups?: readonly string[] | undefined;
  mocks?: Readonly<Record<string, Mock>> | undefined;
}

/** A job that was started. */
export interface StartedJob {
  state: JobState;
  workflow: CompiledWorkflow;
}

/** Starts the named workflow as it is at that moment, for a caller who may see it. `meanwhile`: as of `Creation`. */
export type JobStart = (
  name: string,
  options: StartOptions,
  caller: Caller,
  meanwhile: (job: StartedJob) => void,
) => Promise<StartedJob>;

/** What starts need. */
export interface JobStartServices {
  runner: Pick<JobRunner, "create">;
  snapshots: WorkflowSnapshots;
  identifiers: Identifiers;
}

/**
 * Starts jobs. The workflow is taken as this node knows it, and the commit of the job requires that it is still so:
 * the usual start asks the store nothing. Everything else looks the workflow up first.
 */
export function createJobStart(services: JobStartServices): JobStart {
  const { runner, snapshots } = services;

  const create = async (
    prepared: PreparedWorkflow,
    ...[, options, caller, meanwhile]: Parameters<JobStart>
  ): Promise<StartedJob> => {
    const workflow = prepared.compiled;
    const state = await runner.create(originOf(services, prepared, options, caller), prepared, {
      meanwhile: (created) => meanwhile({ state: created, workflow }),
    });
    return { state, workflow };
  };

  /** Undefined: the workflow may be another one by now, and nothing was started. */
  const startKnown = async (...start: Parameters<JobStart>): Promise<StartedJob | undefined> => {
    const [name, options, caller] = start;
    const known = snapshots.recall(name);
    if (!known || !mayAccessDocument(documentIn(known), caller)) return undefined;
    if (unknownMocks(known.compiled, options.mocks).length > 0) return undefined;
    try {
      return await create(known, ...start);
    } catch (error) {
      if (error instanceof VersionConflictError) return undefined;
      throw error;
    }
  };

  return async (...start) => {
    const started = await startKnown(...start);
    if (started) return started;
    const [name, options, caller] = start;
    const prepared = await prepare(snapshots, name, caller);
    checkMocks(prepared.compiled, options.mocks);
    return create(prepared, ...start);
  };
}

async function prepare(snapshots: WorkflowSnapshots, name: string, caller: Caller): Promise<PreparedWorkflow> {
  const prepared = await snapshots.prepare(name);
  if (!prepared || !mayAccessDocument(documentIn(prepared), caller)) throw notFound(`Cannot find workflow ${name}`);
  if ("hash" in prepared) return prepared;
  const { errors } = prepared;
  throw new PlatformError(
    "UNPROCESSABLE",
    `Workflow ${name} has errors and cannot be started: ${errors[0]?.message ?? ""}`,
    errors.map((error) => ({ path: `/tasks/${error.task}`, message: error.message })),
  );
}

function unknownMocks(workflow: CompiledWorkflow, mocks: StartOptions["mocks"] = {}): string[] {
  return Object.keys(mocks).filter((taskId) => !workflow.task(taskId));
}

function checkMocks(workflow: CompiledWorkflow, mocks: StartOptions["mocks"]): void {
  const unknown = unknownMocks(workflow, mocks);
  if (unknown.length === 0) return;
  const details = unknown.map((taskId) => ({
    path: `/body/options/mocks/${taskId}`,
    message: "the workflow has no such task",
  }));
  throw badRequest(`Mocks for tasks the workflow does not have: ${unknown.join(", ")}`, details);
}

function originOf(
  { identifiers }: JobStartServices,
  prepared: PreparedWorkflow,
  options: StartOptions,
  caller: Caller,
): JobOrigin {
  const { workflow } = prepared.compiled.snapshot;
  return {
    _id: identifiers.documentId(),
    snapshot: prepared.hash,
    workflowId: workflow._id ?? "",
    name: workflow.name,
    variables: options.variables ?? {},
    initiator: { accountId: caller.accountId, username: caller.username },
    groups: options.groups ?? [],
    ancestors: [],
    ...(options.description === undefined ? {} : { description: options.description }),
    ...(options.mocks && Object.keys(options.mocks).length > 0 ? { mocks: options.mocks } : {}),
  };
}
