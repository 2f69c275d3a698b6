import { Type } from "@sinclair/typebox";
import { operationOf } from "../core/operation.ts";
import { adminRoles, readRoles } from "../core/roles.ts";
import type { WorkflowEngineServices } from "./workflow-engine-services.ts";
import type { WorkerName } from "./worker-switches.ts";

const operation = operationOf<WorkflowEngineServices>();

const setting = Type.Union(["enabled", "disabled", "not defined"].map((value) => Type.Literal(value)));
const WorkerStatusSchema = Type.Object({
  running: Type.Boolean({ description: "Does it work on the node that answers?" }),
  clusterValue: setting,
  localValue: setting,
  startupValue: Type.Boolean({ description: "How a node begins where nothing is set." }),
});

const titles: Readonly<Record<WorkerName, string>> = { jobWorker: "job worker", taskWorker: "task worker" };
const meanings: Readonly<Record<WorkerName, string>> = {
  taskWorker:
    "While it is off, jobs may start and move on, and calls of automatic tasks wait; none is lost. Calls under way end. Delays and retries come due, and what the engine computes itself is computed. Holds for all nodes, within a second.",
  jobWorker:
    "While it is off, starts are answered 503 and child jobs wait. Jobs under way go on. Holds for all nodes, within a second.",
};

/** Switching the engine's workers, on all nodes at once (workflow-engine.md §8.1). */
export const workerOperations = [
  switching("activate", "/workflow_engine/activate", { worker: "taskWorker", isEnabled: true }),
  switching("deactivate", "/workflow_engine/deactivate", { worker: "taskWorker", isEnabled: false }),
  switching("activateJobWorker", "/workflow_engine/jobWorker/activate", { worker: "jobWorker", isEnabled: true }),
  switching("deactivateJobWorker", "/workflow_engine/jobWorker/deactivate", { worker: "jobWorker", isEnabled: false }),
  operation({
    name: "isActive",
    method: "GET",
    path: "/workflow_engine/active",
    summary: "Tell whether the task worker is switched on.",
    deprecated: true,
    roles: readRoles,
    response: Type.Boolean(),
    handle: async ({ workers }) => (await workers.statuses()).taskWorker.running,
  }),
  operation({
    name: "getWorkerStatuses",
    method: "GET",
    path: "/workflow_engine/workers/status",
    summary: "Tell how the task worker and the job worker are.",
    description: "`localValue` is never defined: a switch holds for all nodes.",
    roles: readRoles,
    response: Type.Object({ jobWorker: WorkerStatusSchema, taskWorker: WorkerStatusSchema }),
    handle: ({ workers }) => workers.statuses(),
  }),
];

/** The reply is true: the switch is set. */
function switching(name: string, path: string, { worker, isEnabled }: { worker: WorkerName; isEnabled: boolean }) {
  return operation({
    name,
    method: "POST",
    path,
    summary: `Switch the ${titles[worker]} ${isEnabled ? "on" : "off"}.`,
    description: meanings[worker],
    roles: adminRoles,
    response: Type.Boolean(),
    handle: async ({ workers }, { caller }) => {
      await workers.set(worker, isEnabled, caller);
      return true;
    },
  });
}
