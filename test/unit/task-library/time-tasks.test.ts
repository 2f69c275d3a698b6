import { describe, expect, it } from "vitest";
import { TaskError } from "../../../src/core/task.ts";
import { timeTasks } from "../../../src/task-library/time-tasks.ts";

const now = Date.UTC(2024, 1, 29, 22, 15, 30, 250);

/** The value of the one outgoing variable. */
function run(name: string, incoming: Record<string, unknown>, at = now): unknown {
  const result = timeTasks.find((task) => task.name === name)?.run?.(incoming, { now: at, random: () => 0 });
  expect(result?.finishState).toBe("success");
  return Object.values(result?.outgoing ?? {})[0];
}

const iso = "YYYY-MM-DDTHH:mm:ss.SSSZ";
/** A time as ISO 8601 with its own offset. */
const read = (time: string | number, formatString?: string, at = now) =>
  (run("convertTimeFormat", { inputTime: { time, formatString }, newFormatString: iso }, at) as { time: string }).time;
const added = (time: string, offsetDuration: unknown, formatString = "YYYY-MM-DD") =>
  (run("addDuration", { inputTime: { time, formatString }, offsetDuration }) as { time: string }).time;
const nowIn = (timezone: unknown, offsetDuration: unknown = "", at = now) =>
  (run("getTime", { timezone, offsetDuration, format: iso }, at) as { time: string }).time;

