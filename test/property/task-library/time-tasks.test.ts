import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { timeTasks } from "../../../src/task-library/time-tasks.ts";

// The oracle is the calendar of JavaScript itself (`Date` in UTC, `Intl`) and arithmetic by hand, not the calendar library.

/** The value of the one outgoing variable. */
function run<Value>(name: string, incoming: Record<string, unknown>, now = 0): Value {
  const result = timeTasks.find((task) => task.name === name)?.run?.(incoming, { now, random: () => 0 });
  return Object.values(result?.outgoing ?? {})[0] as Value;
}

interface Time {
  time: string;
  formatString: string;
}

const minuteMs = 60_000;
const dayMs = 86_400_000;
const runs = { numRuns: 10_000 };

const instant = fc.integer({ min: Date.UTC(1971, 0, 1), max: Date.UTC(2037, 11, 31) });
/** Minutes east of UTC. */
const offset = fc.integer({ min: -720, max: 840 });

const digits = (value: number, length: number) => String(value).padStart(length, "0");
const offsetText = (minutes: number, colon: string) => {
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${digits(Math.floor(size / 60), 2)}${colon}${digits(size % 60, 2)}`;
};

const months = "January February March April May June July August September October November December".split(" ");
const weekdays = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

const year = (wall: Date) => digits(wall.getUTCFullYear(), 4);
const month = (wall: Date) => digits(wall.getUTCMonth() + 1, 2);
const day = (wall: Date) => digits(wall.getUTCDate(), 2);
const hour = (wall: Date) => digits(wall.getUTCHours(), 2);
const minute = (wall: Date) => digits(wall.getUTCMinutes(), 2);
const second = (wall: Date) => digits(wall.getUTCSeconds(), 2);
const milli = (wall: Date) => digits(wall.getUTCMilliseconds(), 3);
const ofDay = (wall: Date) =>
  Math.floor(
    (Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate()) - Date.UTC(wall.getUTCFullYear(), 0, 1)) /
      dayMs,
  ) + 1;

/** Year and week of ISO 8601: those of the Thursday of the same week. */
function isoWeek(wall: Date): { year: number; week: number } {
  const fromMonday = (wall.getUTCDay() + 6) % 7;
  const thursday = new Date(wall.getTime() + (3 - fromMonday) * dayMs);
  return { year: thursday.getUTCFullYear(), week: Math.floor((ofDay(thursday) - 1) / 7) + 1 };
}

interface Format {
  formatString: string;
  /** By hand; `wall` shows in UTC what the clocks show. */
  write: (wall: Date, offset: number) => string;
  /** What of the instant the format keeps, in milliseconds. */
  grain: number;
}

const formats: readonly Format[] = [
  {
    formatString: "YYYY-MM-DDTHH:mm:ss.SSSSSSZZ",
    write: (wall, east) =>
      `${year(wall)}-${month(wall)}-${day(wall)}T${hour(wall)}:${minute(wall)}:${second(wall)}.${milli(wall)}000${offsetText(east, "")}`,
    grain: 1,
  },
  {
    formatString: "YYYY-MM-DDTHH:mm:ss.SSSZ",
    write: (wall, east) =>
      `${year(wall)}-${month(wall)}-${day(wall)}T${hour(wall)}:${minute(wall)}:${second(wall)}.${milli(wall)}${offsetText(east, ":")}`,
    grain: 1,
  },
  {
    formatString: "DD/MM/YYYY hh:mm:ss A Z",
    write: (wall, east) =>
      `${day(wall)}/${month(wall)}/${year(wall)} ${digits(wall.getUTCHours() % 12 || 12, 2)}:${minute(wall)}:${second(wall)} ${wall.getUTCHours() < 12 ? "AM" : "PM"} ${offsetText(east, ":")}`,
    grain: 1000,
  },
  {
    formatString: "dddd, D. MMMM YYYY [at] H:mm Z",
    write: (wall, east) =>
      `${weekdays[wall.getUTCDay()]}, ${wall.getUTCDate()}. ${months[wall.getUTCMonth()]} ${year(wall)} at ${wall.getUTCHours()}:${minute(wall)} ${offsetText(east, ":")}`,
    grain: minuteMs,
  },
  {
    formatString: "GGGG-[W]WW-E HH:mm Z",
    write: (wall, east) =>
      `${digits(isoWeek(wall).year, 4)}-W${digits(isoWeek(wall).week, 2)}-${wall.getUTCDay() || 7} ${hour(wall)}:${minute(wall)} ${offsetText(east, ":")}`,
    grain: minuteMs,
  },
  {
    formatString: "YYYY-DDDD HH:mm Z",
    write: (wall, east) =>
      `${year(wall)}-${digits(ofDay(wall), 3)} ${hour(wall)}:${minute(wall)} ${offsetText(east, ":")}`,
    grain: minuteMs,
  },
  {
    formatString: "X",
    write: (wall, east) => String(Math.floor((wall.getTime() - east * minuteMs) / 1000)),
    grain: 1000,
  },
  { formatString: "x", write: (wall, east) => String(wall.getTime() - east * minuteMs), grain: 1 },
];
const format = fc.constantFrom(...formats);

const wallAt = (at: number, east: number) => new Date(at + east * minuteMs);

/** Zones whose rules of these years are settled, so that every release of the data agrees. */
const zones = [
  "America/New_York",
  "America/St_Johns",
  "America/Phoenix",
  "Asia/Kolkata",
  "Asia/Kathmandu",
  "Asia/Tokyo",
  "Australia/Lord_Howe",
  "Australia/Sydney",
  "Europe/Berlin",
  "Europe/London",
  "Pacific/Apia",
  "Pacific/Kiritimati",
  "UTC",
] as const;

const clocks = new Map(
  zones.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat("en-US", {
      timeZone,
      calendar: "gregory",
      numberingSystem: "latn",
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    }),
  ]),
);

/** What the clocks of a zone show, by `Intl`. */
function shownBy(zone: (typeof zones)[number], at: number): string {
  const parts = Object.fromEntries((clocks.get(zone)?.formatToParts(at) ?? []).map(({ type, value }) => [type, value]));
  return `${parts["year"]}-${parts["month"]}-${parts["day"]} ${parts["hour"]}:${parts["minute"]}:${parts["second"]}`;
}

describe("times", () => {
  it("are written at a fixed offset as by hand, and read back", () => {
    fc.assert(
      fc.property(instant, offset, format, (at, east, { formatString, write, grain }) => {
        const shown = run<Time>("getTime", { timezone: offsetText(east, ":"), format: formatString }, at);
        expect(shown).toEqual({ time: write(wallAt(at, east), east), formatString });
        expect(run("convertTimeToEpoch", { inputTime: shown, EpochFormat: "Milliseconds" }, 0)).toBe(
          Math.floor(at / grain) * grain,
        );
      }),
      runs,
    );
  });

  it("keep their offset from one format to another", () => {
    fc.assert(
      fc.property(instant, offset, format, (at, east, { formatString, write }) => {
        const inputTime = { time: write(wallAt(at, east), east), formatString };
        const isInstant = formatString.toLowerCase() === "x";
        const { time } = run<Time>("convertTimeFormat", { inputTime, newFormatString: "Z" });
        expect(time).toBe(isInstant ? "+00:00" : offsetText(east, ":"));
      }),
      { numRuns: 2000 },
    );
  });

  it("are shown in a zone as Intl shows them", () => {
    const formatString = "YYYY-MM-DD HH:mm:ss";
    fc.assert(
      fc.property(instant, fc.constantFrom(...zones), (at, zone) => {
        expect(run("getTime", { timezone: zone, format: formatString }, at)).toEqual({
          time: shownBy(zone, at),
          formatString,
        });
        const inputTime = { time: new Date(at).toISOString().slice(0, 19).replace("T", " "), formatString };
        expect(run("convertTimezone", { inputTime, NewTimezone: zone })).toEqual({
          time: shownBy(zone, at),
          formatString,
        });
      }),
      runs,
    );
  });

  it("have the fields that Date has", () => {
    fc.assert(
      fc.property(instant, offset, (at, east) => {
        const wall = wallAt(at, east);
        const inputTime = run<Time>("getTime", { timezone: east }, at);
        const field = (name: string) => run("extractField", { inputTime, field: name, outputFormat: "Number" });
        const text = (name: string) => run("extractField", { inputTime, field: name, outputFormat: "String" });
        const beginOfYear = new Date(Date.UTC(wall.getUTCFullYear(), 0, 1)).getUTCDay();
        const endOfWeek = new Date(wall.getTime() + (6 - wall.getUTCDay()) * dayMs).getUTCFullYear();
        const week = Math.floor((ofDay(wall) - 1 + beginOfYear) / 7) + 1;
        expect(field("Year")).toBe(wall.getUTCFullYear());
        expect([field("Month"), text("Month")]).toEqual([wall.getUTCMonth(), months[wall.getUTCMonth()]]);
        expect([field("Day of Month"), text("Day of Month")]).toEqual([wall.getUTCDate(), String(wall.getUTCDate())]);
        expect([field("Day of Week"), text("Day of Week")]).toEqual([wall.getUTCDay(), weekdays[wall.getUTCDay()]]);
        expect(field("Day of Year")).toBe(ofDay(wall));
        expect(field("Week of Year")).toBe(endOfWeek > wall.getUTCFullYear() ? 1 : week);
        expect([field("Hour"), field("Minute")]).toEqual([wall.getUTCHours(), wall.getUTCMinutes()]);
        expect([field("Second"), field("Millisecond")]).toEqual([wall.getUTCSeconds(), wall.getUTCMilliseconds()]);
      }),
      { numRuns: 2000 },
    );
  });

  it("of an epoch come back as it", () => {
    const far = fc.integer({ min: -8.64e15, max: 8.64e15 });
    fc.assert(
      fc.property(far, (at) => {
        const inputTime = run<Time>("convertEpochToObject", { epoch: at, epochFormat: "Milliseconds" });
        expect(run("convertTimeToEpoch", { inputTime, EpochFormat: "Milliseconds" })).toBe(at);
        expect(run("convertTimeToEpoch", { inputTime, EpochFormat: "Seconds" })).toBe(Math.floor(at / 1000));
      }),
      runs,
    );
  });
});

describe("durations", () => {
  const amount = fc.integer({ min: -500, max: 500 });

  it("of weeks and smaller units are milliseconds at a fixed offset", () => {
    fc.assert(
      fc.property(
        instant,
        offset,
        fc.record({ weeks: amount, days: amount, hours: amount, minutes: amount }),
        (at, east, given) => {
          const { weeks, days, hours, minutes } = given;
          const inputTime = run<Time>("getTime", { timezone: east }, at);
          const newTime = run<Time>("addDuration", { inputTime, offsetDuration: given });
          const expected = at + ((weeks * 7 + days) * 1440 + hours * 60 + minutes) * minuteMs;
          expect(newTime.time).toBe(formats[0]?.write(wallAt(expected, east), east));
          const timeDiff = run<Record<string, number>>("calculateTimeDiff", {
            firstTime: newTime,
            secondTime: inputTime,
          });
          expect(timeDiff).toMatchObject({ milliseconds: expected - at, hours: (expected - at) / (60 * minuteMs) });
        },
      ),
      runs,
    );
  });

  it("of months keep the day, or take the last one of the month", () => {
    fc.assert(
      fc.property(instant, offset, amount, fc.boolean(), (at, east, count, isIso) => {
        const wall = wallAt(at, east);
        const inputTime = run<Time>("getTime", { timezone: east }, at);
        const offsetDuration = isIso ? `P${count}M` : [count, "months"];
        const begin = new Date(Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth() + count, 1));
        const last = new Date(Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth() + 1, 0)).getUTCDate();
        const date = begin.getTime() + (Math.min(wall.getUTCDate(), last) - 1) * dayMs;
        const ofTheDay = ((wall.getTime() % dayMs) + dayMs) % dayMs;
        expect(run<Time>("addDuration", { inputTime, offsetDuration }).time).toBe(
          formats[0]?.write(new Date(date + ofTheDay), east),
        );
      }),
      runs,
    );
  });
});
