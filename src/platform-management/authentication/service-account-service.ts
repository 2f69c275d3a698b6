import { createHash, timingSafeEqual } from "node:crypto";
import type { Caller } from "../../core/caller.ts";
import { badRequest, notFound } from "../../core/errors.ts";
import { findPage, selectCoreList } from "../../core/list-query.ts";
import type { CoreListQuery } from "../../core/schemas.ts";
import type { Stored } from "../../store/store.ts";
import {
  assertMayManage,
  commitUnique,
  emptyAccount,
  nowText,
  removalOf,
  repeatOnConflict,
  serviceAccountProvenance,
  type Account,
  type CredentialsDocument,
  type UserManagementServices,
} from "../user-management/index.ts";
import { accessTokenSeconds, type AccessTokens } from "./access-tokens.ts";

/** A service account as its list shows it. */
export interface ServiceAccountEntry {
  client_id: string;
  name: string;
  description: string;
  inactive: boolean;
  created: string;
}

/** Accounts that programs use: spec `platform-management.md` §2.3, §2.4. Roles and groups are assigned as to any account. */
export class ServiceAccountService {
  readonly #users: UserManagementServices;
  readonly #tokens: AccessTokens;

  constructor(users: UserManagementServices, tokens: AccessTokens) {
    this.#users = users;
    this.#tokens = tokens;
  }

  async list(query: CoreListQuery): Promise<{ results: ServiceAccountEntry[]; total: number }> {
    const storedAs = { name: "username", client_id: "_id" };
    const { include: _, exclude: __, ...conditions } = query;
    const selection = selectCoreList(conditions, { defaultField: "username", storedAs });
    const page = await findPage<Account>(this.#users.store, "accounts", selection, {
      provenance: serviceAccountProvenance,
    });
    return { results: page.results.map(entryOf), total: page.total };
  }

  /** The secret is in this answer only. 409 when an account has that name. */
  async create({ name, description = "" }: { name: string; description?: string }) {
    const secret = this.#users.identifiers.secret();
    const account: Account = {
      ...emptyAccount(this.#users, { username: name, firstname: name }, []),
      provenance: serviceAccountProvenance,
      description,
    };
    await commitUnique(
      this.#users.store,
      [
        { kind: "insert", collection: "accounts", document: account },
        { kind: "put", collection: "credentials", document: credentialsOf(account._id, secret) },
      ],
      name,
    );
    return { client_secret: secret, ...entryOf(account) };
  }

  /** 404 when there is no such service account, 403 for one that may do more than the caller; so for all changes. */
  update(
    clientId: string,
    updates: { description?: string; inactive?: boolean },
    caller: Caller,
  ): Promise<ServiceAccountEntry> {
    if (Object.keys(updates).length === 0) throw badRequest("No applicable updates requested");
    return repeatOnConflict(async () => {
      const { document, version } = await this.#readManageable(clientId, caller);
      const after = { ...document, ...updates, _meta: { ...document._meta, updated: nowText(this.#users) } };
      await this.#users.store.commit([{ kind: "replace", collection: "accounts", document: after, version }]);
      return entryOf(after);
    });
  }

  /** A new secret; the old one and every token issued for it end. */
  async regenerateSecret(clientId: string, caller: Caller): Promise<{ client_id: string; client_secret: string }> {
    await this.#readManageable(clientId, caller);
    const secret = this.#users.identifiers.secret();
    await this.#users.store.commit([
      { kind: "put", collection: "credentials", document: credentialsOf(clientId, secret) },
    ]);
    return { client_id: clientId, client_secret: secret };
  }

  async delete(clientId: string, caller: Caller): Promise<void> {
    await this.#readManageable(clientId, caller);
    await this.#users.store.commit(removalOf(clientId));
  }

  /** An access token for a right client secret (RFC 6749 §4.4); undefined otherwise. */
  async exchange(clientId: string, secret: string): Promise<{ token: string; expiresInSeconds: number } | undefined> {
    const { directory } = this.#users;
    const [access, credentials] = await Promise.all([directory.accessOf(clientId), directory.credentialsOf(clientId)]);
    const isRight = isSameHash(credentials?.document.secretHash, hashOf(secret));
    if (!isRight || !credentials || access?.account.provenance !== serviceAccountProvenance) return undefined;
    const token = await this.#tokens.issue({ accountId: clientId, credentialsVersion: credentials.version });
    return { token, expiresInSeconds: accessTokenSeconds };
  }

  async #readManageable(clientId: string, caller: Caller): Promise<Stored<Account>> {
    const stored = await this.#users.store.read<Account>("accounts", clientId);
    if (stored?.document.provenance !== serviceAccountProvenance)
      throw notFound(`Service account ${clientId} does not exist!`);
    assertMayManage(caller, stored.document, await this.#users.directory.model());
    return stored;
  }
}

function entryOf({ _id, username, description = "", inactive, _meta }: Account): ServiceAccountEntry {
  return { client_id: _id, name: username, description, inactive, created: _meta.created };
}

function credentialsOf(accountId: string, secret: string): CredentialsDocument {
  return { _id: accountId, secretHash: hashOf(secret) };
}

function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

function isSameHash(stored: string | undefined, given: string): boolean {
  return (
    stored !== undefined && stored.length === given.length && timingSafeEqual(Buffer.from(stored), Buffer.from(given))
  );
}
