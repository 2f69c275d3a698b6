import type { Databases } from "../processes/databases.ts";
import type { Environment } from "../processes/slow-fsync.ts";

/** What a target is started with. */
export interface TargetParts {
  databases: Databases;
  /** For the process of the target, beside what it needs itself. */
  environment: Environment;
}

/** Something that runs a workflow of ten steps for whoever asks over HTTP, and answers when it has finished. */
export interface Target {
  name: string;
  /** What is on disk when a step has ended, and where. */
  durability: string;
  start(parts: TargetParts): Promise<RunningTarget>;
}

/** The request that runs one workflow. */
export interface StartRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** A target that serves. */
export interface RunningTarget {
  /** Its process; with its descendants all it consists of, but for the database server. */
  pid: number;
  /** The database server, if it has one. */
  databasePid?: number | undefined;
  /** Milliseconds from the start of the process until it serves. */
  coldStartMs: number;
  request: StartRequest;
  /** What the last step made, read from an answer; `expectedResult` when all is well. */
  resultOf(answer: unknown): unknown;
  stop(): Promise<void>;
}

/** What all targets must make of the device `r1`. */
export const expectedResult = { device: "r1", n: 1, words: ["INTERFACE", "R1"] };
