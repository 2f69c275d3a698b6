import type { Store, Write } from "../../store/store.ts";
import type { Account, Group } from "./account-schema.ts";

/** Writes that take a deleted role out of every account and group that holds it: spec `platform-management.md` §3.1. */
export async function dropRole(store: Store, roleId: string): Promise<Write[]> {
  return rewriteHolders(store, { "assignedRoles.roleId": roleId }, (holder) => ({
    ...holder,
    assignedRoles: holder.assignedRoles.filter((reference) => reference.roleId !== roleId),
  }));
}

/** Writes that take a deleted group out of every account and group that belongs to it. */
export async function dropGroup(store: Store, groupId: string): Promise<Write[]> {
  return rewriteHolders(store, { "memberOf.groupId": groupId }, (holder) => ({
    ...holder,
    memberOf: holder.memberOf.filter((membership) => membership.groupId !== groupId),
  }));
}

/** Writes that end all sessions of an account, except the one to keep. */
export async function endSessions(store: Store, accountId: string, keptSessionId?: string): Promise<Write[]> {
  const sessions = await store.find<{ _id: string }>("sessions", { accountId }, { fields: { _id: 1 } });
  return sessions
    .filter((session) => session._id !== keptSessionId)
    .map((session) => ({ kind: "remove", collection: "sessions", id: session._id }));
}

async function rewriteHolders(
  store: Store,
  query: Record<string, string>,
  rewrite: (holder: Account | Group) => Account | Group,
): Promise<Write[]> {
  const inCollection = async (collection: string): Promise<Write[]> => {
    const holders = await store.find<{ _id: string }>(collection, query, { fields: { _id: 1 } });
    const stored = await Promise.all(holders.map((holder) => store.read<Account | Group>(collection, holder._id)));
    return stored.flatMap((holder) =>
      holder
        ? [{ kind: "replace", collection, document: rewrite(holder.document), version: holder.version } as const]
        : [],
    );
  };
  return [...(await inCollection("accounts")), ...(await inCollection("groups"))];
}
