import type { Clock } from "../../core/clock.ts";
import type { Store } from "../../store/store.ts";
import { createAccessModel, effectiveAccess, type Access, type AccessModel, type AdminGroup } from "./access-model.ts";
import type { Account, CredentialsDocument, Group, Role } from "./account-schema.ts";
import { createRefreshingCache } from "./refreshing-cache.ts";

/** Other nodes' changes are seen after this long at most; this node's own at once. */
const accessFreshMs = 5_000;
const accountCapacity = 10_000;

/** Hashes of an account as stored, with the version that goes up with every change of password or secret. */
export interface HeldCredentials {
  document: CredentialsDocument;
  version: number;
}

/** Who may do what, read from memory as long as nothing changed. */
export interface AccessDirectory {
  /** Access of an active account if it is in memory and fresh. */
  peek(accountId: string): Access | undefined;
  /** Access of an account; undefined when there is none or it is inactive. */
  accessOf(accountId: string): Promise<Access | undefined>;
  /** All groups and roles. */
  model(): Promise<AccessModel>;
  credentialsOf(accountId: string): Promise<HeldCredentials | undefined>;
  /** Ends watching the store. */
  close(): void;
}

/** A directory over the store; it follows every change of accounts, groups, roles and credentials. */
export function createAccessDirectory(store: Store, clock: Clock, adminGroups: readonly AdminGroup[]): AccessDirectory {
  const models = createRefreshingCache<AccessModel>({ clock, freshMs: accessFreshMs, capacity: 1, load: loadModel });
  const accesses = createRefreshingCache<Access>({
    clock,
    freshMs: accessFreshMs,
    capacity: accountCapacity,
    load: loadAccess,
  });
  const credentials = createRefreshingCache<HeldCredentials>({
    clock,
    freshMs: accessFreshMs,
    capacity: accountCapacity,
    load: (accountId) => store.read<CredentialsDocument>("credentials", accountId),
  });

  async function loadModel(): Promise<AccessModel> {
    const [groups, roles] = await Promise.all([store.find<Group>("groups", {}), store.find<Role>("roles", {})]);
    return createAccessModel(groups, roles, adminGroups);
  }
  async function model(): Promise<AccessModel> {
    return (await models.get("")) ?? createAccessModel([], [], adminGroups);
  }
  async function loadAccess(accountId: string): Promise<Access | undefined> {
    const [stored, currentModel] = await Promise.all([store.read<Account>("accounts", accountId), model()]);
    return stored && !stored.document.inactive ? effectiveAccess(stored.document, currentModel) : undefined;
  }
  const follow: Readonly<Record<string, (id: string) => void>> = {
    accounts: accesses.invalidate,
    credentials: credentials.invalidate,
    groups: forgetModel,
    roles: forgetModel,
  };
  function forgetModel(): void {
    models.invalidateAll();
    accesses.invalidateAll();
  }
  const close = store.watch((changes) => changes.forEach(({ collection, id }) => follow[collection]?.(id)));

  return { peek: accesses.peek, accessOf: accesses.get, model, credentialsOf: credentials.get, close };
}
