import { notFound, PlatformError } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";
import { deviceError } from "./device-errors.ts";
import { openSession, type DeviceSession, type SessionParts } from "./device-session.ts";
import type { DeviceLogin } from "./device-record.ts";
import { unknownDevice, type Inventory } from "./inventory.ts";
import { ConnectionError } from "./ssh/connection.ts";
import { EnableRefusedError } from "./ssh/shell.ts";

export interface LaneParts extends SessionParts {
  inventory: Inventory;
  logger: Logger;
}

/** One device's queue of work and its kept shell. `onIdle` is called when the lane holds nothing any more. */
export class DeviceLane {
  readonly #name: string;
  readonly #parts: LaneParts;
  readonly #onIdle: () => void;
  #session: DeviceSession | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #usedAt: number;
  #isClosed = false;
  #rejection: { version: number; until: number; error: unknown } | undefined;
  #stopIdle = (): void => undefined;

  constructor(name: string, parts: LaneParts, onIdle: () => void) {
    this.#name = name;
    this.#parts = parts;
    this.#onIdle = onIdle;
    this.#usedAt = parts.clock.now();
  }

  /** Runs `work` alone on the device's shell, after everything that waits already. */
  async use<Result>(work: (session: DeviceSession) => Promise<Result>): Promise<Result> {
    if (this.#waiting >= this.#parts.limits.maxWaiting) {
      const message = `Device ${this.#name} is busy: ${this.#waiting} callers wait for it already`;
      throw new PlatformError("TOO_MANY_REQUESTS", message);
    }
    this.#waiting++;
    const mine = this.#turn.then(() => this.#takeTurn(work));
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  isBusy(): boolean {
    return this.#waiting > 0;
  }

  hasShell(): boolean {
    return this.#session?.shell.isOpen() ?? false;
  }

  lastUsedAt(): number {
    return this.#usedAt;
  }

  close(): void {
    this.#isClosed = true;
    this.#stopIdle();
    this.#drop();
    if (this.#waiting === 0) this.#onIdle();
  }

  async #takeTurn<Result>(work: (session: DeviceSession) => Promise<Result>): Promise<Result> {
    this.#stopIdle();
    try {
      const session = await this.#readySession();
      try {
        return await work(session);
      } finally {
        const isHome = await session.shell.goHome().catch(() => false);
        if (!isHome) this.#drop();
      }
    } finally {
      this.#usedAt = this.#parts.clock.now();
      if (--this.#waiting === 0) this.#rest();
    }
  }

  async #readySession(): Promise<DeviceSession> {
    const { inventory, clock } = this.#parts;
    const kept = this.#session;
    if (kept?.shell.isOpen() && (await inventory.version(kept.id)) === kept.version) return kept;
    this.#drop();
    const login = await inventory.login(this.#name);
    if (!login) throw notFound(unknownDevice([this.#name]));
    const rejection = this.#rejection;
    if (rejection?.version === login.version && clock.now() < rejection.until) throw rejection.error;
    this.#rejection = undefined;
    this.#session = await this.#logIn(login);
    return this.#session;
  }

  async #logIn(login: DeviceLogin): Promise<DeviceSession> {
    const { clock, limits, logger } = this.#parts;
    try {
      const opened = await openSession(login, this.#parts);
      if (this.#isClosed) opened.shell.close();
      logger.debug("device shell opened", { device: this.#name });
      return opened;
    } catch (error) {
      const told = deviceError(this.#name, error);
      if (isRefusal(error)) {
        this.#rejection = { version: login.version, until: clock.now() + limits.rejectedHoldMs, error: told };
      }
      throw told;
    }
  }

  #rest(): void {
    if (this.#session) this.#stopIdle = this.#parts.clock.after(this.#parts.limits.idleCloseMs, () => this.close());
    else if (!this.#rejection) this.#onIdle();
  }

  #drop(): void {
    this.#session?.shell.close();
    this.#session = undefined;
  }
}

/** Wrong credentials: trying them again could lock the account. */
function isRefusal(error: unknown): boolean {
  return error instanceof EnableRefusedError || (error instanceof ConnectionError && error.failure === "rejected");
}
