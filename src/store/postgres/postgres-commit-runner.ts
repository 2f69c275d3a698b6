import { isSilent, type Failure, type Outcome } from "../commits/commit-outcome.ts";
import type { CommitRunner, PendingCommit } from "../commits/commit-runner.ts";
import type { EncodedWrite } from "../commits/encode-writes.ts";
import { Connection, type ConnectionOptions } from "./connection.ts";
import { foldWrites, rowOf, type Step } from "./fold-writes.ts";
import { addedDocuments, answerKey, groupStatement, type GroupAnswer, type Statement } from "./group-statement.ts";
import { KnownTexts } from "./known-texts.ts";
import { failureOf, isOvertaken, isRepeatable, isVerdict, messageOf, type UniqueIndexes } from "./postgres-errors.ts";

interface Member {
  position: number;
  encoded: readonly EncodedWrite[];
  steps: readonly Step[];
}

const mostRepeats = 5;
/** What a deadline allows beside the time for a small statement. */
const bytesPerMs = 10_000;

/** Every write finds its row by a key: no plan but that is ever right, however small a table is at first. */
const settings = {
  enable_seqscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  plan_cache_mode: "force_generic_plan",
};

/**
 * Executes groups of commits on one connection of its own, all commits of a group that concern different
 * rows in one statement: one round trip and one flush of the server's log. A group that is refused is
 * halved until the commit at fault stands alone; what was refused has left nothing.
 */
export class PostgresCommitRunner implements CommitRunner {
  readonly #options: ConnectionOptions;
  readonly #indexes: UniqueIndexes;
  readonly #known = new KnownTexts();
  #connection: Connection | undefined;
  /** The server's process of a connection that was given up with a statement under way. */
  #abandoned: number | undefined;

  constructor(options: ConnectionOptions, indexes: UniqueIndexes) {
    this.#options = options;
    this.#indexes = indexes;
  }

