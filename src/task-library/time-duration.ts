import { Type } from "@sinclair/typebox";
import type { Duration } from "moment";
import { isJsonObject } from "../core/json.ts";
import { TaskError } from "../core/task.ts";
import type { ArgumentKind } from "./arguments.ts";
import { loadMoment } from "./time-moment.ts";

type Amount = number | string;
/** Every way to write a duration. */
export type DurationInput = Amount | Readonly<Record<string, unknown>> | readonly [amount: Amount, unit: string];

/** A duration argument; may be negative. */
export const duration: ArgumentKind<DurationInput> = {
  schema: Type.Union(
    [
      Type.Object({}, { additionalProperties: true }),
      Type.Number(),
      Type.String(),
      Type.Array(Type.Union([Type.Number(), Type.String()]), { minItems: 2, maxItems: 2 }),
    ],
    {
      description:
        'Object of units (`{"days": 7, "months": 1}`), milliseconds, ISO 8601 text (`P7DT1M`), clock text (`01:30:00`) or `[7, "days"]`.',
    },
  ),
  expected: 'an object such as {"days": 7}, milliseconds, ISO 8601 text or [amount, unit]',
  accepts: (value) => typeof value === "number" || typeof value === "string" || isJsonObject(value) || isPair(value),
};

function isPair(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && isAmount(value[0]) && typeof value[1] === "string";
}

function isAmount(value: unknown): value is Amount {
  return typeof value === "number" || typeof value === "string";
}

const isoAmount = "(?:[+-]?\\d+(?:[.,]\\d+)?";
const isoDuration = new RegExp(
  `^[+-]?P(?=.)${isoAmount}Y)?${isoAmount}M)?${isoAmount}W)?${isoAmount}D)?(?:T(?=.)${isoAmount}H)?${isoAmount}M)?${isoAmount}S)?)?$`,
  "u",
);
const clockDuration = /^[+-]?(?:\d+[. ])?\d+:\d+(?::\d+(?:\.\d*)?)?$/u;
const plainNumber = /^[+-]?\d+(?:\.\d+)?$/u;
const longestText = 200;

/** The duration an argument means; nothing given is none. TaskError that says what cannot be read. */
export function readDuration(given: DurationInput | undefined): Duration {
  const read = loadMoment().duration(given === undefined ? 0 : unitsOf(given));
  if (!read.isValid()) {
    throw new TaskError(`Only the smallest unit of a duration may have a fraction: ${shown(given)}`);
  }
  return read;
}

type Units = Record<string, number>;

function unitsOf(given: DurationInput): Units | string {
  if (typeof given === "number") return { milliseconds: finite("milliseconds", given) };
  if (typeof given === "string") return readText(given.trim());
  if (isJsonObject(given)) return readUnits(Object.entries(given));
  const [amount, unit] = given as readonly [Amount, string];
  return readUnits([[unit, amount]]);
}

function readText(given: string): Units | string {
  if (given.startsWith("{")) return readUnits(Object.entries(parseObject(given)));
  if (plainNumber.test(given)) return { milliseconds: Number(given) };
  const isKnown = given.length <= longestText && (isoDuration.test(given) || clockDuration.test(given));
  if (!isKnown) throw new TaskError(`Not a duration: ${shown(given)}. Use {"days": 7} or P7D`);
  return given;
}

/** People type an object into a text field. */
function parseObject(given: string): Record<string, unknown> {
  try {
    return JSON.parse(given) as Record<string, unknown>;
  } catch {
    throw new TaskError(`Not a duration: ${shown(given)} is no JSON object`);
  }
}

const units: readonly string[] = ["year", "quarter", "month", "week", "day", "hour", "minute", "second", "millisecond"];

function readUnits(entries: readonly (readonly [unit: string, amount: unknown])[]): Units {
  const read: Units = {};
  for (const [name, amount] of entries) {
    const unit = unitNamed(name);
    read[unit] = (read[unit] ?? 0) + amountOf(name, amount);
  }
  return read;
}

function unitNamed(name: string): string {
  const unit = loadMoment().normalizeUnits(name as "days") as string | undefined;
  if (unit !== undefined && units.includes(unit)) return unit;
  throw new TaskError(`Unknown unit of a duration: ${shown(name)}. Units: ${units.join("s, ")}s`);
}

/** Nothing given counts as none, so that a form may send all units. */
function amountOf(unit: string, amount: unknown): number {
  if (amount === "" || amount === null || amount === undefined) return 0;
  const isNumeric = typeof amount === "number" || (typeof amount === "string" && plainNumber.test(amount));
  return finite(unit, isNumeric ? Number(amount) : Number.NaN, amount);
}

function finite(unit: string, value: number, given: unknown = value): number {
  if (Number.isFinite(value)) return value;
  throw new TaskError(`Not a number of ${unit.slice(0, 50)} in a duration: ${shown(given)}`);
}

function shown(given: unknown): string {
  return (JSON.stringify(given) ?? "nothing").slice(0, 100);
}
