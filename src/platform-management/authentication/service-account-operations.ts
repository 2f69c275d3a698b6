import { Type } from "@sinclair/typebox";
import { operationOf } from "../../core/operation.ts";
import { adminRoles, managementReadRoles } from "../../core/roles.ts";
import { ChangeReply, CoreListQuery, ListReply } from "../../core/schemas.ts";
import type { AuthenticationServices } from "./authentication-services.ts";

const operation = operationOf<AuthenticationServices>();
const Name = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: "^[^:\\u0000-\\u001f\\u007f]*[^:\\s\\u0000-\\u001f\\u007f]$",
});
const description = Type.Optional(Type.String({ maxLength: 10_000 }));
const ClientParams = Type.Object({ client_id: Type.String({ minLength: 1 }) });
const Entry = Type.Object({
  client_id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  inactive: Type.Boolean(),
  created: Type.String(),
});

/** Service accounts: spec `platform-management.md` §2.4. */
export const serviceAccountOperations = [
  operation({
    name: "createServiceAccount",
    method: "POST",
    path: "/oauth/serviceAccounts",
    summary: "Create a service account; its secret is shown this once.",
    roles: adminRoles,
    body: Type.Object({ accountData: Type.Object({ name: Name, description }) }),
    response: Type.Object({ client_secret: Type.String(), ...Entry.properties }),
    handle: ({ serviceAccounts }, { body }) => serviceAccounts.create(body.accountData),
  }),
  operation({
    name: "getServiceAccounts",
    method: "GET",
    path: "/oauth/serviceAccounts",
    summary: "Get all service accounts.",
    roles: managementReadRoles,
    query: CoreListQuery,
    response: ListReply(Entry),
    handle: ({ serviceAccounts }, { query }) => serviceAccounts.list(query),
  }),
  operation({
    name: "updateServiceAccount",
    method: "PATCH",
    path: "/oauth/serviceAccounts/:client_id",
    summary: "Change the description of a service account, or switch it on or off.",
    roles: adminRoles,
    params: ClientParams,
    body: Type.Object({ updates: Type.Object({ description, inactive: Type.Optional(Type.Boolean()) }) }),
    response: ChangeReply(Entry),
    async handle({ serviceAccounts }, { params, body, caller }) {
      const data = await serviceAccounts.update(params.client_id, body.updates, caller);
      return { status: "OK", message: `Successfully updated service account ${data.client_id}.`, data };
    },
  }),
  operation({
    name: "regenerateSecret",
    method: "PATCH",
    path: "/oauth/serviceAccounts/:client_id/regenerate",
    summary: "Give a service account a new secret; the old one and its tokens end.",
    roles: adminRoles,
    params: ClientParams,
    response: Type.Object({ client_id: Type.String(), client_secret: Type.String() }),
    handle: ({ serviceAccounts }, { params, caller }) => serviceAccounts.regenerateSecret(params.client_id, caller),
  }),
  operation({
    name: "deleteServiceAccount",
    method: "DELETE",
    path: "/oauth/serviceAccounts/:client_id",
    summary: "Delete a service account; its tokens end.",
    roles: adminRoles,
    params: ClientParams,
    response: Type.Object({ status: Type.String(), message: Type.String() }),
    async handle({ serviceAccounts }, { params, caller }) {
      await serviceAccounts.delete(params.client_id, caller);
      return { status: "OK", message: `Successfully deleted ${params.client_id}.` };
    },
  }),
];
