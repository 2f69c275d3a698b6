import { isJsonObject } from "../../core/json.ts";
import { instantOf, isTimezone, localDate, weekdayOf, type LocalDate } from "./local-time.ts";

/** A window that opens again and again: from a time of day to another, on some days of the week. Minutes since midnight. */
export interface DailyWindow {
  kind: "daily";
  from: number;
  /** Not later than `from`: on the next day. */
  to: number;
  /** Days on which it opens, 0 is Sunday. */
  days: ReadonlySet<number>;
  timezone: string;
}

/** A window that opens once. Milliseconds since the epoch, `end` not included. */
export interface SingleWindow {
  kind: "single";
  start: number;
  end: number;
}

/** When a task may start (workflow-engine.md §2, `scheduled`; its shape is our own). */
export type RunWindow = DailyWindow | SingleWindow;

/** Something wrong with the field: where below it, and what. */
export interface WindowProblem {
  path: string;
  message: string;
}

const dayNames = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const clockTime = /^([01]\d|2[0-3]):([0-5]\d)$/u;
const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/u;
const membersOf = { daily: ["from", "to", "days", "timezone"], single: ["start", "end"] } as const;

/** Reads the field. `undefined`: no window; problems when it is none that can be understood. */
export function readRunWindow(scheduled: unknown): RunWindow | WindowProblem[] | undefined {
  if (scheduled === undefined || scheduled === null || scheduled === false) return undefined;
  if (!isJsonObject(scheduled)) return [{ path: "", message: "must be false, a daily window or a single window" }];
  const kind = "start" in scheduled || "end" in scheduled ? "single" : "daily";
  const known: readonly string[] = membersOf[kind];
  const unknown = Object.keys(scheduled).filter((name) => !known.includes(name));
  const problems = unknown.map((name) => ({ path: `/${name}`, message: `is no part of a ${kind} window` }));
  const window = kind === "single" ? readSingle(scheduled, problems) : readDaily(scheduled, problems);
  return problems.length > 0 ? problems : window;
}

type Members = Readonly<Record<string, unknown>>;

function readSingle(members: Members, problems: WindowProblem[]): SingleWindow {
  const read = (name: "start" | "end"): number => {
    const value = members[name];
    const at = typeof value === "string" && isoTime.test(value) ? Date.parse(value) : Number.NaN;
    if (Number.isNaN(at)) {
      problems.push({ path: `/${name}`, message: "must be a time like 2026-05-01T22:00:00Z, with its offset" });
    }
    return at;
  };
  const window: SingleWindow = { kind: "single", start: read("start"), end: read("end") };
  if (window.end <= window.start) problems.push({ path: "/end", message: "must be later than the start" });
  return window;
}

function readDaily(members: Members, problems: WindowProblem[]): DailyWindow {
  const { timezone = "UTC" } = members;
  if (typeof timezone !== "string" || !isTimezone(timezone)) {
    problems.push({ path: "/timezone", message: "must be the IANA name of a time zone, like Europe/Berlin" });
  }
  return {
    kind: "daily",
    from: readClockTime(members, "from", problems),
    to: readClockTime(members, "to", problems),
    days: readDays(members["days"], problems),
    timezone: String(timezone),
  };
}

function readClockTime(members: Members, name: "from" | "to", problems: WindowProblem[]): number {
  const value = members[name];
  const match = typeof value === "string" ? clockTime.exec(value) : null;
  if (!match) problems.push({ path: `/${name}`, message: "must be a time of day from 00:00 to 23:59" });
  return Number(match?.[1] ?? 0) * 60 + Number(match?.[2] ?? 0);
}

function readDays(days: unknown, problems: WindowProblem[]): ReadonlySet<number> {
  if (days === undefined) return new Set(dayNames.keys());
  const listed: unknown[] = Array.isArray(days) ? days : [];
  const known = listed.map((day) => dayNames.indexOf(String(day)));
  if (known.length === 0 || known.includes(-1)) {
    problems.push({ path: "/days", message: `must list some of ${dayNames.join(", ")}` });
  }
  return new Set(known);
}

/** Where a moment stands to a window. */
export type WindowPlace = { is: "open" } | { is: "shut"; opensAt: number } | { is: "over"; endedAt: number };

/** Where `at` (milliseconds since the epoch) stands to the window. */
export function placeInWindow(window: RunWindow, at: number): WindowPlace {
  if (window.kind === "daily") return placeInDaily(window, at);
  if (at >= window.end) return { is: "over", endedAt: window.end };
  return at < window.start ? { is: "shut", opensAt: window.start } : { is: "open" };
}

/** Openings are looked for so far ahead: a week, and days on which the clocks leave nothing of the window. */
const daysAhead = 22;

function placeInDaily(window: DailyWindow, at: number): WindowPlace {
  const today = localDate(at, window.timezone);
  for (let offset = -2; offset <= daysAhead; offset++) {
    const opening = openingOn(window, { ...today, day: today.day + offset });
    if (!opening || at >= opening.end) continue;
    return at < opening.start ? { is: "shut", opensAt: opening.start } : { is: "open" };
  }
  // Only where the clocks leave nothing of the window for weeks: the next day is as good as any.
  return { is: "shut", opensAt: at + 86_400_000 };
}

/**
 * The window that opens on a day; undefined when none does. A time of day that the clocks skip stands for
 * the first instant after the gap, one that they show twice for its first time: so a window never opens twice.
 */
function openingOn(window: DailyWindow, date: LocalDate): { start: number; end: number } | undefined {
  if (!window.days.has(weekdayOf(date))) return undefined;
  const { from, to, timezone } = window;
  const start = instantOf(date, from, timezone);
  const end = instantOf(to > from ? date : { ...date, day: date.day + 1 }, to, timezone);
  return end > start ? { start, end } : undefined;
}