  async run(group: readonly PendingCommit[]): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = [];
    const members = group.map(({ encoded }, position) => ({ position, encoded, steps: foldWrites(encoded) }));
    for (const wave of wavesOf(members)) {
      await this.#runWave(wave, outcomes);
      const last = outcomes.at(-1);
      if (last && isSilent(last)) return members.map(({ position }) => outcomes[position] ?? last);
    }
    return outcomes;
  }

  async close(): Promise<void> {
    await this.#connection?.end();
    this.#connection = undefined;
  }

  async #runWave(wave: readonly Member[], outcomes: Outcome[], repeats = 0): Promise<void> {
    try {
      const answers = await this.#execute(wave);
      const changed = changedIds(answers);
      for (const { position, encoded } of wave) outcomes[position] = { unchanged: unchangedOf(encoded, changed) };
    } catch (error) {
      if (isRepeatable(error) && repeats < mostRepeats) return this.#runWave(wave, outcomes, repeats + 1);
      if (wave.length > 1 && isVerdict(error) && !isRepeatable(error)) return this.#halve(wave, outcomes);
      const failure = this.#failureOf(error, wave);
      for (const { position } of wave) outcomes[position] = failure;
      if (!isVerdict(error)) this.#giveUp();
    }
  }

  async #halve(wave: readonly Member[], outcomes: Outcome[]): Promise<void> {
    const middle = wave.length >> 1;
    await this.#runWave(wave.slice(0, middle), outcomes);
    await this.#runWave(wave.slice(middle), outcomes);
  }

  async #execute(wave: readonly Member[]): Promise<GroupAnswer[]> {
    const connection = await this.#connected();
    const [alone] = wave;
    if (alone && alone.steps.length > 1) return executeSteps(connection, alone.steps);
    return this.#executeGroup(
      connection,
      wave.flatMap(({ steps }) => steps),
    );
  }

  async #executeGroup(connection: Connection, steps: readonly Step[]): Promise<GroupAnswer[]> {
    const statement = groupStatement(steps, this.#known);
    try {
      const answers = await connection.query<GroupAnswer>(statement, undefined, extraMsFor(statement));
      for (const document of [...statement.exchanges, ...answers.flatMap(addedDocuments)]) this.#known.learn(document);
      return answers;
    } catch (error) {
      // Another node may have added to a document: then nothing of the statement happened, and the server adds.
      if (statement.exchanges.length === 0 || !isOvertaken(error)) throw error;
      this.#known.forget();
      return this.#executeGroup(connection, steps);
    }
  }

  async #connected(): Promise<Connection> {
    if (this.#connection && !this.#connection.isClosed) return this.#connection;
    if (this.#connection) this.#giveUp();
    const connection = await new Connection(this.#options, settings).open();
    // What the old connection sent and the server has not read yet must not be executed late.
    if (this.#abandoned) await connection.query("SELECT pg_terminate_backend($1)", [this.#abandoned]);
    this.#abandoned = undefined;
    this.#connection = connection;
    return connection;
  }

  #giveUp(): void {
    this.#abandoned = this.#connection?.processId || this.#abandoned;
    this.#connection?.close();
    this.#connection = undefined;
  }

  #failureOf(error: unknown, wave: readonly Member[]): Failure {
    if (isRepeatable(error)) return { failure: "unavailable", message: messageOf(error) };
    const events = wave.flatMap(({ encoded }) => encoded.filter((write) => write.kind === "appendEvent"));
    return failureOf(error, this.#indexes, events[0]?.jobId ?? "");
  }
}

/** A commit whose writes depend on each other: a transaction of several statements. */
async function executeSteps(connection: Connection, steps: readonly Step[]): Promise<GroupAnswer[]> {
  const answers: GroupAnswer[] = [];
  await connection.query("BEGIN");
  try {
    for (const step of steps) {
      const statement = groupStatement([step]);
      answers.push(...(await connection.query<GroupAnswer>(statement, undefined, extraMsFor(statement))));
    }
    await connection.query("COMMIT");
  } catch (error) {
    if (isVerdict(error)) await connection.query("ROLLBACK");
    throw error;
  }
  return answers;
}

function extraMsFor({ values }: Statement): number {
  let bytes = 0;
  for (const value of values) if (typeof value === "string") bytes += value.length;
  return Math.floor(bytes / bytesPerMs);
}

/** Cuts a group, keeping its order, so that within a wave no two commits concern the same row but by additions. */
function wavesOf(members: readonly Member[]): Member[][] {
  const waves: Member[][] = [];
  let rows = new TouchedRows();
  let wave: Member[] = [];
  const endWave = (): void => {
    if (wave.length > 0) waves.push(wave);
    wave = [];
    rows = new TouchedRows();
  };
  for (const member of members) {
    if (member.steps.length > 1 || rows.stopsAny(member.encoded)) endWave();
    wave.push(member);
    rows.add(member.encoded);
    if (member.steps.length > 1) endWave();
  }
  endWave();
  return waves;
}

/** Rows that the commits of a wave concern, and how. */
class TouchedRows {
  readonly #rows = new Map<string, EncodedWrite["kind"]>();

  /** Must one of the writes wait for what the wave does? Additions do not wait for additions, nor requirements for requirements. */
  stopsAny(writes: readonly EncodedWrite[]): boolean {
    return writes.some((write) => {
      const earlier = this.#rows.get(rowOf(write));
      const isShared = write.kind === earlier && (write.kind === "add" || write.kind === "require");
      return earlier !== undefined && !isShared;
    });
  }

  add(writes: readonly EncodedWrite[]): void {
    for (const write of writes) this.#rows.set(rowOf(write), write.kind);
  }
}

const noUnchanged: readonly number[] = [];

/** Part of the statement → identifiers it changed. */
function changedIds(answers: readonly GroupAnswer[]): ReadonlyMap<string, ReadonlySet<string>> {
  const changed = new Map<string, Set<string>>();
  for (const answer of answers) {
    for (const [key, ids] of Object.entries(answer)) {
      if (Array.isArray(ids)) changed.set(key, new Set([...(changed.get(key) ?? []), ...ids]));
    }
  }
  return changed;
}

/** Positions of writes that had nothing to do. */
function unchangedOf(
  encoded: readonly EncodedWrite[],
  changed: ReadonlyMap<string, ReadonlySet<string>>,
): readonly number[] {
  let unchanged: number[] | undefined;
  encoded.forEach((write, position) => {
    const key = answerKey(write);
    if (key !== undefined && "id" in write && !changed.get(key)?.has(write.id)) (unchanged ??= []).push(position);
  });
  return unchanged ?? noUnchanged;
}
