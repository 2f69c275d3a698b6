import type { DateValue } from "./special-values.ts";

type Zone = (at: number) => number;

/** The time at which the local clock shows these fields (year, month from 0, day, hours, …). Where it shows them twice, the first. */
export function timeOfLocal(fields: readonly number[], zone: Zone): number {
  return utcOfLocal(utcOf(fields), zone);
}

/** Like `timeOfLocal`, for fields already counted as if they were UTC. */
function utcOfLocal(local: number, zone: Zone): number {
  if (Number.isNaN(local)) return local;
  const guess = local - zone(local) * 60_000;
  return local - zone(guess) * 60_000;
}

/** Years 0 to 99 are those of the last century, as in JavaScript. */
function utcOf(fields: readonly number[]): number {
  const [year = Number.NaN, month = 0, day = 1, hours = 0, minutes = 0, seconds = 0, milliseconds = 0] = fields;
  return Date.UTC(year, month, day, hours, minutes, seconds, milliseconds);
}

/** Reads a date from a text; one without a zone of its own is local time. NaN when it is unreadable. */
export function parseTime(text: string, zone: Zone): number {
  const time = Date.parse(text);
  const isDateOnly = /^\s*[+-]?\d{4,6}(?:-\d\d){0,2}\s*$/u.test(text);
  if (Number.isNaN(time) || isDateOnly || /(?:Z|UT|UTC|GMT|[A-Z]ST|[A-Z]DT|[+-]\d\d:?\d\d|\))\s*$/iu.test(text))
    return time;
  // Without a zone the text was read in the zone of the machine: take its fields there, and count them in ours.
  return utcOfLocal(time - new Date(time).getTimezoneOffset() * 60_000, zone);
}

/** Offset of the machine's time zone, in minutes ahead of UTC. */
export function machineZone(at: number): number {
  return Number.isNaN(at) ? 0 : 0 - new Date(at).getTimezoneOffset();
}

/** The fields a setter may set, in the order of its arguments. */
const fieldOrder = ["FullYear", "Month", "Date", "Hours", "Minutes", "Seconds", "Milliseconds"] as const;
export type DateField = (typeof fieldOrder)[number];

const lastFieldOfDay = 2;

/** Sets a field and, with further values, the next finer ones: of the date from the year, of the day from the hours. */
export function setFields(date: DateValue, field: DateField, values: readonly number[], isUtc: boolean): DateValue {
  const shown = isUtc ? new Date(date.time) : date.local;
  const fields = fieldOrder.map((name) => shown[`getUTC${name}`]());
  const at = fieldOrder.indexOf(field);
  const last = at <= lastFieldOfDay ? lastFieldOfDay : fieldOrder.length - 1;
  for (const [offset, value] of values.entries()) {
    if (at + offset <= last) fields[at + offset] = value;
  }
  return date.at(isUtc ? exactUtc(fields) : utcOfLocal(exactUtc(fields), (time) => date.at(time).offset));
}

/** Like Date.UTC, but for any year as it is written. */
function exactUtc([
  year = 0,
  month = 0,
  day = 1,
  hours = 0,
  minutes = 0,
  seconds = 0,
  milliseconds = 0,
]: readonly number[]): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  return date.setUTCHours(hours, minutes, seconds, milliseconds);
}
