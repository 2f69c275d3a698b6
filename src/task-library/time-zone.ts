import type { Moment } from "moment";
import { Type } from "@sinclair/typebox";
import { TaskError } from "../core/task.ts";
import type { ArgumentKind } from "./arguments.ts";
import { loadMoment, type MomentLibrary } from "./time-moment.ts";

/** The range of offsets in use, and of those that moment.js takes: minutes. */
const westernmost = -12 * 60;
const easternmost = 14 * 60;

/** A time zone argument: an offset from UTC as text or in minutes, or the IANA name of a zone. */
export const timezone: ArgumentKind<string | number> = {
  schema: Type.Union([Type.String({ minLength: 1 }), Type.Integer({ minimum: westernmost, maximum: easternmost })], {
    description: "Offset such as `-04:00` or `+05:30`, offset in minutes, or name of a zone such as `Europe/Berlin`.",
  }),
  expected: "an offset such as -04:00, whole minutes from -720 to 840, or the name of a time zone",
  accepts: (value) =>
    (typeof value === "string" && value !== "") || (Number.isInteger(value) && isInRange(Number(value))),
};

const offset = /^([+-])(\d{1,2})(?:[:.]?(\d{2}))?$/u;
const zoneName = /^[A-Za-z][\w+\-/]{1,60}$/u;

/**
 * The same instant, as the clocks of a zone show it. Fixed offsets have no daylight saving time; zones by name follow
 * their rules. TaskError that names the zone where it is unknown.
 */
export function inZone(moment: Moment, zone: string | number): Moment {
  if (typeof zone === "number") return moment.utcOffset(offsetText(zone < 0 ? "-" : "+", Math.abs(zone)));
  const name = zone.trim();
  if (/^(?:utc|gmt|z)$/iu.test(name)) return moment.utcOffset("+00:00");
  const [, sign, hours = "", minutes = "0"] = offset.exec(name) ?? [];
  if (sign === undefined) return loadMoment().tz(moment, knownZone(name));
  const size = Number(hours) * 60 + Number(minutes);
  if (Number(minutes) > 59 || !isInRange(sign === "-" ? -size : size)) throw unknownZone(zone);
  return moment.utcOffset(offsetText(sign, size));
}

function isInRange(minutes: number): boolean {
  return minutes >= westernmost && minutes <= easternmost;
}

/** As text, because Moment takes numbers below 16 for hours. */
function offsetText(sign: string, minutes: number): string {
  const twoDigits = (value: number): string => String(value).padStart(2, "0");
  return `${sign}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}

function knownZone(name: string): string {
  const zone = isLookedUpSafely(name) ? findZone(loadMoment(), name) : null;
  if (!zone) throw unknownZone(name);
  return zone.name;
}

/** Moment keeps zones by name in plain objects, so a member of their prototype is no name. */
function isLookedUpSafely(name: string): boolean {
  return zoneName.test(name) && !(name.toLowerCase() in Object.prototype);
}

function findZone({ tz }: MomentLibrary, name: string): { name: string } | null {
  return tz.zone(name);
}

function unknownZone(zone: string): TaskError {
  return new TaskError(
    `Unknown time zone: ${JSON.stringify(zone.slice(0, 100))}. Use an offset such as -04:00 or a name such as Europe/Berlin`,
  );
}
