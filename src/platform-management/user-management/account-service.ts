import type { Caller } from "../../core/caller.ts";
import { badRequest, conflict, notFound, PlatformError } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import { findPage, selectCoreList } from "../../core/list-query.ts";
import type { CoreListQuery } from "../../core/schemas.ts";
import type { Stored, Write } from "../../store/store.ts";
import type { AccessModel } from "./access-model.ts";
import { commitUnique, nowText, type AccessContext } from "./access-context.ts";
import {
  localProvenance,
  serviceAccountProvenance,
  type Account,
  type Membership,
  type RoleReference,
} from "./account-schema.ts";
import { keepAnAdministrator } from "./administrators.ts";
import { addedBy, assertMayGrant, assertMayManage } from "./grants.ts";
import { endSessions } from "./holders.ts";
import type { Passwords } from "./passwords.ts";
import { assertKnownReferences, membershipsOf } from "./references.ts";
import { repeatOnConflict } from "./repeat-on-conflict.ts";

/** What a new account is made from; `groups` are names or identifiers. */
export interface NewAccount {
  username: string;
  password: string;
  firstname?: string;
  email?: string;
  groups?: readonly string[];
}

/** Each list given replaces the whole list. */
export interface AccountUpdates {
  memberOf?: Membership[];
  assignedRoles?: RoleReference[];
  inactive?: boolean;
}

/** A new password; the old one is needed by people who may not manage accounts. */
export interface PasswordChange {
  newPassword: string;
  oldPassword?: string;
}

/** Conditions of the account list beside the usual ones. */
export interface AccountFilter {
  inactive?: boolean;
  isServiceAccount?: boolean;
  groupId?: string;
}

/** Operation whose permission stands for managing accounts. */
const managingOperation = "createAccount";

/** The accounts of the platform (spec `platform-management.md` §3). Every change obeys the rules of grants.ts and leaves an administrator. */
export class AccountService {
  readonly #context: AccessContext;
  readonly #passwords: Passwords;

  constructor(context: AccessContext, passwords: Passwords) {
    this.#context = context;
    this.#passwords = passwords;
  }

