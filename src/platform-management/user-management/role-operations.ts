import { Type } from "@sinclair/typebox";
import { operationOf } from "../../core/operation.ts";
import { adminRoles, managementReadRoles } from "../../core/roles.ts";
import { ChangeReply, CoreListQuery, ListReply } from "../../core/schemas.ts";
import { AllowedView, Role } from "./account-schema.ts";
import { CreateRoleBody, MessageReply, RoleParams, UpdateRoleBody } from "./request-schemas.ts";
import type { UserManagementServices } from "./user-management-services.ts";

const operation = operationOf<UserManagementServices>();

const MethodEntry = Type.Object({
  provenance: Type.String(),
  name: Type.String(),
  deprecated: Type.Boolean(),
  route: Type.Object({ path: Type.String(), verb: Type.String(), fullPath: Type.String() }),
});

/** Operations on roles and what they can allow: seeds and spec `platform-management.md` §3.2, §3.3. */
export const roleOperations = [
  operation({
    name: "getAssignableRoles",
    method: "GET",
    path: "/user-management/roles",
    summary: "Get all roles that the caller may assign.",
    description: "All roles for administrators; for others the roles that allow nothing beyond their own permissions.",
    roles: managementReadRoles,
    query: CoreListQuery,
    response: ListReply(Role),
    handle: ({ roles }, { query, caller }) => roles.listAssignable(query, caller),
  }),
  operation({
    name: "getRoles",
    method: "GET",
    path: "/authorization/roles",
    summary: "Get all roles.",
    roles: managementReadRoles,
    query: CoreListQuery,
    response: ListReply(Role),
    handle: ({ roles }, { query }) => roles.list(query),
  }),
  operation({
    name: "getRole",
    method: "GET",
    path: "/authorization/roles/:roleId",
    summary: "Get a role.",
    roles: managementReadRoles,
    params: RoleParams,
    response: Role,
    handle: ({ roles }, { params }) => roles.read(params.roleId),
  }),
  operation({
    name: "createRole",
    method: "POST",
    path: "/authorization/roles",
    summary: "Create a custom role.",
    roles: adminRoles,
    body: CreateRoleBody,
    response: ChangeReply(Role),
    async handle({ roles }, { body, caller }) {
      const data = await roles.create(body.role, caller);
      return { status: "OK", message: `Successfully created role ${data._id}.`, data };
    },
  }),
  operation({
    name: "updateRole",
    method: "PATCH",
    path: "/authorization/roles/:roleId",
    summary: "Change a custom role.",
    roles: adminRoles,
    params: RoleParams,
    body: UpdateRoleBody,
    response: ChangeReply(Role),
    async handle({ roles }, { params, body, caller }) {
      const data = await roles.update(params.roleId, body.updates, caller);
      return { status: "OK", message: `Successfully updated role ${data._id}.`, data };
    },
  }),
  operation({
    name: "deleteRole",
    method: "DELETE",
    path: "/authorization/roles/:roleId",
    summary: "Delete a custom role.",
    roles: adminRoles,
    params: RoleParams,
    response: MessageReply,
    async handle({ roles }, { params }) {
      await roles.delete(params.roleId);
      return { status: "OK", message: `Successfully deleted ${params.roleId}.` };
    },
  }),
  operation({
    name: "getMethods",
    method: "GET",
    path: "/authorization/methods",
    summary: "Get all methods that roles can allow.",
    roles: managementReadRoles,
    query: CoreListQuery,
    response: ListReply(MethodEntry),
    handle: ({ roles }, { query }) => roles.listMethods(query),
  }),
  operation({
    name: "getViews",
    method: "GET",
    path: "/authorization/views",
    summary: "Get all views that roles can open.",
    roles: managementReadRoles,
    query: CoreListQuery,
    response: ListReply(AllowedView),
    handle: ({ roles }, { query }) => roles.listViews(query),
  }),
];
