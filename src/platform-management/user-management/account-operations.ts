import { Type } from "@sinclair/typebox";
import { Reply, operationOf } from "../../core/operation.ts";
import { adminRoles, managementReadRoles } from "../../core/roles.ts";
import { ChangeReply, ListReply } from "../../core/schemas.ts";
import { accessReport } from "./access-report.ts";
import { Account } from "./account-schema.ts";
import {
  AccountListQuery,
  AccountParams,
  CreateAccountBody,
  MessageReply,
  SetGroupsBody,
  SetPasswordBody,
  UpdateAccountBody,
} from "./request-schemas.ts";
import type { UserManagementServices } from "./user-management-services.ts";

const operation = operationOf<UserManagementServices>();
const onAccount = "/user-management/accounts/:accountId";
const onNewerAccount = "/authorization/accounts/:accountId";

/** Operations on accounts: seeds and spec `platform-management.md` §3.2, §3.3. */
export const accountOperations = [
  operation({
    name: "createAccount",
    method: "POST",
    path: "/user-management/accounts",
    summary: "Create an account in the platform's own account store.",
    roles: adminRoles,
    body: CreateAccountBody,
    response: ChangeReply(Account),
    async handle({ accounts }, { body, caller }) {
      const newAccount = "account" in body ? body.account : "user" in body ? body.user : body;
      const data = await accounts.create(newAccount, caller);
      return { status: "Created", message: `Successfully created account ${data.username}.`, data };
    },
  }),
  operation({
    name: "getAccounts",
    method: "GET",
    path: "/user-management/accounts",
    aliases: [{ method: "GET", path: "/authorization/accounts" }],
    summary: "Get all accounts.",
    roles: managementReadRoles,
    query: AccountListQuery,
    response: ListReply(Account),
    handle: ({ accounts }, { query }) => accounts.list(query),
  }),
  operation({
    name: "getAccount",
    method: "GET",
    path: onAccount,
    aliases: [{ method: "GET", path: onNewerAccount }],
    summary: "Get an account.",
    roles: managementReadRoles,
    params: AccountParams,
    response: Account,
    handle: ({ accounts }, { params }) => accounts.read(params.accountId),
  }),
  operation({
    name: "updateAccount",
    method: "PATCH",
    path: onNewerAccount,
    summary: "Set the groups and roles of an account, or switch it on or off.",
    roles: adminRoles,
    params: AccountParams,
    body: UpdateAccountBody,
    response: ChangeReply(Account),
    async handle({ accounts }, { params, body, caller }) {
      const updates = "updates" in body ? body.updates : body;
      const data = await accounts.update(params.accountId, updates, caller);
      return { status: "OK", message: `Successfully updated account ${data._id}.`, data };
    },
  }),
  operation({
    name: "setAccountGroups",
    method: "PUT",
    path: `${onAccount}/groups`,
    summary: "Set the groups of an account.",
    roles: adminRoles,
    params: AccountParams,
    body: SetGroupsBody,
    response: ChangeReply(Account),
    async handle({ accounts }, { params, body, caller }) {
      const data = await accounts.setGroups(params.accountId, Array.isArray(body) ? body : body.groups, caller);
      return { status: "OK", message: `Successfully set the groups of account ${data._id}.`, data };
    },
  }),
  operation({
    name: "setAccountPassword",
    method: "PUT",
    path: `${onAccount}/password`,
    summary: "Change the password of an account.",
    description:
      "Whoever may create accounts sets any password; everybody else changes their own and sends the old one.",
    roles: "authenticated",
    params: AccountParams,
    body: SetPasswordBody,
    response: MessageReply,
    async handle({ accounts }, { params, body, caller, address = "" }) {
      const newPassword = "newPassword" in body ? body.newPassword : body.password;
      const change = body.oldPassword === undefined ? { newPassword } : { newPassword, oldPassword: body.oldPassword };
      await accounts.setPassword(params.accountId, change, { caller, address });
      return { status: "OK", message: `Successfully changed the password of account ${params.accountId}.` };
    },
  }),
  operation({
    name: "deleteAccount",
    method: "DELETE",
    path: onAccount,
    summary: "Delete an account.",
    roles: adminRoles,
    params: AccountParams,
    response: MessageReply,
    async handle({ accounts }, { params, caller }) {
      await accounts.delete(params.accountId, caller);
      return { status: "OK", message: `Successfully deleted ${params.accountId}.` };
    },
  }),
  operation({
    name: "forceLogout",
    method: "POST",
    path: `${onNewerAccount}/forceLogout`,
    summary: "End all sessions of an account.",
    roles: adminRoles,
    params: AccountParams,
    response: MessageReply,
    async handle({ accounts }, { params, caller }) {
      const account = await accounts.forceLogout(params.accountId, caller);
      return { status: "OK", message: `Successfully logged out ${account.username}.` };
    },
  }),
  operation({
    name: "exportAuthReport",
    method: "GET",
    path: "/authorization/csv/export",
    summary: "Who has which role through what, as CSV.",
    roles: adminRoles,
    response: Type.String(),
    responseType: "text/plain",
    async handle({ store, directory }) {
      const headers = {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": 'attachment; filename="authorization.csv"',
      };
      return new Reply(await accessReport(store, await directory.model()), { headers });
    },
  }),
];
