import Database from "better-sqlite3";
import type { OnStatement, StatementPoint } from "./statement-names.ts";

/** How statements fail. */
export interface StatementFaultPlan {
  /** Of statements; with SQLite of transactions and of reads. 0 to 1. */
  chance: number;
  seed: number;
}

/** Statements that fail by chance. */
export interface FaultyStatements {
  onStatement: OnStatement;
  plan: StatementFaultPlan | undefined;
  /** How many failed so far. */
  failed: number;
}

/** Numbers from 0 to 1 that are always the same for the same seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed | 0;
  return () => {
    // mulberry32 (public domain, Tommy Ettinger)
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What SQLite says when the disk, a lock or the file is at fault. */
const sqliteCodes = ["SQLITE_IOERR_WRITE", "SQLITE_IOERR_FSYNC", "SQLITE_BUSY", "SQLITE_BUSY_SNAPSHOT", "SQLITE_FULL"];
/** Statements of one transaction among which the one that fails is chosen. */
const longestWait = 24;

/**
 * Faults of SQLite: of each transaction and of each read a share fails, a transaction at its beginning,
 * at one of its statements, before its COMMIT, or after its COMMIT, when all is durable but nobody is told.
 */
export function createFaultySqlite(): FaultyStatements {
  let random = () => 1;
  /** Statements of this transaction before the one that fails. */
  let countdown: number | undefined;
  let isInTransaction = false;
  let plan: StatementFaultPlan | undefined;
  const faulty: FaultyStatements = {
    failed: 0,
    get plan() {
      return plan;
    },
    set plan(next) {
      plan = next;
      random = next ? randomNumbers(next.seed) : () => 1;
    },
    onStatement(point) {
      if (!isFaulty(point)) return;
      countdown = undefined;
      isInTransaction = false;
      faulty.failed += 1;
      const code = sqliteCodes[Math.floor(random() * sqliteCodes.length)] ?? "SQLITE_IOERR";
      throw new Database.SqliteError(`fault ${point.phase} ${point.text.slice(0, 20)}`, code);
    },
  };

  const isFaulty = ({ phase, text }: StatementPoint): boolean => {
    if (!plan) return false;
    if (phase === "before" && text.startsWith("BEGIN")) {
      isInTransaction = true;
      countdown = random() < plan.chance ? Math.floor(random() * longestWait) : undefined;
    }
    if (!isInTransaction) return phase === "before" && text.startsWith("SELECT") && random() < plan.chance;
    return isTurn(phase, text);
  };

  /** Is this the statement of the transaction that fails? One that was not reached by then is its COMMIT. */
  const isTurn = (phase: StatementPoint["phase"], text: string): boolean => {
    const isCommit = text.startsWith("COMMIT");
    if (isCommit && phase === "after") isInTransaction = false;
    if (countdown === undefined) return false;
    if (isCommit) return phase === "after" || countdown % 2 === 0;
    if (phase === "after") return false;
    countdown -= 1;
    return countdown < 0;
  };
  return faulty;
}

/** What PostgreSQL, or the connection to it, says. `after`: the statement was executed, and only its answer is lost. */
const postgresFaults = [
  { phase: "before", code: "XX000", message: "an internal error" },
  { phase: "after", code: "ECONNRESET", message: "the connection was reset before the answer came" },
  { phase: "before", code: "40P01", message: "deadlock detected" },
  { phase: "before", code: "40001", message: "could not serialize access" },
  { phase: "before", code: "ECONNRESET", message: "the connection was reset" },
] as const;

/** Faults of PostgreSQL: of all statements a share fails, each kind of fault as often as the others. */
export function createFaultyPostgres(): FaultyStatements {
  let random = () => 1;
  let plan: StatementFaultPlan | undefined;
  const faulty: FaultyStatements = {
    failed: 0,
    get plan() {
      return plan;
    },
    set plan(next) {
      plan = next;
      random = next ? randomNumbers(next.seed) : () => 1;
    },
    onStatement({ phase, text }) {
      if (!plan) return;
      const choice = postgresFaults.filter((fault) => fault.phase === phase);
      if (random() >= (plan.chance * choice.length) / postgresFaults.length) return;
      const fault = choice[Math.floor(random() * choice.length)];
      faulty.failed += 1;
      throw Object.assign(new Error(`${fault?.message}: ${text.slice(0, 30)}`), { code: fault?.code });
    },
  };
  return faulty;
}