describe("reading times", () => {
  it.each([
    ["2023-11-03T04:51:29.660000-1100", "YYYY-MM-DDTHH:mm:ss.SSSSSSZZ", "2023-11-03T04:51:29.660-11:00"],
    ["2023-11-03T04:51:29.660000-1100", "YYYY-MM-DDTHH:mm:ss.SSSZ", "2023-11-03T04:51:29.660-11:00"],
    ["2023-11-03T04:51:29.660000-1100", undefined, "2023-11-03T04:51:29.660-11:00"],
    ["2023-11-03T04:51:29Z", undefined, "2023-11-03T04:51:29.000+00:00"],
    ["2023-11-03T04:51:29-1100", "YYYY-MM-DDTHH:mm:ss.SSSSSSZZ", "2023-11-03T04:51:29.000-11:00"],
    ["2023-11-03T04:51:29-11:00", "YYYY-MM-DDTHH:mm:ss.SSSZ", "2023-11-03T04:51:29.000-11:00"],
    ["2023-11-03T04:51:29Z", "YYYY-MM-DDTHH:mm:ss.SSSZ", "2023-11-03T04:51:29.000+00:00"],
    ["2023-11-03T04:51:29", "YYYY-MM-DD", "2023-11-03T00:00:00.000+00:00"],
    ["20231103T045129+05", undefined, "2023-11-03T04:51:29.000+05:00"],
    ["2023-W44-5", undefined, "2023-11-03T00:00:00.000+00:00"],
    ["2023-307", undefined, "2023-11-03T00:00:00.000+00:00"],
    ["+012023-11-03T04:00Z", undefined, "12023-11-03T04:00:00.000+00:00"],
    ["Fri, 03 Nov 2023 04:51:29 -0700", undefined, "2023-11-03T04:51:29.000-07:00"],
    ["Friday, November 3, 2023 4:51 PM", "LLLL", "2023-11-03T16:51:00.000+00:00"],
    ["1699000000", "X", "2023-11-03T08:26:40.000+00:00"],
    ["1699000000123", "x", "2023-11-03T08:26:40.123+00:00"],
    [1_699_000_000_123, "x", "2023-11-03T08:26:40.123+00:00"],
    ["03/11/70 04:51 pm +5:30", "DD/MM/YY hh:mm a", "1970-11-03T16:51:00.000+00:00"],
    ["2025-W01-1", "GGGG-[W]WW-E", "2024-12-30T00:00:00.000+00:00"],
    ["[Z] 2023", "[[Z]] YYYY", "2023-01-01T00:00:00.000+00:00"],
  ])("%s as %s", (time, format, expected) => expect(read(time, format)).toBe(expected));

  it("takes a text for a time object without a format", () => {
    const shown = run("convertTimeToEpoch", { inputTime: "2023-11-03T08:26:40Z", EpochFormat: "Seconds" });
    expect(shown).toBe(1_699_000_000);
  });

  it("does not take digits for an offset that the format does not name", () => {
    expect(read("20230101-0530", "YYYYMMDD-HHmm")).toBe("2023-01-01T05:30:00.000+00:00");
    expect(read("20230101-0530", "YYYYMMDD-HHmmZZ")).toBe("2023-01-01T05:30:00.000+00:00");
    expect(read("+002023-01-01")).toBe("2023-01-01T00:00:00.000+00:00");
  });

  it.each(["2023-11-03T04:51:29+15:00", "2023-11-03T04:51:29.000-1201"])("refuses the offset of %s", (time) => {
    expect(() => read(time)).toThrow(`Invalid time: ${JSON.stringify(time)}`);
    expect(() => read(time, "YYYY-MM-DDTHH:mm:ss.SSSZ")).toThrow(`Invalid time: ${JSON.stringify(time)}`);
  });

  it("takes what the text leaves out of the date from the day of now in UTC", () => {
    expect(read("10:15", "HH:mm")).toBe("2024-02-29T10:15:00.000+00:00");
    expect(read("10:15 -05:00", "HH:mm Z")).toBe("2024-02-29T10:15:00.000-05:00");
    expect(read("17", "DD")).toBe("2024-02-17T00:00:00.000+00:00");
    expect(read("11-03", "MM-DD")).toBe("2024-11-03T00:00:00.000+00:00");
    expect(read("02-29", "MM-DD")).toBe("2024-02-29T00:00:00.000+00:00");
    expect(() => read("02-29", "MM-DD", Date.UTC(2023, 5, 1))).toThrow('Invalid time: "02-29" as "MM-DD"');
    expect(read("60", "DDD")).toBe("2024-02-29T00:00:00.000+00:00");
  });

  it.each([
    ["", "YYYY"],
    ["soon", "YYYY-MM-DD"],
    ["2023-13-01", "YYYY-MM-DD"],
    ["2023-02-29", "YYYY-MM-DD"],
    ["2023-11-03 25:00", "YYYY-MM-DD HH:mm"],
    ["Monday 2023-11-03", "dddd YYYY-MM-DD"],
    ["now", undefined],
    ["2023-11-03 in the morning", undefined],
    ["1699000000000", undefined],
    ["2023-11-03", "[literal]"],
  ])("refuses %s as %s and names both", (time, format) => {
    expect(() => read(time, format)).toThrow(TaskError);
    expect(() => read(time, format)).toThrow(`Invalid time: ${JSON.stringify(time)}`);
    expect(() => read(time, format)).toThrow(format === undefined ? "ISO 8601" : JSON.stringify(format));
  });

  it.each([
    ["Friday", "dddd"],
    ["44", "ww"],
    ["2023", "gggg"],
    ["2023 Friday", "YYYY dddd"],
  ])("refuses %s as %s, which would be a day of the current week", (time, format) => {
    expect(() => read(time, format)).toThrow("names no day: a week needs its year");
  });

  it("refuses times and formats without end", () => {
    expect(() => read("2".repeat(1001), "YYYY")).toThrow("at most 1000 characters");
    expect(() => read("2023", "Y".repeat(1001))).toThrow("at most 1000 characters");
    expect(() => nowIn("UTC", { days: 1 }, Number.NaN)).toThrow("out of the range");
  });

  it("reads and writes years of any length in the default format", () => {
    const far = run("convertEpochToObject", { epoch: 253_402_300_800, epochFormat: "Seconds" });
    expect(far).toMatchObject({ time: "10000-01-01T00:00:00.000000+0000" });
    expect(run("addDuration", { inputTime: far, offsetDuration: { years: 100_000 } })).toMatchObject({
      time: "110000-01-01T00:00:00.000000+0000",
    });
    const early = run("convertEpochToObject", { epoch: -62_198_755_200, epochFormat: "Seconds" });
    expect(early).toMatchObject({ time: "-0001-01-01T00:00:00.000000+0000" });
    expect(run("convertTimeToEpoch", { inputTime: early, EpochFormat: "Seconds" })).toBe(-62_198_755_200);
  });
});

