import { Type } from "@sinclair/typebox";
import type { Method, Operation } from "./operation.ts";
import type { RoleName } from "./roles.ts";

/** Method and path in one text, e.g. `GET /adapters/:name`. */
export type Route = `${Method} /${string}`;

/**
 * An operation that is documented but not built yet: routed, access-checked and answered 501.
 * Whoever builds it replaces this row by one with schemas and a handler.
 */
export function planned(name: string, route: Route, summary: string, roles: readonly RoleName[]): Operation {
  return { name, ...splitRoute(route), summary, roles, response: Type.Unknown() };
}

/** The same operation, reachable under further spellings that shipped clients call (decision 1). */
export function withAliases(operation: Operation, ...routes: readonly Route[]): Operation {
  return { ...operation, aliases: routes.map(splitRoute) };
}

function splitRoute(route: Route): { method: Method; path: string } {
  const blank = route.indexOf(" ");
  return { method: route.slice(0, blank) as Method, path: route.slice(blank + 1) };
}
