import type { RetentionSettings } from "../../src/workflow-engine/jobs/retention.ts";
import type { StatementFaultPlan } from "./statement-faults.ts";

/** Where a node keeps everything. */
export type StorePlace =
  /** `inline`: on the main thread, where every statement can be told of. */
  { kind: "sqlite"; file: string; thread: "inline" | "worker" } | { kind: "postgres"; url: string };

/** What a node process is started with. */
export interface NodeSettings {
  store: StorePlace;
  /** File of the outside's memory. */
  ledger: string;
  /** File of the topics whose events were acknowledged. */
  published: string;
  /** Name of this life of this node. */
  life: string;
  leaseMs: number;
  longestEffectMs?: number;
  /** How far the clock of the node is ahead of the time of day, milliseconds. */
  aheadMs?: number;
  /** How long finished jobs are kept; every second one a person deletes before. Absent: all are kept. */
  retention?: RetentionSettings;
  /** SIGKILL already when a point is reached during the start, that many times. */
  killAt?: { point: string; occurrence: number };
}

/** A job to start; without variables: those of its shape. */
export interface AskedJob {
  workflow: string;
  description: string;
  variables?: Record<string, unknown>;
}

/** Commands, one JSON line each. */
export type NodeCommand =
  | { do: "start"; jobs: readonly AskedJob[] }
  /** Kill this process when the point is reached that many times more. */
  | { do: "arm"; point: string; occurrence: number }
  /** Let statements fail from now on; without a plan: no more. */
  | { do: "fail"; plan?: StatementFaultPlan }
  /** Answer `settled` once nothing is left to do, or `withinMs` have passed. `withLater`: also what is done long after the jobs. */
  | { do: "settle"; withinMs: number; withLater?: boolean }
  /** Sets the time of day of this process by so much. */
  | { do: "jump"; ms: number }
  | { do: "count" }
  | { do: "stop" };

/** Answers, one JSON line each. */
export type NodeMessage =
  | { is: "ready" }
  /** `steadyMs`: time that no jump changes, when the start was asked for. */
  | { is: "started"; description: string; jobId: string; steadyMs: number }
  /** A job without children has completed. */
  | { is: "completed"; jobId: string; steadyMs: number }
  | { is: "refused"; description: string; reason: string }
  /** A finish of a manual task was answered. */
  | { is: "finished"; iteration: string }
  /** A deletion was answered. */
  | { is: "deleted"; jobId: string }
  | { is: "settled"; unfinished: number }
  /** How often each point was reached, and how many statements failed. */
  | { is: "counted"; points: Record<string, number>; failed: number }
  | { is: "stopped" };
