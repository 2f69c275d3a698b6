/** A day of the calendar; `month` from 0, `day` may lie outside the month, as `Date.UTC` takes them. */
export interface LocalDate {
  year: number;
  month: number;
  day: number;
}

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Does the platform know a time zone of this name? */
export function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).format(0) !== "";
  } catch {
    return false;
  }
}

/** The day it is in a time zone. */
export function localDate(at: number, timezone: string): LocalDate {
  const wall = new Date(wallTime(clockOf(timezone), at));
  return { year: wall.getUTCFullYear(), month: wall.getUTCMonth(), day: wall.getUTCDate() };
}

/** Day of the week, 0 is Sunday. */
export function weekdayOf({ year, month, day }: LocalDate): number {
  return new Date(Date.UTC(year, month, day)).getUTCDay();
}

/**
 * The first instant (milliseconds since the epoch) at which the clocks of a time zone show this minute of
 * the day or, where they skip it, a later one.
 */
export function instantOf({ year, month, day }: LocalDate, minute: number, timezone: string): number {
  const wanted = Date.UTC(year, month, day) + minute * minuteMs;
  const clock = clockOf(timezone);
  const offsetAt = (at: number): number => wallTime(clock, at) - at;
  // A day to either side the clocks are as they were before and as they are after a change.
  const before = wanted - offsetAt(wanted - dayMs);
  const after = wanted - offsetAt(wanted + dayMs);
  const shown = [before, after].filter((at) => at + offsetAt(at) === wanted);
  return shown.length > 0 ? Math.min(...shown) : firstAfterGap(clock, wanted, Math.min(before, after));
}

/** The clocks never show `wanted`: the change lies less than two days after `from`, and is the first instant that shows more. */
function firstAfterGap(clock: Intl.DateTimeFormat, wanted: number, from: number): number {
  let low = from - 1;
  let high = from + 2 * dayMs;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (wallTime(clock, middle) > wanted) high = middle;
    else low = middle;
  }
  return high;
}

function clockOf(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en-US", {
    timeZone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
}

/** What the clocks show, as if it were UTC. */
function wallTime(clock: Intl.DateTimeFormat, at: number): number {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const { type, value } of clock.formatToParts(at)) parts[type] = value;
  const { year, month, day, hour, minute, second } = parts;
  const whole = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  return whole + (((at % 1000) + 1000) % 1000);
}
