import type { Moment } from "moment";
import { TaskError } from "../core/task.ts";
import { loadMoment } from "./time-moment.ts";

/**
 * Reads a time: by its format, in which what does not fit is passed over as moment.js does, or without one as
 * ISO 8601 or RFC 2822. The offset of the text stays its own; a text without one is UTC. What the text leaves
 * out of the date is that of `now` in UTC. Nothing depends on the zone, the locale or the clock of the machine.
 * TaskError that names the text and the format.
 */
export function parseTime(text: string, format: string | undefined, now: number): Moment {
  const moment = format === undefined ? parseStandard(text) : parseFormatted(text, format, now);
  if (!moment.isValid()) throw unreadable(text, format);
  return hasOffset(moment) ? moment.parseZone() : moment;
}

const english = "en";

function parseStandard(text: string): Moment {
  const { utc, RFC_2822 } = loadMoment();
  const iso = parseIso(text);
  return iso.isValid() ? iso : utc(text, RFC_2822, english);
}

function parseIso(text: string): Moment {
  const { utc, ISO_8601 } = loadMoment();
  return utc(text, ISO_8601, english);
}

function parseFormatted(text: string, format: string, now: number): Moment {
  const { utc } = loadMoment();
  const moment = utc(text, withLongYear(text, format), english);
  if (moment.parsingFlags().empty) throw unreadable(text, format);
  const standard = lacksOffset(moment) ? parseIso(text) : undefined;
  if (standard?.parsingFlags().iso) return standard;
  const missing = missingDate(moment);
  if (missing === "") return moment;
  if (missing === "unknown") throw new TaskError(`${described(text, format)} names no day: a week needs its year`);
  return utc(`${utc(now).format(missing)} ${text}`, `${missing} ${format}`, english);
}

/** The token YYYY writes years of any length, and reads four digits of them. */
function withLongYear(text: string, format: string): string {
  const isLong = /^(?:[+-]\d|\d{5})/u.test(text) && /^YYYY[^\w[]/u.test(format);
  return isLong ? format.slice("YYY".length) : format;
}

/** Format of the beginning of the date that the text does not name; `unknown` where only a week or weekday is named. */
function missingDate(moment: Moment): "" | "YYYY" | "YYYY-MM" | "YYYY-MM-DD" | "unknown" {
  const [year, month, day] = moment.parsingFlags().parsedDateParts as (number | undefined)[];
  const has = (tokens: RegExp): boolean => usesToken(moment, tokens);
  if (has(/[Xx]/u)) return "";
  const isByWeek = month === undefined && day === undefined && !has(/DDD/u) && has(/[gGwWdeE]/u);
  if (isByWeek) return has(/[wW]/u) && (year !== undefined || has(/[gG]/u)) ? "" : "unknown";
  if (year !== undefined) return "";
  if (month !== undefined) return "YYYY";
  return day === undefined ? "YYYY-MM-DD" : "YYYY-MM";
}

/** An RFC 2822 time, which has no format, always has one. */
function hasOffset(moment: Moment): boolean {
  return typeof moment.creationData().format !== "string" || usesToken(moment, /Z/u);
}

/**
 * The format asks for an offset and does not find it. In a time without fraction of a second that is because the digits
 * of the offset were taken for the fraction; an ISO 8601 time is then read as such.
 */
function lacksOffset(moment: Moment): boolean {
  return moment.parsingFlags().unusedTokens.some((token) => token.startsWith("Z"));
}

/** Is there such a token in the format that found its part of the text? */
function usesToken(moment: Moment, tokens: RegExp): boolean {
  const { format } = moment.creationData();
  const unused = moment.parsingFlags().unusedTokens;
  if (typeof format !== "string") return false;
  const letters = format.replaceAll(/\[[^\]]*\]|\\./gu, "");
  return tokens.test(letters) && !unused.some((token) => tokens.test(token));
}

function unreadable(text: string, format: string | undefined): TaskError {
  return new TaskError(`Invalid time: ${described(text, format)}`);
}

function described(text: string, format: string | undefined): string {
  const shown = JSON.stringify(text.slice(0, 100));
  return format === undefined
    ? `${shown} is neither an ISO 8601 nor an RFC 2822 time, and no formatString is given`
    : `${shown} as ${JSON.stringify(format.slice(0, 100))}`;
}
