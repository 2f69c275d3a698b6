import type { HostedApplication } from "./core/application.ts";
import type { Caller } from "./core/caller.ts";
import { PlatformError } from "./core/errors.ts";
import type { Logger } from "./core/logger.ts";
import { Reply, type Operation } from "./core/operation.ts";
import { TaskError, type TaskResult } from "./core/task.ts";
import { createValidatorFactory, type PartsCheck } from "./core/validation/validator.ts";
import { WorkerPoolError } from "./worker-pool/index.ts";
import { requireParsed, type TaskCall, type TaskCaller } from "./workflow-engine/index.ts";

/** One operation as workflows call it. */
interface CallableOperation {
  applicationId: string;
  operation: Operation;
  services: unknown;
  check: PartsCheck;
}

/**
 * Offers operations marked as tasks to workflows: incoming variables go to the part of the request
 * that has a member of their name, the same validation and handler serve both, and the reply becomes
 * the task's outgoing variable. A failure of any kind is a result in `error` with the field's error object,
 * but for a store that is away and a pool that takes no work now, which are thrown.
 */
export function createApplicationTasks(applications: readonly HostedApplication[], logger: Logger): TaskCaller {
  // Collected at the first call: the applications are hosted after the engine that calls them is made.
  let collected: Map<string, CallableOperation> | undefined;
  return {
    async call({ task, incoming, caller }: TaskCall): Promise<TaskResult> {
      const origin = `${task.app ?? ""}.${task.name}`;
      collected ??= collect(applications);
      const target = collected.get(origin);
      if (!target) return failed(origin, unreachable(task.location, origin), "NOT_FOUND");
      try {
        for (const [name, value] of Object.entries(incoming)) requireParsed(name, value);
        return await callOperation(target, incoming, caller);
      } catch (error) {
        // The work item stays, and the call is made again when the store is back, or a worker is to be had.
        if (error instanceof Error && error.name === "StoreUnavailableError") throw error;
        if (error instanceof WorkerPoolError) throw error;
        if (error instanceof TaskError) return failed(origin, error.message, "BAD_REQUEST");
        if (error instanceof PlatformError) return failed(origin, error.message, error.code);
        logger.error("a task failed unexpectedly", { task: origin, error: String(error) });
        return failed(origin, "The task failed for a reason inside the platform", "INTERNAL_ERROR");
      }
    },
  };
}

function collect(applications: readonly HostedApplication[]): Map<string, CallableOperation> {
  const validators = createValidatorFactory();
  const callable = new Map<string, CallableOperation>();
  for (const { application, services } of applications) {
    for (const operation of application.operations) {
      if (!operation.task || !operation.handle) continue;
      const { params, query, body } = operation;
      const parts = { ...(params ? { params } : {}), ...(query ? { query } : {}), ...(body ? { body } : {}) };
      callable.set(`${application.id}.${operation.name}`, {
        applicationId: application.id,
        operation,
        services,
        check: validators.forJson(parts),
      });
    }
  }
  return callable;
}

async function callOperation(
  target: CallableOperation,
  incoming: Record<string, unknown>,
  caller: Caller,
): Promise<TaskResult> {
  const { operation, services } = target;
  checkAccess(target, caller);
  const parts = distribute(operation, incoming);
  const details = target.check(parts, 0);
  if (details.length > 0) {
    const named = details.map(({ path, message }) => `${path} ${message}`).join("; ");
    throw new PlatformError("BAD_REQUEST", `Schema validation failed on ${named}`, details);
  }
  const request = { ...parts, caller, headers: {} };
  const answered = await operation.handle?.(services, request as never);
  const body = answered instanceof Reply ? answered.body : answered;
  const value = operation.task?.select ? operation.task.select(body) : body;
  return { finishState: "success", outgoing: { [operation.task?.outgoing ?? "result"]: value } };
}

/** A task that acts for a person may do what that person may (decision 14); one that acts for the platform, everything. */
function checkAccess({ applicationId, operation }: CallableOperation, caller: Caller): void {
  if (typeof operation.roles === "string" || caller.isAllowed(applicationId, operation.name)) return;
  throw new PlatformError("FORBIDDEN", `${caller.username} may not use ${applicationId}.${operation.name}`);
}

/** Puts each incoming variable into the part of the request that has a member of its name; `""` and null mean "not given". */
function distribute(operation: Operation, incoming: Record<string, unknown>) {
  const parts: Record<"params" | "query" | "body", Record<string, unknown>> = { params: {}, query: {}, body: {} };
  for (const name of operation.task?.incoming ?? []) {
    const value = incoming[name];
    if (value === undefined || value === null || value === "") continue;
    if (operation.params && name in operation.params.properties) parts.params[name] = value;
    else if (operation.query && name in operation.query.properties) parts.query[name] = value;
    else parts.body[name] = value;
  }
  return parts;
}

function unreachable(location: string | undefined, origin: string): string {
  return location === "Adapter" ? `No adapter serves ${origin}` : `Method not found: ${origin}`;
}

function failed(origin: string, displayString: string, code: string): TaskResult {
  const error = { icode: "AD.500", IAPerror: { origin, displayString, recommendation: null, code } };
  return { finishState: "error", outgoing: {}, error };
}
