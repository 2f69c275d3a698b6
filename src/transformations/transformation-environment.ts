import type { Effort } from "../core/heavy-work.ts";

/** A regular expression that always comes to an end; one that takes too long throws. */
export interface RegularExpression {
  test(text: string): boolean;
  /** First match at or after `from`. */
  exec(text: string, from?: number): RegularExpressionMatch | undefined;
  /** Every match from left to right. */
  execAll(text: string): RegularExpressionMatch[];
}

/** One match: where it begins, and the text of the whole (place 0) and of each group. */
export interface RegularExpressionMatch {
  index: number;
  groups: readonly (string | undefined)[];
  /** Named groups and their places. */
  names: ReadonlyMap<string, number>;
}

/** What a run takes from outside. */
export interface TransformationEnvironment {
  /**
   * Given on the event loop: a run adds what it costs. One that takes more than a few milliseconds throws
   * HeavyWorkError, and so may `query` and `compileRegularExpression`.
   */
  effort?: Effort;
  /** A run begins: what its patterns may take is counted anew. */
  begin?(): void;
  /** Milliseconds since the epoch. Asked again during the run, to end one that takes too long. */
  now(): number;
  /** 0 ≤ x < 1. */
  random(): number;
  /** Minutes that local time is ahead of UTC; absent: the time zone of the machine. */
  timeZoneOffset?: number;
  /** The query language of the field, for `WorkFlowEngine.query`. */
  query(query: string, value: unknown): { found: boolean; value: unknown };
  /** Throws for a malformed pattern. Used for every pattern of a document, schemas included. */
  compileRegularExpression(source: string, flags?: string): RegularExpression;
}
