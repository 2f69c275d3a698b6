import type { Readable } from "node:stream";
import type { Caller } from "../../core/caller.ts";
import type { Clock } from "../../core/clock.ts";
import { badRequest, PlatformError } from "../../core/errors.ts";
import type { Logger } from "../../core/logger.ts";
import type { Store, StoreChange } from "../../store/store.ts";
import { draftOf, type JobState } from "../interpreter/job-state.ts";
import { parseIterationId } from "./iteration-id.ts";
import { applyEvent, beginState, type FindWorkflow } from "./job-log.ts";
import type { JobService } from "./job-service.ts";
import { loggedEvents, restoreMarkers } from "./replay-log.ts";
import { StreamClient, type StreamChoice } from "./stream-client.ts";
import { noticesOf, streamTopics, type StreamNotice, type ToldStep } from "./stream-notices.ts";
import { ToldJobs } from "./told-jobs.ts";

export interface EventStreamsServices {
  store: Store;
  clock: Clock;
  logger: Logger;
  jobs: Pick<JobService, "view">;
  findWorkflow: FindWorkflow;
  /** The caller as it is now; undefined when it may follow events no longer. */
  renew(caller: Caller): Promise<Caller | undefined>;
}

/** Lets clients follow what happens to jobs, whichever node it happens on. */
export interface EventStreams {
  /**
   * What the client reads, until it goes away or is sent away. NOT_FOUND for a job the caller may not see,
   * UNAVAILABLE when as many clients follow as a node takes.
   */
  open(choice: StreamChoice, caller: Caller): Promise<Readable>;
  /** To be told after a commit of this node. */
  told(step: ToldStep): void;
  start(): void;
  /** Sends all clients away and takes no more. */
  close(): void;
}

const mostClients = 200;
/** What happened last is kept for clients that come again: so much of it, and so long after the last one left. */
const mostKept = 2_000;
const keptForMs = 300_000;
/** What other nodes did is looked at together, so often at most. */
const gatherMs = 50;
const mostGathered = 2_000;
/** News of other nodes may be missed: jobs that a client follows by name are looked at as often as this. */
const lookAgainMs = 1_000;

/** The streams of a node. */
export function createEventStreams(services: EventStreamsServices): EventStreams {
  return new NodeEventStreams(services);
}

class NodeEventStreams implements EventStreams {
  readonly #services: EventStreamsServices;
  readonly #clients = new Set<StreamClient>();
  #kept: StreamNotice[] = [];
  /** Since when everything was told: what happened before is nothing new. */
  #followsSince = 0;
  #idleSince = 0;
  readonly #told = new ToldJobs();
  /** Jobs that others changed: those to be looked at next, and those that are looked at now. */
  #changed = new Set<string>();
  #looking: ReadonlySet<string> = new Set();
  #isGathering = false;
  #isClosed = false;
  #unwatch: () => void = () => undefined;
  #cancelLook: () => void = () => undefined;

  constructor(services: EventStreamsServices) {
    this.#services = services;
  }

  start(): void {
    const { store } = this.#services;
    if (!store.isShared) return;
    this.#unwatch = store.watch((changes) => this.#changedElsewhere(changes));
    this.#lookAgain();
  }

