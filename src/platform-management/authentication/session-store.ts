import { createHash } from "node:crypto";
import type { Clock } from "../../core/clock.ts";
import type { Identifiers } from "../../core/identifiers.ts";
import type { Logger } from "../../core/logger.ts";
import { VersionConflictError, type Store, type Write } from "../../store/store.ts";
import { createRefreshingCache } from "../user-management/index.ts";

const minuteMs = 60_000;

/** Lifetimes of sessions (decision 12). */
export const sessionRules = {
  /** A session ends when it was not used for this long. */
  idleMs: 60 * minuteMs,
  /** A session ends this long after the login, however much it is used. */
  absoluteMs: 12 * 60 * minuteMs,
  /** Use is written down at most this often. */
  touchMs: minuteMs,
  /** A session that another node ended is seen as ended after this long at most. */
  freshMs: 5_000,
  /** How often sessions that are over are removed. */
  sweepMs: 10 * minuteMs,
} as const;

const capacity = 50_000;

/** A session as stored. Its `_id` is the SHA-256 of the token, hex: the token itself is kept nowhere. */
export interface SessionDocument {
  _id: string;
  accountId: string;
  loginMethod: "Web";
  /** Milliseconds since the epoch. */
  createdAt: number;
  lastUsedAt: number;
  requestCount: number;
}

/** A session in memory; `lastUsedAt` and `requestCount` run ahead of the stored ones. */
export interface HeldSession {
  document: SessionDocument;
  version: number;
  /** When the use was written last. */
  writtenAt: number;
}

/** Identifier of the session of a token. Tokens have 256 random bits, so a fast hash cannot be searched back. */
export function sessionIdOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Milliseconds until the session ends by itself; not positive when it is over. */
export function remainingMs({ lastUsedAt, createdAt }: SessionDocument, now: number): number {
  return Math.min(lastUsedAt + sessionRules.idleMs, createdAt + sessionRules.absoluteMs) - now;
}

export interface SessionStoreOptions {
  store: Store;
  clock: Clock;
  identifiers: Identifiers;
  logger: Logger;
}

/** Sessions of people: begun at login, used with every request, ended by logout, time or an administrator. */
export class SessionStore {
  readonly #options: SessionStoreOptions;
  readonly #held;
  readonly #endWatch: () => void;
  #cancelSweep: () => void = () => undefined;

  constructor(options: SessionStoreOptions) {
    const { store, clock } = options;
    this.#options = options;
    this.#held = createRefreshingCache<HeldSession>({
      clock,
      freshMs: sessionRules.freshMs,
      capacity,
      load: (id, previous) => this.#load(id, previous),
    });
    this.#endWatch = store.watch((changes) => {
      for (const { collection, id } of changes) if (collection === "sessions") this.#held.invalidate(id);
    });
  }

  /** A new session with a new token, and the write that makes it exist. */
  begin(accountId: string): { token: string; write: Write } {
    const token = this.#options.identifiers.secret();
    const now = this.#options.clock.now();
    const document: SessionDocument = {
      _id: sessionIdOf(token),
      accountId,
      loginMethod: "Web",
      createdAt: now,
      lastUsedAt: now,
      requestCount: 0,
    };
    return { token, write: { kind: "insert", collection: "sessions", document } };
  }

  /** The session if it is in memory and fresh. */
  peek(sessionId: string): HeldSession | undefined {
    return this.#held.peek(sessionId);
  }

  /** The session; undefined when there is none. */
  read(sessionId: string): Promise<HeldSession | undefined> {
    return this.#held.get(sessionId);
  }

  /** Notes that a session was used now. False when it is over. */
  use(session: HeldSession): boolean {
    const { document } = session;
    const now = this.#options.clock.now();
    if (remainingMs(document, now) <= 0) return false;
    document.lastUsedAt = now;
    document.requestCount += 1;
    if (now - session.writtenAt >= sessionRules.touchMs) void this.#write(session, now);
    return true;
  }

  async end(sessionId: string): Promise<void> {
    await this.#options.store.commit([{ kind: "remove", collection: "sessions", id: sessionId }]);
  }

  /** Does the account have a session beside this one? */
  async hasOther(accountId: string, sessionId: string): Promise<boolean> {
    return (await this.#options.store.count("sessions", { accountId, _id: { $ne: sessionId } })) > 0;
  }

  /** Removes sessions that are over. */
  async sweep(): Promise<void> {
    const { store, clock } = this.#options;
    const now = clock.now();
    const isOver = {
      $or: [
        { lastUsedAt: { $lte: now - sessionRules.idleMs } },
        { createdAt: { $lte: now - sessionRules.absoluteMs } },
      ],
    };
    const over = await store.find<{ _id: string }>("sessions", isOver, { fields: { _id: 1 }, limit: 10_000 });
    if (over.length > 0)
      await store.commit(over.map(({ _id }) => ({ kind: "remove", collection: "sessions", id: _id })));
  }

  /** Sweeps now and then from now on. */
  start(): void {
    this.#cancelSweep = this.#options.clock.after(sessionRules.sweepMs, () => {
      this.sweep().catch((error: unknown) => this.#warn("sessions that are over were not removed", error));
      this.start();
    });
  }

  stop(): void {
    this.#cancelSweep();
    this.#endWatch();
  }

  async #load(sessionId: string, previous: HeldSession | undefined): Promise<HeldSession | undefined> {
    const stored = await this.#options.store.read<SessionDocument>("sessions", sessionId);
    if (!stored) return undefined;
    const { document, version } = stored;
    const lastUsedAt = Math.max(document.lastUsedAt, previous?.document.lastUsedAt ?? 0);
    const requestCount = Math.max(document.requestCount, previous?.document.requestCount ?? 0);
    return { document: { ...document, lastUsedAt, requestCount }, version, writtenAt: document.lastUsedAt };
  }

  // Not awaited by the request: when it is lost, the session ends at most a minute early.
  async #write(session: HeldSession, now: number): Promise<void> {
    session.writtenAt = now;
    const { document, version } = session;
    try {
      await this.#options.store.commit([
        { kind: "replace", collection: "sessions", document: { ...document }, version },
      ]);
    } catch (error) {
      if (!(error instanceof VersionConflictError)) this.#warn("the use of a session was not written", error);
      this.#held.invalidate(document._id);
    }
  }

  #warn(message: string, error: unknown): void {
    this.#options.logger.warn(message, { error: error instanceof Error ? error.message : String(error) });
  }
}
