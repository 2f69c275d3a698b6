import { Type } from "@sinclair/typebox";
import { operationOf } from "../core/operation.ts";
import { adminRoles } from "../core/roles.ts";
import { largestPage } from "../core/schemas.ts";
import type { WorkflowEngineServices } from "./workflow-engine-services.ts";

const operation = operationOf<WorkflowEngineServices>();

const Ticket = Type.Object({
  job: Type.String(),
  task: Type.String({ description: "Id of the task within its workflow." }),
  iteration: Type.String({ description: "Identifier of the task's iteration." }),
  within: Type.Optional(
    Type.Array(Type.String(), {
      description:
        "Of a task that waits: the locks that are held by loops and child job tasks around it. Who waits for one of them waits for this task.",
    }),
  ),
});

const LockList = Type.Object({
  results: Type.Array(
    Type.Object({
      key: Type.String({ description: "`name:` or `device:` and the name." }),
      holder: Ticket,
      waiters: Type.Array(Ticket, { description: "Who waits, in order of arrival; the first hundred." }),
      waiting: Type.Integer({ description: "How many wait." }),
    }),
  ),
  skip: Type.Integer(),
  limit: Type.Integer(),
  total: Type.Integer(),
});

/** Seeing the locks of tasks (own addition; spec: control-flow-patterns.md, pattern 39). */
export const lockOperations = [
  operation({
    name: "getLocks",
    method: "GET",
    path: "/workflow_engine/locks",
    summary: "Page of the locks that tasks hold: by whom, and who waits.",
    description:
      "A task with `lock` holds it until its iteration ends. To take a lock from a task, cancel its job, or revert to an earlier task.",
    roles: adminRoles,
    query: Type.Object({
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: largestPage, description: "Page size. Default 100." })),
      skip: Type.Optional(Type.Integer({ minimum: 0, description: "How many locks to pass over." })),
    }),
    response: LockList,
    handle: ({ locks }, { query }) => locks.list(query.skip ?? 0, query.limit ?? 100),
  }),
];
