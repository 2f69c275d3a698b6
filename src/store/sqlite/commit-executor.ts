import type { Database, Statement } from "better-sqlite3";
import type { Collections } from "../indexes.ts";
import { indexName } from "./collection-tables.ts";
import { Additions } from "../commits/additions.ts";
import type { Failure, Outcome } from "../commits/commit-outcome.ts";
import type { EncodedAddition, EncodedWrite } from "../commits/encode-writes.ts";
import { isUnavailable, messageOf, sqliteCode } from "./sqlite-errors.ts";
import { WriteRefused, WriteStatements } from "./write-statements.ts";

/** Called between two writes of one commit; to throw breaks that commit off. */
export type BetweenWrites = (commitIndex: number) => void;

interface Connection {
  database: Database;
  statements: WriteStatements;
  /** BEGIN, COMMIT, SAVEPOINT …: prepared once. */
  control: (sql: string) => void;
  /** Of commits of the group that succeeded: written at its end, those to one document as one. */
  additions: Additions;
}

const noUnchanged: readonly number[] = [];
const noAdditions: readonly EncodedAddition[] = [];

/**
 * Executes groups of commits on one connection, each group in one transaction with one fsync. Runs wherever it is
 * put: the main thread or a worker. After a disk error the connection is given up and the next group opens a new
 * one, so the store heals with its disk.
 *
 * Commits are hardly ever refused, and for a savepoint SQLite copies every page before it changes it. So a group
 * is tried without any; when one of its commits is refused, the group is rolled back and executed once more, each
 * commit under a savepoint of its own.
 */
export class CommitExecutor {
  readonly #open: () => Database;
  readonly #fieldsOfIndexes: ReadonlyMap<string, string>;
  #connection: Connection | undefined;

  constructor(open: () => Database, collections: Collections) {
    this.#open = open;
    this.#fieldsOfIndexes = fieldsOfIndexes(collections);
  }

  /** The outcome of each commit, in order; durable when this returns. */
  run(group: readonly (readonly EncodedWrite[])[], betweenWrites?: BetweenWrites): Outcome[] {
    try {
      const connection = (this.#connection ??= connect(this.#open()));
      if (group.length === 1) return this.#runTogether(connection, group, betweenWrites);
      // What is called between writes may break a commit off once only.
      const tried = betweenWrites ? undefined : this.#runTogether(connection, group);
      return tried?.every(isDone) ? tried : this.#runEach(connection, group, betweenWrites);
    } catch (error) {
      this.close();
      const failure: Failure = { failure: "unavailable", message: messageOf(error) };
      return group.map(() => failure);
    }
  }

  /** Releases the connection; a transaction under way is rolled back. */
  close(): void {
    const connection = this.#connection;
    this.#connection = undefined;
    connection?.database.close();
  }

  /** All commits or none: with the first that is refused the outcomes end, and nothing is written. */
  #runTogether(
    connection: Connection,
    group: readonly (readonly EncodedWrite[])[],
    between?: BetweenWrites,
  ): Outcome[] {
    const { control, additions } = connection;
    control("BEGIN IMMEDIATE");
    const outcomes: Outcome[] = [];
    for (const [index, writes] of group.entries()) {
      writeAwaitedAdditions(connection, writes);
      const outcome = this.#runOne(connection, writes, between && (() => between(index)));
      outcomes.push(outcome);
      if (isDone(outcome)) continue;
      additions.drop();
      control("ROLLBACK");
      return outcomes;
    }
    writeAdditions(connection);
    control("COMMIT");
    return outcomes;
  }

