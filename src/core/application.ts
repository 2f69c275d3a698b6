import type { TObject } from "@sinclair/typebox";
import type { Operation } from "./operation.ts";
import type { RoleName } from "./roles.ts";
import type { Task } from "./task.ts";

/** How an application writes its errors (decision 5). `object`: the one error body; `string`: the message as a JSON string; `status`: JSON forms. */
export type ErrorStyle = "object" | "string" | "status";

/** A page of an application, shown to people who may open it. */
export interface View {
  path: string;
  title: string;
  /** Roles that may open it. Absent: every role of the application. */
  roles?: readonly RoleName[];
}

/** One application of the product: everything the platform needs to serve, document and manage it. */
export interface Application<Services = unknown> {
  /** Export name of the field, e.g. `WorkFlowEngine`; the provenance of its roles and methods. */
  id: string;
  /** Name for people. */
  name: string;
  summary: string;
  errorStyle?: ErrorStyle;
  operations: readonly Operation<Services>[];
  tasks?: readonly Task[];
  views?: readonly View[];
  propertiesSchema?: TObject;
}

/** An application together with the services its handlers work on. */
export interface HostedApplication {
  application: Application;
  services: unknown;
  start?(): Promise<void>;
  stop?(): Promise<void>;
}

/** Pairs an application with its services. */
export function host<Services>(application: Application<Services>, services: Services): HostedApplication {
  return { application: application as Application, services };
}
