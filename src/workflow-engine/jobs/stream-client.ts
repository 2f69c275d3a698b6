import { Readable } from "node:stream";
import type { Caller } from "../../core/caller.ts";
import type { Clock } from "../../core/clock.ts";
import { mayAccess } from "../../core/group-access.ts";
import { mayAccessTask } from "./job-access.ts";
import type { StreamNotice } from "./stream-notices.ts";

/** What a client follows. Absent: everything. */
export interface StreamChoice {
  job?: string;
  topics?: readonly string[];
  /** Identifier of the last event it has. */
  lastEventId?: string;
}

export interface StreamClientParts {
  choice: StreamChoice;
  caller: Caller;
  clock: Clock;
  /** The caller as it is now; undefined when it may follow events no longer. */
  renew(caller: Caller): Promise<Caller | undefined>;
  /** Called once when the stream has ended, whoever ended it. */
  onClose(): void;
}

const heartbeatMs = 15_000;
/** Credentials are looked at anew when a client connects: at least this often. */
const longestMs = 900_000;
/** So long a caller is taken for what it was. */
const trustedMs = 1_000;
/** What waits for a client that reads slowly, at most. */
const mostPending = 2_000;
const mostBuffered = 1_000_000;

/** One client that follows events. It gets only what its account may see at that moment. */
export class StreamClient {
  readonly #parts: StreamClientParts;
  readonly #body: Readable;
  #caller: Caller;
  #renewedAt: number;
  #pending: StreamNotice[] = [];
  /** Nothing is sent before what the client missed is known. */
  #isBegun = false;
  #isSending = false;
  #cancelHeartbeat: () => void = () => undefined;
  readonly #cancelEnd: () => void;

  constructor(parts: StreamClientParts) {
    this.#parts = parts;
    this.#caller = parts.caller;
    this.#renewedAt = parts.clock.now();
    this.#body = new Readable({ read: () => undefined });
    this.#body.once("close", () => this.#closed());
    this.#cancelEnd = parts.clock.after(longestMs, () => this.end());
    this.#beatLater();
  }

  /** What the client reads. */
  get body(): Readable {
    return this.#body;
  }

  get choice(): StreamChoice {
    return this.#parts.choice;
  }

  /** Begins to send: first what was missed (undefined: it is not known), then what was offered meanwhile. */
  begin(missed: readonly StreamNotice[] | undefined): void {
    this.#push(": connected\n\n");
    if (!missed) this.reset();
    const known = new Set(missed?.map(({ id }) => id));
    const wanted = (missed ?? []).filter((notice) => this.#isChosen(notice));
    this.#pending = [...wanted, ...this.#pending.filter(({ id }) => !known.has(id))];
    this.#isBegun = true;
    void this.#send();
  }

  /** Takes what happened; what the client did not ask for is left out. */
  offer(notices: readonly StreamNotice[]): void {
    for (const notice of notices) if (this.#isChosen(notice)) this.#pending.push(notice);
    if (this.#pending.length > mostPending) this.end();
    else void this.#send();
  }

  /** Says that events were missed. */
  reset(): void {
    this.#push("event: reset\ndata: {}\n\n");
  }

  /** Ends the stream; what was not sent is missed. */
  end(): void {
    this.#pending = [];
    if (!this.#body.destroyed) this.#body.push(null);
    this.#closed();
  }

  #closed(): void {
    this.#cancelHeartbeat();
    this.#cancelEnd();
    this.#parts.onClose();
  }

  #isChosen({ job, topic }: StreamNotice): boolean {
    const { choice } = this.#parts;
    if (choice.job !== undefined && choice.job !== job) return false;
    return !choice.topics || choice.topics.includes(topic);
  }

  #beatLater(): void {
    this.#cancelHeartbeat = this.#parts.clock.after(heartbeatMs, () => void this.#beat());
  }

  async #beat(): Promise<void> {
    if (!(await this.#isAllowed())) return this.end();
    this.#push(": still here\n\n");
    if (!this.#body.destroyed) this.#beatLater();
  }

  async #send(): Promise<void> {
    if (!this.#isBegun || this.#isSending) return;
    this.#isSending = true;
    while (this.#pending.length > 0) {
      if (!(await this.#isAllowed())) return this.end();
      // All that one event of a log led to goes out at once, so that a client that comes again misses none of it.
      const batch = this.#pending.splice(0);
      this.#push(
        batch
          .filter((notice) => this.#maySee(notice))
          .map(eventText)
          .join(""),
      );
    }
    this.#isSending = false;
  }

  #maySee({ groups, topic, task }: StreamNotice): boolean {
    return mayAccess(groups, this.#caller) && (topic !== "task" || mayAccessTask(task, this.#caller));
  }

  async #isAllowed(): Promise<boolean> {
    const now = this.#parts.clock.now();
    if (now - this.#renewedAt < trustedMs) return true;
    // A store that cannot be asked lets nobody go on.
    const caller = await this.#parts.renew(this.#caller).catch(() => undefined);
    if (!caller) return false;
    this.#caller = caller;
    this.#renewedAt = now;
    return true;
  }

  #push(text: string): void {
    if (text === "" || this.#body.destroyed || this.#body.readableEnded) return;
    this.#body.push(text);
    if (this.#body.readableLength > mostBuffered) this.#body.destroy();
  }
}

function eventText({ id, topic, data }: StreamNotice): string {
  return `id: ${id}\nevent: ${topic}\ndata: ${data}\n\n`;
}
