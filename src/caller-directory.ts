import { toCaller } from "./platform-management/authentication/index.ts";
import type { UserManagementServices } from "./platform-management/user-management/index.ts";
import type { CallerDirectory } from "./workflow-engine/index.ts";

/** Accounts as callers, for tasks that act for a person. */
export function createCallerDirectory({ directory, store }: UserManagementServices): CallerDirectory {
  const byAccountId = async (accountId: string) => {
    const access = await directory.accessOf(accountId);
    return access && toCaller(access);
  };
  return {
    byAccountId,
    async byUsername(username) {
      const account = await store.readBy<{ _id: string }>("accounts", "username", username);
      return account && byAccountId(account.document._id);
    },
    async renew({ accountId, sessionId }) {
      if (sessionId !== undefined && (await store.version("sessions", sessionId)) === undefined) return undefined;
      const caller = await byAccountId(accountId);
      return caller && (sessionId === undefined ? caller : { ...caller, sessionId });
    },
  };
}