describe("durations", () => {
  it.each<[given: unknown, expected: string]>([
    [{ days: 7, months: 1 }, "2024-03-07"],
    [{ day: 1 }, "2024-02-01"],
    [{ M: 1, d: 1 }, "2024-03-01"],
    [{ weeks: "2" }, "2024-02-14"],
    [{ quarters: 1 }, "2024-04-30"],
    [{ years: 1, months: 1 }, "2025-02-28"],
    [{ days: -31, hours: "", minutes: null }, "2023-12-31"],
    [{}, "2024-01-31"],
    [86_400_000, "2024-02-01"],
    ["-86400000", "2024-01-30"],
    ["P1M", "2024-02-29"],
    ["P1Y2M3DT4H", "2025-04-03"],
    ["-P2W", "2024-01-17"],
    ["PT36H", "2024-02-01"],
    ["P0,5D", "2024-02-01"],
    ["48:00:00", "2024-02-02"],
    ['{"days":7}', "2024-02-07"],
    [[7, "days"], "2024-02-07"],
    [["-1", "month"], "2023-12-31"],
    ["", "2024-01-31"],
    [null, "2024-01-31"],
  ])("%j after January 31", (given, expected) => expect(added("2024-01-31", given)).toBe(expected));

  it("adds the days of a duration before its hours", () => {
    expect(added("2024-02-28T23:00:00.000+02:00", { days: 1, hours: 1 }, iso)).toBe("2024-03-01T00:00:00.000+02:00");
    expect(added("2024-02-28T23:00:00.000+02:00", "PT1.5S", iso)).toBe("2024-02-28T23:00:01.500+02:00");
  });

  it.each<[given: unknown, message: string]>([
    [{ fortnights: 1 }, 'Unknown unit of a duration: "fortnights"'],
    [{ date: 1 }, 'Unknown unit of a duration: "date"'],
    [{ __proto__: null, constructor: 1 }, 'Unknown unit of a duration: "constructor"'],
    [[1, "toString"], 'Unknown unit of a duration: "toString"'],
    [{ days: "many" }, 'Not a number of days in a duration: "many"'],
    [{ days: { deep: 1 } }, "Not a number of days in a duration"],
    [{ months: 1.5, days: 1 }, "Only the smallest unit of a duration may have a fraction"],
    ["tomorrow", 'Not a duration: "tomorrow"'],
    ["P", 'Not a duration: "P"'],
    ["PT", 'Not a duration: "PT"'],
    ["P1D1M", 'Not a duration: "P1D1M"'],
    ["{days:7}", "is no JSON object"],
    [{ years: 1e6 }, "out of the range of times: years -271821 to 275760"],
    [1e300, "out of the range of times"],
    [Number.NaN, "Not a number of milliseconds"],
    [[1], "Schema validation failed on offsetDuration"],
    [true, "Schema validation failed on offsetDuration"],
  ])("%j is refused", (given, message) => {
    expect(() => added("2024-01-31", given)).toThrow(TaskError);
    expect(() => added("2024-01-31", given)).toThrow(message);
  });
});

describe("time zones", () => {
  it.each<[zone: unknown, expected: string]>([
    ["-11:00", "2024-02-29T11:15:30.250-11:00"],
    ["+14:00", "2024-03-01T12:15:30.250+14:00"],
    ["+05:45", "2024-03-01T04:00:30.250+05:45"],
    ["+0530", "2024-03-01T03:45:30.250+05:30"],
    ["+00.00", "2024-02-29T22:15:30.250+00:00"],
    ["-4", "2024-02-29T18:15:30.250-04:00"],
    ["-00:30", "2024-02-29T21:45:30.250-00:30"],
    ["UTC", "2024-02-29T22:15:30.250+00:00"],
    [-240, "2024-02-29T18:15:30.250-04:00"],
    [5, "2024-02-29T22:20:30.250+00:05"],
    [0, "2024-02-29T22:15:30.250+00:00"],
    ["Europe/Berlin", "2024-02-29T23:15:30.250+01:00"],
    ["europe/berlin", "2024-02-29T23:15:30.250+01:00"],
    ["Asia/Calcutta", "2024-03-01T03:45:30.250+05:30"],
    ["America/Argentina/Buenos_Aires", "2024-02-29T19:15:30.250-03:00"],
  ])("%j", (zone, expected) => expect(nowIn(zone)).toBe(expected));

  it.each([
    "Mars/Olympus",
    "constructor",
    "__proto__",
    "+14:01",
    "-12:01",
    "+99",
    "+05:60",
    "5 o'clock",
    "x".repeat(5000),
  ])("%j is refused by its name", (zone) =>
    expect(() => nowIn(zone)).toThrow(`Unknown time zone: "${zone.slice(0, 100)}"`),
  );

  it.each(["", null, undefined, 1.5, 841, -721, {}])("%j is no zone", (zone) => {
    expect(() => nowIn(zone)).toThrow("Schema validation failed on timezone");
  });

  it("is found under the name that documents have for it as well", () => {
    expect(run("getTime", { Timezone: "+00:00", format: "HH" })).toEqual({ time: "22", formatString: "HH" });
  });

  it("a duration with days moves what the clocks show where they change; one of hours counts real time", () => {
    const beforeGap = Date.UTC(2024, 2, 9, 7, 30);
    expect(nowIn("America/New_York", { days: 1 }, beforeGap)).toBe("2024-03-10T03:30:00.000-04:00");
    expect(nowIn("America/New_York", { hours: 24 }, beforeGap)).toBe("2024-03-10T03:30:00.000-04:00");
    expect(nowIn("America/New_York", { days: 2 }, beforeGap)).toBe("2024-03-11T02:30:00.000-04:00");
    expect(nowIn("-05:00", { days: 1 }, beforeGap)).toBe("2024-03-10T02:30:00.000-05:00");
    const beforeFold = Date.UTC(2024, 10, 2, 5, 30);
    expect(nowIn("America/New_York", { days: 1 }, beforeFold)).toBe("2024-11-03T01:30:00.000-04:00");
    expect(nowIn("America/New_York", { hours: 25 }, beforeFold)).toBe("2024-11-03T01:30:00.000-05:00");
    expect(nowIn("America/New_York", { days: 1, hours: 1 }, beforeFold)).toBe("2024-11-03T02:30:00.000-05:00");
  });

  it("both hours of a fold are shown with their offsets", () => {
    const convert = (time: string) =>
      run("convertTimezone", { inputTime: { time, formatString: iso }, NewTimezone: "Europe/Berlin" });
    expect(convert("2024-10-27T00:30:00.000+00:00")).toMatchObject({ time: "2024-10-27T02:30:00.000+02:00" });
    expect(convert("2024-10-27T01:30:00.000+00:00")).toMatchObject({ time: "2024-10-27T02:30:00.000+01:00" });
    expect(convert("2024-03-31T01:30:00.000+00:00")).toMatchObject({ time: "2024-03-31T03:30:00.000+02:00" });
  });

  it("the time given counts as UTC, whatever its own offset is", () => {
    const inputTime = { time: "2023-04-28T01:21:14.052000-1100", formatString: "YYYY-MM-DDTHH:mm:ss.SSSSSSZZ" };
    const convertedTime = run("convertTimezone", { inputTime, NewTimezone: "+01:00" });
    expect(convertedTime).toEqual({ ...inputTime, time: "2023-04-28T02:21:14.052000+0100" });
  });
});

