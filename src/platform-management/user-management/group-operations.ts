import { Type } from "@sinclair/typebox";
import { operationOf } from "../../core/operation.ts";
import { adminRoles, managementReadRoles } from "../../core/roles.ts";
import { ChangeReply, ListReply } from "../../core/schemas.ts";
import { Group, GroupDetails, platformProvenance } from "./account-schema.ts";
import {
  CreateGroupBody,
  CreatePlatformGroupBody,
  GroupListQuery,
  GroupParams,
  MessageReply,
  SetRolesBody,
  UpdateGroupBody,
} from "./request-schemas.ts";
import type { UserManagementServices } from "./user-management-services.ts";

const operation = operationOf<UserManagementServices>();

/** Operations on groups: seeds and spec `platform-management.md` §3.2, §3.3. */
export const groupOperations = [
  operation({
    name: "createGroup",
    method: "POST",
    path: "/user-management/groups",
    summary: "Create a group.",
    roles: adminRoles,
    body: CreateGroupBody,
    response: ChangeReply(Group),
    async handle({ groups }, { body, caller }) {
      const data = await groups.create("group" in body ? body.group : body, caller, "/body");
      return { status: "Created", message: `Successfully created group ${data._id}.`, data };
    },
  }),
  operation({
    name: "createPlatformGroup",
    method: "POST",
    path: "/authorization/groups",
    summary: "Create a group with its roles and the groups it belongs to.",
    roles: adminRoles,
    body: CreatePlatformGroupBody,
    response: ChangeReply(Group),
    async handle({ groups }, { body, caller }) {
      const data = await groups.create({ provenance: platformProvenance, ...body.group }, caller, "/body/group");
      return { status: "OK", message: `Successfully created group ${data._id}.`, data };
    },
  }),
  operation({
    name: "getGroups",
    method: "GET",
    path: "/user-management/groups",
    aliases: [{ method: "GET", path: "/authorization/groups" }],
    summary: "Get all groups.",
    roles: managementReadRoles,
    query: GroupListQuery,
    response: ListReply(Group),
    handle: ({ groups }, { query }) => groups.list(query),
  }),
  operation({
    name: "getGroupNames",
    method: "GET",
    path: "/authorization/groups/list",
    summary: "Names and identifiers of all groups.",
    roles: managementReadRoles,
    response: Type.Array(Type.Pick(Group, ["_id", "name", "provenance"])),
    handle: ({ groups }) => groups.names(),
  }),
  operation({
    name: "getGroup",
    method: "GET",
    path: "/user-management/groups/:groupId",
    aliases: [{ method: "GET", path: "/authorization/groups/:groupId" }],
    summary: "Get a group with the groups and roles it has through other groups.",
    roles: managementReadRoles,
    params: GroupParams,
    response: GroupDetails,
    handle: ({ groups }, { params }) => groups.read(params.groupId),
  }),
  operation({
    name: "updateGroup",
    method: "PATCH",
    path: "/authorization/groups/:groupId",
    summary: "Change a group, its roles or the groups it belongs to.",
    roles: adminRoles,
    params: GroupParams,
    body: UpdateGroupBody,
    response: ChangeReply(Group),
    async handle({ groups }, { params, body, caller }) {
      const data = await groups.update(params.groupId, body.updates, caller);
      return { status: "OK", message: `Successfully updated group ${data._id}.`, data };
    },
  }),
  operation({
    name: "setGroupRoles",
    method: "PUT",
    path: "/user-management/groups/:groupId/roles",
    summary: "Set the roles of a group.",
    roles: adminRoles,
    params: GroupParams,
    body: SetRolesBody,
    response: ChangeReply(Group),
    async handle({ groups }, { params, body, caller }) {
      const roles = Array.isArray(body) ? body : body.roles;
      const references = roles.map((role) => (typeof role === "string" ? { roleId: role } : role));
      const data = await groups.setRoles(params.groupId, references, caller);
      return { status: "OK", message: `Successfully set the roles of group ${data._id}.`, data };
    },
  }),
  operation({
    name: "deleteGroup",
    method: "DELETE",
    path: "/user-management/groups/:groupId",
    aliases: [{ method: "DELETE", path: "/authorization/groups/:groupId" }],
    summary: "Delete a group.",
    roles: adminRoles,
    params: GroupParams,
    response: MessageReply,
    async handle({ groups }, { params }) {
      const group = await groups.delete(params.groupId);
      return { status: "OK", message: `Successfully deleted ${group._id}.` };
    },
  }),
];
