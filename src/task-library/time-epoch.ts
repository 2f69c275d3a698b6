import { Type } from "@sinclair/typebox";
import type { Moment } from "moment";
import { oneOf, type ArgumentKind } from "./arguments.ts";
import { loadMoment } from "./time-moment.ts";

/** Unit of a number of the time since 1970-01-01T00:00Z. */
export const epochFormat = oneOf("Seconds", "Milliseconds");
type EpochFormat = "Seconds" | "Milliseconds";

/** Number since the epoch, or its text, as adapters often give it. */
export const epoch: ArgumentKind<number | string> = {
  schema: Type.Union([Type.Number(), Type.String({ pattern: String.raw`^\s*[+-]?\d+(\.\d+)?\s*$` })]),
  expected: "a number",
  accepts: (value) =>
    Number.isFinite(value) || (typeof value === "string" && /^\s*[+-]?\d+(?:\.\d+)?\s*$/u.test(value)),
};

/** The time in UTC; a fraction of a millisecond is rounded. */
export function momentOfEpoch(given: number | string, format: EpochFormat): Moment {
  return loadMoment().utc(Math.round(Number(given) * (format === "Seconds" ? 1000 : 1)));
}

/** Whole seconds, those before 1970 rounded down too, or milliseconds. */
export function toEpoch(moment: Moment, format: EpochFormat): number {
  return format === "Seconds" ? moment.unix() : moment.valueOf();
}
