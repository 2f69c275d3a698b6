import type { Moment } from "moment";

interface Field {
  number: (moment: Moment) => number;
  /** Format of the field as text for people, where that is not the number. */
  name?: string;
}

const fields = {
  Millisecond: { number: (moment) => moment.millisecond() },
  Second: { number: (moment) => moment.second() },
  Minute: { number: (moment) => moment.minute() },
  Hour: { number: (moment) => moment.hour() },
  "Day of Week": { number: (moment) => moment.day(), name: "dddd" },
  "Day of Month": { number: (moment) => moment.date() },
  "Day of Year": { number: (moment) => moment.dayOfYear() },
  "Week of Year": { number: (moment) => moment.week() },
  Month: { number: (moment) => moment.month(), name: "MMMM" },
  Year: { number: (moment) => moment.year() },
} as const satisfies Record<string, Field>;

export type FieldName = keyof typeof fields;

/** Names of the fields of a time, in the order in which they are offered. */
export const fieldNames = Object.keys(fields) as FieldName[];

/** A field of a time at its own offset: English name or digits, or the number that moment.js has for it. */
export function readField(moment: Moment, name: FieldName, format: "String" | "Number"): string | number {
  const field: Field = fields[name];
  if (format === "Number") return field.number(moment);
  return field.name === undefined ? String(field.number(moment)) : moment.locale("en").format(field.name);
}
