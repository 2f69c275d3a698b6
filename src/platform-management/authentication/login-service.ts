import { PlatformError } from "../../core/errors.ts";
import type { Write } from "../../store/store.ts";
import {
  endSessions,
  nowText,
  repeatOnConflict,
  type Account,
  type UserManagementServices,
} from "../user-management/index.ts";
import { sessionIdOf, type SessionStore } from "./session-store.ts";

/** A login as it was asked for. */
export interface LoginRequest {
  username: string;
  password: string;
  /** Network address of the client. */
  address: string;
  /** Token of the session the client had so far: it ends with the login. */
  previousToken: string | undefined;
}

export interface LoginOptions {
  /** A login ends all other sessions of the account. Default false. */
  isSessionUnique?: boolean;
}

/** Logs people in and out. */
export class LoginService {
  readonly #users: UserManagementServices;
  readonly #sessions: SessionStore;
  readonly #options: LoginOptions;

  constructor(users: UserManagementServices, sessions: SessionStore, options: LoginOptions = {}) {
    this.#users = users;
    this.#sessions = sessions;
    this.#options = options;
  }

  /** Begins a session and answers its token. 401 with one text for every reason; LoginThrottledError after too many tries. */
  async login({ username, password, address, previousToken }: LoginRequest): Promise<string> {
    const checked = await this.#users.passwords.check(username, password, address);
    if (!checked) throw new PlatformError("UNAUTHENTICATED", "Invalid credentials");
    const accountId = checked.account._id;
    const { token, write } = this.#sessions.begin(accountId);
    const lastLogin = nowText(this.#users);
    await this.#replaceAccount(accountId, (account) => ({ ...account, loggedIn: true, lastLogin }), [
      ...(await this.#endedByLogin(accountId, previousToken)),
      write,
    ]);
    return token;
  }

  /** Ends the session. */
  async logout(accountId: string, sessionId: string): Promise<void> {
    const end: Write = { kind: "remove", collection: "sessions", id: sessionId };
    const loggedIn = await this.#sessions.hasOther(accountId, sessionId);
    await this.#replaceAccount(accountId, (account) => ({ ...account, loggedIn }), [end]);
  }

  async #endedByLogin(accountId: string, previousToken: string | undefined): Promise<Write[]> {
    const others = this.#options.isSessionUnique ? await endSessions(this.#users.store, accountId) : [];
    const previousId = previousToken === undefined ? undefined : sessionIdOf(previousToken);
    const isListed = others.some((write) => write.kind === "remove" && write.id === previousId);
    if (previousId === undefined || isListed) return others;
    return [...others, { kind: "remove", collection: "sessions", id: previousId }];
  }

  #replaceAccount(accountId: string, rewrite: (account: Account) => Account, further: readonly Write[]): Promise<void> {
    return repeatOnConflict(async () => {
      const stored = await this.#users.store.read<Account>("accounts", accountId);
      if (!stored || stored.document.inactive) throw new PlatformError("UNAUTHENTICATED", "Invalid credentials");
      const document = rewrite(stored.document);
      await this.#users.store.commit([
        { kind: "replace", collection: "accounts", document, version: stored.version },
        ...further,
      ]);
    });
  }
}
