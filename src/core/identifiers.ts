import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { Clock } from "./clock.ts";

/** Makes identifiers; passed in, so that tests and replays can fix them (decision 9). */
export interface Identifiers {
  /** 24 lower-case hex characters, ordered by time: jobs and documents. */
  documentId(): string;
  /** UUID v4: workflows. */
  uuid(): string;
  /** URL-safe text of 256 random bits: session tokens and secrets. */
  secret(): string;
}

/** Identifiers of a running node: 8 hex of seconds, then 16 random hex, counted up within one second. */
export function createIdentifiers(clock: Clock): Identifiers {
  let counter = randomBytes(8).readBigUInt64BE() >> 1n;
  return {
    documentId() {
      counter = (counter + 1n) & 0xffff_ffff_ffff_ffffn;
      return secondsHex(clock.now()) + counter.toString(16).padStart(16, "0");
    },
    uuid: () => randomUUID(),
    secret: () => randomBytes(32).toString("base64url"),
  };
}

/** A time-ordered identifier that is always the same for the same origin: a repeated creation meets its first one. */
export function derivedDocumentId(atMs: number, origin: string): string {
  return secondsHex(atMs) + createHash("sha256").update(origin).digest("hex").slice(0, 16);
}

function secondsHex(atMs: number): string {
  return Math.floor(atMs / 1000)
    .toString(16)
    .padStart(8, "0")
    .slice(-8);
}
