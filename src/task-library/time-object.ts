import { Type } from "@sinclair/typebox";
import type { Moment } from "moment";
import { isJsonObject } from "../core/json.ts";
import { TaskError } from "../core/task.ts";
import type { ArgumentKind } from "./arguments.ts";
import { parseTime } from "./time-parsing.ts";

/** Format of the times that tasks make when no other is asked for: six digits of a second, offset without colon. */
export const defaultFormat = "YYYY-MM-DDTHH:mm:ss.SSSSSSZZ";

/** A time as the time tasks hand it to each other (tasks-and-transformations.md §2). */
export interface TimeObject {
  time: string;
  /** Format of `time` in the tokens of moment.js. */
  formatString: string;
}

/** Schema of what the tasks give. */
export const TimeObjectSchema = Type.Object({ time: Type.String(), formatString: Type.String() });

/** A time argument: a time object, whose `time` alone is enough for an ISO 8601 time, or such a text itself. */
export type TimeInput = string | { time: string | number; formatString?: string | null };

const schema = Type.Union(
  [
    Type.Object(
      { time: Type.Union([Type.String(), Type.Number()]), formatString: Type.Optional(Type.String()) },
      { additionalProperties: true },
    ),
    Type.String(),
  ],
  { description: "`{time, formatString}`; without `formatString` an ISO 8601 or RFC 2822 time." },
);

const expected = "a time object {time, formatString}";

export const time: ArgumentKind<TimeInput> = { schema, expected, accepts: isTime };

/** A time, or null or a time object without a time where a device or job has none yet. */
export const timeOrNone: ArgumentKind<TimeInput | null> = {
  schema: Type.Union([schema, Type.Null()]),
  expected: `${expected} or null`,
  accepts: (value) => value === null || value === undefined || isTime(value) || isWithoutTime(value),
};

function isTime(value: unknown): boolean {
  if (typeof value === "string") return value !== "";
  if (!isJsonObject(value)) return false;
  const { time: given, formatString } = value;
  const isFormat = typeof formatString === "string" || formatString === null || formatString === undefined;
  return (typeof given === "string" || typeof given === "number") && isFormat;
}

function isWithoutTime(value: unknown): boolean {
  return isJsonObject(value) && (value["time"] === null || value["time"] === undefined);
}

const longestText = 1000;

/** A time that was read, and the format to write it in again. */
export interface ReadTime {
  moment: Moment;
  formatString: string;
}

/** Reads a time argument; `now` fills the date where the text has only a time of day. TaskError where it is no time. */
export function readTime(given: TimeInput, now: number): ReadTime {
  const { time: value, formatString } = typeof given === "string" ? { time: given } : given;
  const text = String(value);
  const format = givenFormat(formatString);
  if (text.length > longestText) throw new TaskError(`A time may have at most ${longestText} characters`);
  return { moment: parseTime(text, format, now), formatString: format ?? defaultFormat };
}

/** The time of an argument that may have none. */
export function readTimeOrNone(given: TimeInput | null, now: number): Moment | undefined {
  const isNone = given === null || isWithoutTime(given);
  return isNone ? undefined : readTime(given, now).moment;
}

/** A time as the tasks give it. TaskError where the calendar does not reach. */
export function writeTime(moment: Moment, formatString: string | undefined): TimeObject {
  const format = givenFormat(formatString) ?? defaultFormat;
  if (!Number.isFinite(moment.valueOf())) {
    throw new TaskError("The result is out of the range of times: years -271821 to 275760");
  }
  return { time: moment.locale("en").format(format), formatString: format };
}

function givenFormat(format: string | null | undefined): string | undefined {
  if (format === undefined || format === null || format === "") return undefined;
  if (format.length > longestText) throw new TaskError(`A format may have at most ${longestText} characters`);
  return format;
}