describe("fields and differences", () => {
  const field = (name: string, outputFormat: string) =>
    run("extractField", { inputTime: { time: "2023-01-01T05:06:07.089+14:00" }, field: name, outputFormat });

  it.each<[name: string, text: string, number: number]>([
    ["Millisecond", "89", 89],
    ["Second", "7", 7],
    ["Minute", "6", 6],
    ["Hour", "5", 5],
    ["Day of Week", "Sunday", 0],
    ["Day of Month", "1", 1],
    ["Day of Year", "1", 1],
    ["Week of Year", "1", 1],
    ["Month", "January", 0],
    ["Year", "2023", 2023],
  ])("%s", (name, text, number) => {
    expect(field(name, "String")).toBe(text);
    expect(field(name, "")).toBe(text);
    expect(field(name, "Number")).toBe(number);
  });

  it("a difference counts instants, not clocks", () => {
    const diff = run("calculateTimeDiff", {
      firstTime: { time: "2024-01-02T00:00:00+05:30" },
      secondTime: { time: "2024-01-01T12:00:00-06:30" },
    });
    expect(diff).toMatchObject({ milliseconds: 0, years: 0 });
  });

  it("a difference to a time that is missing is no number in every unit", () => {
    for (const none of [null, undefined, { time: null }, { formatString: iso }]) {
      const diff = run("calculateTimeDiff", { firstTime: { time: "2024-01-02" }, secondTime: none });
      expect(Object.values(diff as object)).toEqual(Array.from({ length: 7 }, () => Number.NaN));
    }
  });

  it("an epoch may be text, and is not guessed to be in another unit", () => {
    const convert = (epoch: unknown, epochFormat: string) =>
      run("convertEpochToObject", { epoch, epochFormat, newFormatString: iso });
    expect(convert("1688050800", "Seconds")).toMatchObject({ time: "2023-06-29T15:00:00.000+00:00" });
    expect(convert(1_688_050_800.25, "Seconds")).toMatchObject({ time: "2023-06-29T15:00:00.250+00:00" });
    expect(convert(1_688_050_800, "Milliseconds")).toMatchObject({ time: "1970-01-20T12:54:10.800+00:00" });
    expect(convert(1_688_050_800_000, "Seconds")).toMatchObject({ time: "55462-03-15T00:00:00.000+00:00" });
    for (const epoch of ["", "soon", "1e3", Number.NaN, null])
      expect(() => convert(epoch, "Seconds")).toThrow("Schema validation failed on epoch");
  });
});
