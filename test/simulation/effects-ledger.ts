import { createHash } from "node:crypto";
import { closeSync, existsSync, openSync, readFileSync, writeSync } from "node:fs";

/** One effect outside the engine, as the outside remembers it. */
export interface LedgerEntry {
  /** Idempotency key the effect came with. */
  key: string;
  /** Digest of the arguments. */
  incoming: string;
  /** Which life of which process made it. */
  node: string;
  /** When, milliseconds since the epoch. */
  at: number;
}

/** The outside: it remembers each effect before it answers, whatever becomes of who asked for it. */
export interface EffectsLedger {
  record(key: string, incoming: unknown, at: number): void;
  close(): void;
}

/** A ledger in a file that several processes append to. A line is one write, so that it is there or not. */
export function openLedger(file: string, node: string): EffectsLedger {
  const descriptor = openSync(file, "a");
  return {
    record(key, incoming, at) {
      const digest = createHash("sha256").update(JSON.stringify(incoming)).digest("hex").slice(0, 16);
      const entry: LedgerEntry = { key, incoming: digest, node, at };
      writeSync(descriptor, `${JSON.stringify(entry)}\n`);
    },
    close: () => closeSync(descriptor),
  };
}

/** All effects of a ledger in the order they were made. */
export function readLedger(file: string): LedgerEntry[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as LedgerEntry);
}