  close(): void {
    this.#isClosed = true;
    this.#unwatch();
    this.#cancelLook();
    for (const client of this.#clients) client.end();
  }

  async open(choice: StreamChoice, caller: Caller): Promise<Readable> {
    checkTopics(choice);
    if (choice.job !== undefined) await this.#services.jobs.view(choice.job, caller);
    if (this.#isClosed) throw new PlatformError("UNAVAILABLE", "The server is shutting down.");
    if (this.#clients.size >= mostClients) {
      throw new PlatformError("UNAVAILABLE", `The server has ${mostClients} clients that follow events already.`);
    }
    this.#wakeUp();
    const client = this.#addClient(choice, caller);
    void this.#missedBy(choice).then(
      (missed) => client.begin(missed),
      () => client.end(),
    );
    return client.body;
  }

  told(step: ToldStep): void {
    if (!this.#isFollowing()) return;
    if (this.#isTold(step)) return;
    if (this.#isNext(step)) this.#tell(step);
    else this.#gather(step.state.origin._id);
  }

  #isTold({ state }: ToldStep): boolean {
    return (this.#told.seq(state.origin._id) ?? 0) >= state.seq;
  }

  /** Was everything before it told, or is it from before anybody followed? Otherwise something was done elsewhere. */
  #isNext({ before, state }: ToldStep): boolean {
    const job = state.origin._id;
    if (!before || !this.#services.store.isShared) return true;
    const told = this.#told.seq(job);
    if (told !== undefined) return told >= before.seq;
    return before.changedAt <= this.#followsSince && !this.#changed.has(job) && !this.#looking.has(job);
  }

  #addClient(choice: StreamChoice, caller: Caller): StreamClient {
    const { clock, renew } = this.#services;
    const onClose = (): void => {
      if (this.#clients.delete(client)) this.#idleSince = clock.now();
    };
    const client = new StreamClient({ choice, caller, clock, renew, onClose });
    this.#clients.add(client);
    return client;
  }

  #isFollowing(): boolean {
    if (this.#clients.size > 0) return true;
    return this.#idleSince > 0 && this.#services.clock.now() - this.#idleSince < keptForMs;
  }

  #wakeUp(): void {
    if (this.#isFollowing()) return;
    this.#kept = [];
    this.#told.clear();
    this.#followsSince = this.#services.clock.now();
  }

  /** What a client that comes again has missed; undefined: not known. One that comes first has missed nothing. */
  async #missedBy({ lastEventId, job }: StreamChoice): Promise<StreamNotice[] | undefined> {
    if (lastEventId === undefined || lastEventId === "") return [];
    const at = this.#kept.findLastIndex(({ id }) => id === lastEventId);
    if (at >= 0) return this.#kept.slice(at + 1);
    const [, jobId, seq] = /^([0-9a-f]{24})\.(\d{1,15})$/u.exec(lastEventId) ?? [];
    if (job === undefined || job !== jobId) return undefined;
    const missed = await this.#notices(job, undefined, Number(seq));
    return missed.length > mostKept ? undefined : missed;
  }

  #tell(step: ToldStep): void {
    this.#told.add(step.state);
    const notices = noticesOf(step);
    this.#kept.push(...notices);
    if (this.#kept.length > mostKept * 2) this.#kept.splice(0, this.#kept.length - mostKept);
    for (const client of this.#clients) client.offer(notices);
  }

  #changedElsewhere(changes: readonly StoreChange[]): void {
    if (!this.#isFollowing()) return;
    for (const { collection, id } of changes) {
      const job = collection === "jobs" ? id : collection === "tasks" ? parseIterationId(id)?.jobId : undefined;
      if (job !== undefined) this.#gather(job);
    }
  }

  #lookAgain(): void {
    this.#cancelLook = this.#services.clock.after(lookAgainMs, () => {
      this.#lookAgain();
      for (const { choice } of this.#clients) if (choice.job !== undefined) this.#gather(choice.job);
    });
  }

  #gather(job: string): void {
    this.#changed.add(job);
    if (this.#isGathering) return;
    this.#isGathering = true;
    this.#services.clock.after(gatherMs, () => void this.#lookAtChanged());
  }

  async #lookAtChanged(): Promise<void> {
    this.#looking = this.#changed;
    this.#changed = new Set();
    if (this.#looking.size > mostGathered) for (const client of this.#clients) client.reset();
    else for (const job of this.#looking) await this.#lookAt(job);
    this.#looking = new Set();
    this.#isGathering = false;
    const [next] = this.#changed;
    if (next !== undefined) this.#gather(next);
  }

  async #lookAt(job: string): Promise<void> {
    try {
      for await (const step of this.#steps(job, this.#told.state(job))) {
        if (this.#isTold(step)) continue;
        if (step.state.changedAt >= this.#followsSince) this.#tell(step);
        else this.#told.add(step.state);
      }
    } catch (error) {
      this.#services.logger.debug("what another node did could not be read", { job, error: String(error) });
    }
  }

  async #notices(job: string, from: JobState | undefined, afterSeq: number): Promise<StreamNotice[]> {
    const notices: StreamNotice[] = [];
    for await (const step of this.#steps(job, from)) if (step.state.seq > afterSeq) notices.push(...noticesOf(step));
    return notices;
  }

  /** The events of a log after a state, or all of them, with the states around each. */
  async *#steps(job: string, from: JobState | undefined): AsyncGenerator<ToldStep> {
    const { store, findWorkflow } = this.#services;
    let before = from;
    const source = { store, restore: restoreMarkers };
    for await (const events of loggedEvents(source, job, { after: from?.seq ?? 0 })) {
      const base = before ?? (await beginState(job, events, findWorkflow));
      if (!base) return;
      const workflow = await findWorkflow(base.origin.snapshot);
      for (const event of events) {
        const state = draftOf(before ?? base);
        applyEvent(state, event, workflow);
        yield { before, state, delta: event.delta, workflow };
        before = state;
      }
    }
  }
}

function checkTopics({ topics = [] }: StreamChoice): void {
  const known: readonly string[] = streamTopics;
  const unknown = topics.filter((topic) => !known.includes(topic));
  if (unknown.length === 0) return;
  const message = `must be some of ${streamTopics.join(", ")}`;
  throw badRequest(`Topics that are not known: ${unknown.join(", ")}`, [{ path: "/query/topic", message }]);
}