  #runEach(connection: Connection, group: readonly (readonly EncodedWrite[])[], between?: BetweenWrites): Outcome[] {
    const { control } = connection;
    control("BEGIN IMMEDIATE");
    const outcomes = group.map((writes, index) => {
      // Before the savepoint: they are of commits that succeeded.
      writeAwaitedAdditions(connection, writes);
      control("SAVEPOINT one");
      const outcome = this.#runOne(connection, writes, between && (() => between(index)));
      if (!isDone(outcome)) control("ROLLBACK TO one");
      control("RELEASE one");
      return outcome;
    });
    writeAdditions(connection);
    control("COMMIT");
    return outcomes;
  }

  /** After a failure some of the writes may have been executed. */
  #runOne(connection: Connection, writes: readonly EncodedWrite[], between?: () => void): Outcome {
    try {
      const { unchanged, additions } = executeWrites(connection.statements, writes, between);
      for (const addition of additions) connection.additions.add(addition);
      return { unchanged };
    } catch (error) {
      // The whole group shares the fate of its transaction.
      if (isUnavailable(error) || !connection.database.inTransaction) throw error;
      return this.#failureOf(error);
    }
  }

  #failureOf(error: unknown): Failure {
    if (error instanceof WriteRefused) return error.failure;
    const message = messageOf(error);
    switch (sqliteCode(error)) {
      case "SQLITE_CONSTRAINT_UNIQUE": {
        const name = /index '(.+)'/u.exec(message)?.[1] ?? "";
        return {
          failure: "duplicate",
          collection: name.slice(0, name.indexOf(".")),
          field: this.#fieldsOfIndexes.get(name) ?? name,
        };
      }
      case "SQLITE_CONSTRAINT_CHECK":
        return { failure: "unreadable", collection: /failed: (.+)/u.exec(message)?.[1] ?? "" };
      default:
        return { failure: "unexpected", message };
    }
  }
}

function connect(database: Database): Connection {
  // What SQLite keeps for taking a statement back would go to a file of its own from 64 kB on.
  database.pragma("temp_store = MEMORY");
  const prepared = new Map<string, Statement>();
  const control = (sql: string): void => {
    let statement = prepared.get(sql);
    if (!statement) {
      statement = database.prepare(sql);
      prepared.set(sql, statement);
    }
    statement.run();
  };
  return { database, statements: new WriteStatements(database), control, additions: new Additions() };
}

function isDone(outcome: Outcome): boolean {
  return !("failure" in outcome);
}

function writeAdditions({ statements, additions }: Connection): void {
  for (const addition of additions.take()) statements.execute(addition);
}

/** Writes the additions that wait, if a write would overtake one to its document. */
function writeAwaitedAdditions(connection: Connection, writes: readonly EncodedWrite[]): void {
  if (writes.some((write) => isWaitedFor(connection.additions, write))) writeAdditions(connection);
}

function isWaitedFor(additions: Additions, write: EncodedWrite): boolean {
  return "collection" in write && write.kind !== "add" && additions.has(write.collection, write.id);
}

interface Executed {
  unchanged: readonly number[];
  /** Left for the end of the group. */
  additions: readonly EncodedAddition[];
}

function executeWrites(statements: WriteStatements, writes: readonly EncodedWrite[], between?: () => void): Executed {
  let unchanged: number[] | undefined;
  let additions: EncodedAddition[] | undefined;
  writes.forEach((write, index) => {
    if (index > 0) between?.();
    if (write.kind === "add" && !isOvertaken(write, writes, index)) (additions ??= []).push(write);
    else if (!statements.execute(write)) (unchanged ??= []).push(index);
  });
  return { unchanged: unchanged ?? noUnchanged, additions: additions ?? noAdditions };
}

/** Does the commit itself write the document in another way after the addition? */
function isOvertaken({ collection, id }: EncodedAddition, writes: readonly EncodedWrite[], index: number): boolean {
  return writes.some(
    (other, at) =>
      at > index && other.kind !== "add" && "collection" in other && other.collection === collection && other.id === id,
  );
}

function fieldsOfIndexes(collections: Collections): Map<string, string> {
  return new Map(
    Object.entries(collections).flatMap(([collection, indexes]) =>
      indexes.map((index) => [indexName(collection, index), index.fields.join(", ")] as const),
    ),
  );
}