  list(query: CoreListQuery & AccountFilter): Promise<{ results: Account[]; total: number }> {
    const selection = selectCoreList(query, { defaultField: "username", storedAs: { name: "username" } });
    return findPage<Account>(this.#context.store, "accounts", selection, filterOf(query));
  }

  /** 404 when there is no such account. */
  async read(accountId: string): Promise<Account> {
    return (await this.#readStored(accountId)).document;
  }

  /** 409 when the user name is taken. */
  async create(newAccount: NewAccount, caller: Caller): Promise<Account> {
    const model = await this.#context.directory.model();
    const memberOf = membershipsOf(newAccount.groups ?? [], model, "/body/groups");
    assertMayGrant(caller, { memberOf }, model);
    const account = emptyAccount(this.#context, newAccount, memberOf);
    const passwordHash = await this.#passwords.hashNew(newAccount.password, account.username, "/body/password");
    const writes: Write[] = [
      { kind: "insert", collection: "accounts", document: account },
      { kind: "put", collection: "credentials", document: { _id: account._id, passwordHash } },
    ];
    await commitUnique(this.#context.store, writes, account.username);
    return account;
  }

  /** 409 when it would deactivate the caller's own account or the last administrator. */
  async update(accountId: string, updates: AccountUpdates, caller: Caller): Promise<Account> {
    if (Object.keys(updates).length === 0) throw badRequest("No applicable updates requested");
    if (updates.inactive === true && accountId === caller.accountId)
      throw conflict("You cannot deactivate your own account.");
    return this.#change(accountId, caller, (model) => {
      assertKnownReferences(updates, model, "/body/updates");
      return updates;
    });
  }

  /** `groups` are names or identifiers; they replace all memberships. */
  setGroups(accountId: string, groups: readonly string[], caller: Caller): Promise<Account> {
    return this.#change(accountId, caller, (model) => ({ memberOf: membershipsOf(groups, model, "/body/groups") }));
  }

  /** Updates what people may change about themselves. */
  updateProfile(accountId: string, profile: { firstname?: string; email?: string }): Promise<Account> {
    return this.#replace(accountId, (account) => ({ ...account, ...profile, _meta: this.#touched(account) }));
  }

  /** Ends all other sessions of the account. 403 for somebody else's account or a wrong old password. */
  async setPassword(
    accountId: string,
    change: PasswordChange,
    { caller, address = "" }: { caller: Caller; address?: string },
  ): Promise<void> {
    const isManaging = caller.isAllowed("UserManagement", managingOperation);
    if (!isManaging && accountId !== caller.accountId)
      throw new PlatformError("FORBIDDEN", "You may only change your own password.");
    const { document: account } = await this.#readManageable(accountId, caller);
    if (account.provenance !== localProvenance) throw conflict(`The account ${account.username} has no password here.`);
    if (!isManaging || change.oldPassword !== undefined) {
      const checked = await this.#passwords.check(account.username, change.oldPassword ?? "", address);
      if (!checked) throw new PlatformError("FORBIDDEN", "The old password is wrong.");
    }
    const passwordHash = await this.#passwords.hashNew(change.newPassword, account.username, "/body/password");
    const { store } = this.#context;
    const ended = await endSessions(store, accountId, caller.sessionId);
    await store.commit([
      { kind: "put", collection: "credentials", document: { _id: accountId, passwordHash } },
      ...ended,
    ]);
  }

  /** 409 for oneself and for the last administrator. */
  delete(accountId: string, caller: Caller): Promise<Account> {
    return repeatOnConflict(async () => {
      const { store, directory } = this.#context;
      const { document: before } = await this.#readManageable(accountId, caller);
      if (accountId === caller.accountId) throw conflict("You cannot delete your own account.");
      const model = await directory.model();
      const guards = await keepAnAdministrator(store, { before: model, after: model, account: { before } });
      await store.commit([...removalOf(accountId), ...guards, ...(await endSessions(store, accountId))]);
      return before;
    });
  }

  /** Ends all sessions of the account. */
  async forceLogout(accountId: string, caller: Caller): Promise<Account> {
    await this.#readManageable(accountId, caller);
    const ended = await endSessions(this.#context.store, accountId);
    return this.#replace(accountId, (account) => ({ ...account, loggedIn: false }), ended);
  }

  async #readStored(accountId: string): Promise<Stored<Account>> {
    const stored = await this.#context.store.read<Account>("accounts", accountId);
    if (!stored) throw notFound(`Account ${accountId} does not exist!`);
    return stored;
  }

  async #readManageable(accountId: string, caller: Caller): Promise<Stored<Account>> {
    const stored = await this.#readStored(accountId);
    assertMayManage(caller, stored.document, await this.#context.directory.model());
    return stored;
  }

  #replace(
    accountId: string,
    rewrite: (account: Account) => Account,
    further: readonly Write[] = [],
  ): Promise<Account> {
    return repeatOnConflict(async () => {
      const { document, version } = await this.#readStored(accountId);
      const after = rewrite(document);
      await this.#context.store.commit([
        { kind: "replace", collection: "accounts", document: after, version },
        ...further,
      ]);
      return after;
    });
  }

  /** Changes what an account may do, and what the change brings with it, in one commit. */
  #change(accountId: string, caller: Caller, updatesIn: (model: AccessModel) => AccountUpdates): Promise<Account> {
    return repeatOnConflict(async () => {
      const { store, directory } = this.#context;
      const { document: before, version } = await this.#readManageable(accountId, caller);
      const model = await directory.model();
      const updates = updatesIn(model);
      assertMayGrant(caller, addedBy(updates, before), model);
      const after: Account = { ...before, ...updates, _meta: this.#touched(before) };
      const guards = await keepAnAdministrator(store, { before: model, after: model, account: { before, after } });
      const ended = after.inactive ? await endSessions(store, accountId) : [];
      await store.commit([{ kind: "replace", collection: "accounts", document: after, version }, ...guards, ...ended]);
      return after;
    });
  }

  #touched(account: Account): Account["_meta"] {
    return { ...account._meta, updated: nowText(this.#context) };
  }
}

/** A local account as it begins. */
export function emptyAccount(
  context: Pick<AccessContext, "clock" | "identifiers">,
  { username, firstname = "", email = "" }: Pick<NewAccount, "username" | "firstname" | "email">,
  memberOf: Membership[],
): Account {
  const created = nowText(context);
  return {
    _id: context.identifiers.documentId(),
    provenance: localProvenance,
    username,
    firstname,
    email,
    inactive: false,
    loggedIn: false,
    assignedRoles: [],
    memberOf,
    gitTokens: {},
    _meta: { created, updated: created },
  };
}

/** Writes that remove an account with its hashes. */
export function removalOf(accountId: string): Write[] {
  return [
    { kind: "remove", collection: "accounts", id: accountId },
    { kind: "remove", collection: "credentials", id: accountId },
  ];
}

function filterOf({ inactive, isServiceAccount, groupId }: AccountFilter): Record<string, Json> {
  return {
    ...(inactive === undefined ? {} : { inactive }),
    ...(isServiceAccount === undefined
      ? {}
      : { provenance: { [isServiceAccount ? "$eq" : "$ne"]: serviceAccountProvenance } }),
    ...(groupId === undefined ? {} : { "memberOf.groupId": groupId }),
  };
}
