import { setTimeout as pause } from "node:timers/promises";
import { RefusedError, startNextJob, workManualTasks, type HttpClient } from "./http-run.ts";
import type { RunRecord } from "./run-record.ts";

/** How an API bore that its store went away. */
export interface ProbeFigures {
  asked: number;
  /** Requests that were answered 503. */
  unavailable: number;
  /** The slowest answer while the store was away, milliseconds. */
  slowestAnswerMs: number;
  /** Longest time from the moment the store was back until a start was acknowledged, milliseconds. */
  slowestRecoveryMs: number;
  /** Answers and recoveries that took longer than they may, and how long. */
  tooLate: string[];
  /** Answers that are neither good nor 503. */
  strange: string[];
}

/** A request is answered within this, also when the store is away. */
export const longestAnswerMs = 2_000;
/** A start is acknowledged again within this once the store is back. */
export const longestRecoveryMs = 3_000;

const betweenRequestsMs = 100;
const givenUpMs = 15_000;

/** Asks an API all the while: starts jobs, reads lists, works manual tasks. */
export class ApiProbe {
  readonly #client: HttpClient;
  readonly #record: RunRecord;
  readonly #figures: ProbeFigures = {
    asked: 0,
    unavailable: 0,
    slowestAnswerMs: 0,
    slowestRecoveryMs: 0,
    tooLate: [],
    strange: [],
  };
  readonly #running: Promise<void>;
  /** The store is away since; undefined: it is there. */
  #awaySince: number | undefined;
  #isStopped = false;
  #acknowledged: (() => void)[] = [];

  constructor(client: HttpClient, record: RunRecord) {
    this.#client = client;
    this.#record = record;
    this.#running = this.#askOn();
  }

  figures(): ProbeFigures {
    const { slowestAnswerMs, slowestRecoveryMs, ...counts } = this.#figures;
    return {
      ...counts,
      slowestAnswerMs: Math.round(slowestAnswerMs),
      slowestRecoveryMs: Math.round(slowestRecoveryMs),
    };
  }

  /** The store is away from now on. */
  begin(): void {
    this.#awaySince = performance.now();
  }

  /** The store is back; resolves when a start was acknowledged since. */
  async heal(): Promise<void> {
    this.#awaySince = undefined;
    const startedAt = performance.now();
    await Promise.race([new Promise<void>((resolve) => this.#acknowledged.push(resolve)), pause(givenUpMs)]);
    const tookMs = performance.now() - startedAt;
    this.#figures.slowestRecoveryMs = Math.max(this.#figures.slowestRecoveryMs, tookMs);
    if (tookMs > longestRecoveryMs) this.#noteLate("recovery", tookMs);
  }

  /** Asks no more; resolves when the last request was answered. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #askOn(): Promise<void> {
    for (let turn = 0; !this.#isStopped; turn++) {
      await this.#ask("a start", async () => {
        await startNextJob(this.#client, this.#record);
        for (const resolve of this.#acknowledged.splice(0)) resolve();
      });
      await this.#ask("a list", () => this.#client.send("GET", "/operations-manager/jobs?limit=5"));
      if (turn % 3 === 0) await this.#ask("manual tasks", () => workManualTasks(this.#client, this.#record));
      await pause(betweenRequestsMs);
    }
  }

  async #ask(what: string, request: () => Promise<unknown>): Promise<void> {
    const startedAt = performance.now();
    this.#figures.asked += 1;
    try {
      await request();
    } catch (error) {
      if (error instanceof RefusedError && error.status === 503) this.#figures.unavailable += 1;
      else this.#figures.strange.push(`${what}: ${String(error)}`);
    }
    if (this.#awaySince === undefined || what === "manual tasks") return;
    const tookMs = performance.now() - startedAt;
    this.#figures.slowestAnswerMs = Math.max(this.#figures.slowestAnswerMs, tookMs);
    if (tookMs > longestAnswerMs) this.#noteLate(what, tookMs);
  }

  #noteLate(what: string, tookMs: number): void {
    this.#figures.tooLate.push(`${what}: ${Math.round(tookMs)} ms`);
  }
}
