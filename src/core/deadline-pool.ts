import type { Clock } from "./clock.ts";
import { FairQueue } from "./fair-queue.ts";

/**
 * Why a question has no answer. `deadline`: it took too long. `memory`: it needed more than its worker may have.
 * `ended`: its worker ended otherwise. `unstartable`: no worker can be started. `busy`: too many wait. `closed`: the pool
 * was closed. `unpassable`: the question cannot be copied to a worker.
 */
export type PoolProblem = "deadline" | "memory" | "ended" | "unstartable" | "busy" | "closed" | "unpassable";

/** A question to a pool came to nothing. */
export class PoolError extends Error {
  override readonly name = "PoolError";
  readonly problem: PoolProblem;

  constructor(problem: PoolProblem) {
    super(`no answer from a worker: ${problem}`);
    this.problem = problem;
  }
}

/** A thread or a process that answers one question at a time. */
export interface PoolWorker<Question> {
  /** Throws when the question cannot be copied. */
  post(question: Question): void;
  /** Does it keep this process alive? */
  hold(isHeld: boolean): void;
  /** Ends it at once, whatever it does. */
  end(): Promise<void>;
}

/** What a worker tells of itself. */
export interface PoolListener<Answer> {
  /** `"ready"` once it can be asked; then one answer to each question. */
  onMessage(message: Answer | "ready"): void;
  /** It ended by itself. */
  onEnd(problem: "memory" | "ended"): void;
}

export interface DeadlinePoolOptions<Question, Answer> {
  start: (listener: PoolListener<Answer>) => PoolWorker<Question>;
  /** Most workers at a time. They are started when first needed. */
  size: number;
  /** How long an answer may take, from when a worker has the question. */
  deadlineMs: number;
  /** Most questions that wait for a worker. Default: any number. */
  mostWaiting?: number;
  /** After so long without a question a worker is ended. Default: never. */
  idleMs?: number;
  clock: Clock;
}

/** How one question differs from others. */
export interface AskOptions {
  /** For whom: those who wait take turns by it. */
  key?: string;
  /** Instead of the pool's. */
  deadlineMs?: number;
}

interface Waiting<Question, Answer> {
  question: Question;
  deadlineMs: number;
  resolve(answer: Answer): void;
  reject(error: PoolError): void;
}

/** A worker of the pool, and what is done with what it tells at the moment. */
interface Member<Question, Answer> {
  worker: PoolWorker<Question>;
  onMessage(message: Answer | "ready"): void;
  onEnd(problem: PoolProblem): void;
  stopIdling(): void;
}

const nothing = (): void => undefined;

/**
 * Workers for what may take too long or too much. One that does not answer in time, or needs too much memory, is
 * ended, and another is started when it is needed.
 */
export class DeadlinePool<Question, Answer> {
  readonly #options: DeadlinePoolOptions<Question, Answer>;
  readonly #idle: Member<Question, Answer>[] = [];
  readonly #all = new Set<Member<Question, Answer>>();
  readonly #queue = new FairQueue<Waiting<Question, Answer>>();
  #starting = 0;
  #isClosed = false;

  constructor(options: DeadlinePoolOptions<Question, Answer>) {
    this.#options = options;
  }

  /** The answer of a worker; rejects with PoolError. */
  async ask(question: Question, { key = "", deadlineMs = this.#options.deadlineMs }: AskOptions = {}): Promise<Answer> {
    if (this.#isClosed) throw new PoolError("closed");
    if (this.#queue.size >= (this.#options.mostWaiting ?? Infinity)) throw new PoolError("busy");
    return new Promise((resolve, reject) => {
      this.#queue.add(key, { question, deadlineMs, resolve, reject });
      this.#dispatch();
    });
  }

  /** Ends all workers; questions without answer are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#rejectAll("closed");
    const members = [...this.#all];
    for (const member of members) {
      member.stopIdling();
      member.onEnd("closed");
    }
    await Promise.all(members.map(({ worker }) => worker.end()));
  }

  #dispatch(): void {
    while (this.#queue.size > 0) {
      const member = this.#idle.pop();
      if (!member) break;
      const waiting = this.#queue.take();
      if (waiting) this.#give(member, waiting);
    }
    while (this.#starting < this.#queue.size && this.#all.size < this.#options.size) this.#startWorker();
  }

  #startWorker(): void {
    const worker = this.#options.start({
      onMessage: (message) => member.onMessage(message),
      onEnd: (problem) => member.onEnd(problem),
    });
    const member: Member<Question, Answer> = {
      worker,
      onMessage: () => {
        this.#starting--;
        this.#rest(member);
      },
      onEnd: () => {
        this.#starting--;
        this.#retire(member);
        this.#rejectAll(this.#isClosed ? "closed" : "unstartable");
      },
      stopIdling: nothing,
    };
    this.#starting++;
    this.#all.add(member);
  }

  #rest(member: Member<Question, Answer>): void {
    const { clock, idleMs } = this.#options;
    member.onMessage = nothing;
    member.onEnd = () => this.#retire(member);
    // One without a question must not keep the process alive.
    member.worker.hold(false);
    if (idleMs !== undefined) member.stopIdling = clock.after(idleMs, () => this.#retire(member));
    this.#idle.push(member);
    this.#dispatch();
  }

  #give(member: Member<Question, Answer>, { question, deadlineMs, resolve, reject }: Waiting<Question, Answer>): void {
    member.stopIdling();
    const fail = (problem: PoolProblem): void => {
      stopDeadline();
      this.#retire(member);
      reject(new PoolError(problem));
      this.#dispatch();
    };
    const stopDeadline = this.#options.clock.after(deadlineMs, () => fail("deadline"));
    member.onEnd = fail;
    member.onMessage = (answer) => {
      stopDeadline();
      if (answer !== "ready") resolve(answer);
      this.#rest(member);
    };
    member.worker.hold(true);
    try {
      member.worker.post(question);
    } catch {
      stopDeadline();
      reject(new PoolError("unpassable"));
      this.#rest(member);
    }
  }

  #retire(member: Member<Question, Answer>): void {
    this.#all.delete(member);
    const at = this.#idle.indexOf(member);
    if (at !== -1) this.#idle.splice(at, 1);
    member.stopIdling();
    member.onMessage = nothing;
    member.onEnd = nothing;
    void member.worker.end();
  }

  #rejectAll(problem: PoolProblem): void {
    for (const { reject } of this.#queue.clear()) reject(new PoolError(problem));
  }
}
