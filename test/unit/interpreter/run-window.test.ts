import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  placeInWindow,
  readRunWindow,
  type DailyWindow,
  type RunWindow,
} from "../../../src/workflow-engine/interpreter/run-window.ts";

const minuteMs = 60_000;
const days = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

function windowOf(scheduled: unknown): RunWindow {
  const window = readRunWindow(scheduled);
  if (window === undefined || Array.isArray(window)) throw new Error(JSON.stringify(window));
  return window;
}

/** The next moment at which the window is open: now, or its opening. */
function opening(scheduled: unknown, at: string): string {
  const from = Date.parse(at);
  const place = placeInWindow(windowOf(scheduled), from);
  if (place.is === "over") return "never";
  return new Date(place.is === "open" ? from : place.opensAt).toISOString();
}

describe("a run window", () => {
  it("is none where the field is absent or false", () => {
    for (const none of [undefined, null, false]) expect(readRunWindow(none)).toBeUndefined();
  });

  it("holds a task until the evening, and lets it run after midnight", () => {
    const night = { from: "22:00", to: "05:00" };
    expect(opening(night, "2026-03-03T12:00:00.000Z")).toBe("2026-03-03T22:00:00.000Z");
    expect(opening(night, "2026-03-03T22:00:00.000Z")).toBe("2026-03-03T22:00:00.000Z");
    expect(opening(night, "2026-03-04T04:59:59.999Z")).toBe("2026-03-04T04:59:59.999Z");
    expect(opening(night, "2026-03-04T05:00:00.000Z")).toBe("2026-03-04T22:00:00.000Z");
  });

  it("opens on its days only, and stays open into the next", () => {
    const weekend = { from: "20:00", to: "02:00", days: ["saturday"] };
    // 2026-03-04 is a Wednesday.
    expect(opening(weekend, "2026-03-04T21:00:00.000Z")).toBe("2026-03-07T20:00:00.000Z");
    expect(opening(weekend, "2026-03-08T01:00:00.000Z")).toBe("2026-03-08T01:00:00.000Z");
  });

  it("that the clocks skip opens at the first instant after the gap", () => {
    // Berlin goes from 02:00 to 03:00 on 2026-03-29 at 01:00 UTC.
    const berlin = { from: "02:30", to: "06:00", timezone: "Europe/Berlin" };
    expect(opening(berlin, "2026-03-29T00:00:00.000Z")).toBe("2026-03-29T01:00:00.000Z");
    const skipped = { from: "02:10", to: "02:50", timezone: "Europe/Berlin" };
    expect(opening(skipped, "2026-03-29T00:00:00.000Z")).toBe("2026-03-30T00:10:00.000Z");
  });

  it("that the clocks show twice opens once", () => {
    // Berlin goes from 03:00 back to 02:00 on 2026-10-25 at 01:00 UTC.
    const berlin = { from: "02:15", to: "02:45", timezone: "Europe/Berlin" };
    expect(opening(berlin, "2026-10-25T00:00:00.000Z")).toBe("2026-10-25T00:15:00.000Z");
    expect(opening(berlin, "2026-10-25T01:20:00.000Z")).toBe("2026-10-26T01:15:00.000Z");
  });

  it("of two moments is over after the second", () => {
    const once = { start: "2026-05-01T22:00:00+02:00", end: "2026-05-01T23:00:00Z" };
    expect(opening(once, "2026-05-01T10:00:00.000Z")).toBe("2026-05-01T20:00:00.000Z");
    expect(opening(once, "2026-05-01T22:59:59.999Z")).toBe("2026-05-01T22:59:59.999Z");
    expect(opening(once, "2026-05-01T23:00:00.000Z")).toBe("never");
  });

  it.each([
    ["text", ""],
    [{ from: "22:00" }, "/to"],
    [{ from: "24:00", to: "05:00" }, "/from"],
    [{ from: "22:00", to: "05:00", days: ["Monday"] }, "/days"],
    [{ from: "22:00", to: "05:00", days: [] }, "/days"],
    [{ from: "22:00", to: "05:00", timezone: "Mars/Olympus" }, "/timezone"],
    [{ from: "22:00", to: "05:00", until: "x" }, "/until"],
    [{ start: "2026-05-01", end: "2026-05-02T00:00:00Z" }, "/start"],
    [{ start: "2026-05-02T00:00:00Z", end: "2026-05-02T00:00:00Z" }, "/end"],
  ])("that is malformed names the place: %j", (scheduled, path) => {
    expect(readRunWindow(scheduled)).toContainEqual(expect.objectContaining({ path }));
  });

  // The clocks of these change by an hour, by half an hour, at midnight, or never.
  const zones = ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "America/Havana"];
  const moments = ["2026-03-08", "2026-03-29", "2026-04-05", "2026-10-04", "2026-10-25", "2026-11-01", "2026-07-14"];
  const clockTime = fc.integer({ min: 0, max: 1439 });

  it("is just as a walk through the minutes finds it", () => {
    const scheduled = fc.record({
      from: clockTime.map(timeText),
      to: clockTime.map(timeText),
      days: fc.subarray(days, { minLength: 1 }),
      timezone: fc.constantFrom(...zones),
    });
    const at = fc
      .tuple(fc.constantFrom(...moments), fc.integer({ min: -2160, max: 2160 }))
      .map(([day, minutes]) => Date.parse(`${day}T00:00:00Z`) + minutes * minuteMs);
    fc.assert(
      fc.property(scheduled, at, (window, from) => {
        const place = placeInWindow(windowOf(window), from);
        const found = place.is === "shut" ? place.opensAt : from;
        expect(new Date(found).toISOString()).toBe(new Date(walk(windowOf(window) as DailyWindow, from)).toISOString());
      }),
      { numRuns: 60 },
    );
  });
});

function timeText(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
}

/** The first minute from a moment on at which the window is open, by going through all minutes from three days before. */
function walk({ from, to, days, timezone }: DailyWindow, at: number): number {
  const clock = new Intl.DateTimeFormat("sv-SE", { timeZone: timezone, dateStyle: "short", timeStyle: "short" });
  const shown = (minute: number): number => Date.parse(`${clock.format(minute).replace(" ", "T")}:00Z`);
  const begin = at - 3 * 86_400_000;
  const openings: { opensAt: number; closesAt: number; isOpen: boolean; isShut: boolean }[] = [];
  const firstDay = Math.floor(shown(begin) / 86_400_000) * 86_400_000;
  for (let day = firstDay - 86_400_000; day < firstDay + 12 * 86_400_000; day += 86_400_000) {
    if (!days.has(new Date(day).getUTCDay())) continue;
    const closesAt = day + to * minuteMs + (to > from ? 0 : 86_400_000);
    const opensAt = day + from * minuteMs;
    // What had begun before the walk is left out: it is over by now.
    openings.push({ opensAt, closesAt, isOpen: false, isShut: opensAt <= shown(begin) });
  }
  for (let minute = begin; ; minute += minuteMs) {
    const wall = shown(minute);
    for (const opening of openings) {
      if (opening.isShut) continue;
      if (wall >= opening.closesAt) opening.isShut = true;
      else if (wall >= opening.opensAt) opening.isOpen = true;
    }
    if (minute >= at && openings.some(({ isOpen, isShut }) => isOpen && !isShut)) return minute;
  }
}
