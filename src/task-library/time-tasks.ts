import { Type } from "@sinclair/typebox";
import type { Task } from "../core/task.ts";
import { oneOf, optional, text } from "./arguments.ts";
import { defineTask, gives, refuses } from "./define-task.ts";
import { duration, readDuration } from "./time-duration.ts";
import { epoch, epochFormat, momentOfEpoch, toEpoch } from "./time-epoch.ts";
import { fieldNames, readField } from "./time-fields.ts";
import { loadMoment } from "./time-moment.ts";
import { readTime, readTimeOrNone, time, timeOrNone, TimeObjectSchema, writeTime } from "./time-object.ts";
import { inZone, timezone } from "./time-zone.ts";

const palette = "Time";

const day = "YYYY-MM-DD";
const minute = "YYYY-MM-DD HH:mm Z";
/** Example values: a time in the format of days, of minutes with an offset, and in the default format. */
const onDay = (value: string) => ({ time: value, formatString: day });
const atMinute = (value: string) => ({ time: value, formatString: minute });
const inFull = (value: string) => ({ time: value, formatString: "YYYY-MM-DDTHH:mm:ss.SSSSSSZZ" });

const differenceUnits = ["milliseconds", "seconds", "minutes", "hours", "days", "months", "years"] as const;
const Difference = Type.Object(
  Object.fromEntries(differenceUnits.map((unit) => [unit, Type.Union([Type.Number(), Type.Null()])])),
);
/** Example value: a difference by its units, in their order. */
const difference = (...values: number[]) => Object.fromEntries(differenceUnits.map((unit, at) => [unit, values[at]]));

/** Tasks that compute with times (tasks-and-transformations.md §2); formats and durations are those of moment.js. */
export const timeTasks: readonly Task[] = [
  defineTask({
    name: "addDuration",
    palette,
    summary: "The time that lies a duration after another, in the same format and offset.",
    description:
      "Months and years keep the day of the month, or take the last one of a shorter month. A negative duration goes back.",
    incoming: { inputTime: time, offsetDuration: optional(duration) },
    outgoing: ["newTime", TimeObjectSchema],
    compute({ inputTime, offsetDuration }, { now }) {
      const { moment, formatString } = readTime(inputTime, now);
      return writeTime(moment.add(readDuration(offsetDuration)), formatString);
    },
    examples: [
      gives([inFull("2023-11-03T04:51:29.660000-1100"), { days: 7 }], inFull("2023-11-10T04:51:29.660000-1100")),
      gives([onDay("2024-01-31"), { months: 1 }], onDay("2024-02-29")),
      gives([onDay("2024-03-01"), "-P1Y1D"], onDay("2023-02-28")),
      gives([onDay("2024-03-01"), ""], onDay("2024-03-01")),
      refuses([onDay("2024-03-01"), { fortnights: 1 }], 'Unknown unit of a duration: "fortnights"'),
      refuses([onDay("March"), { days: 1 }], 'Invalid time: "March" as "YYYY-MM-DD"'),
    ],
  }),
  defineTask({
    name: "calculateTimeDiff",
    palette,
    summary: "The first time less the second, in each unit by itself, with sign and fractions.",
    description:
      "A month is a twelfth of an average year of the calendar. Where a time is missing (null, or a time object without `time`) every unit is no number, which JSON writes as null.",
    incoming: { firstTime: timeOrNone, secondTime: timeOrNone },
    outgoing: ["timeDiff", Difference],
    compute({ firstTime, secondTime }, { now }) {
      const [first, second] = [readTimeOrNone(firstTime, now), readTimeOrNone(secondTime, now)];
      const milliseconds = first && second ? first.valueOf() - second.valueOf() : undefined;
      const between = milliseconds === undefined ? undefined : loadMoment().duration(milliseconds);
      return Object.fromEntries(differenceUnits.map((unit) => [unit, between?.as(unit) ?? Number.NaN]));
    },
    examples: [
      gives(
        [onDay("2024-05-01"), onDay("2024-05-31")],
        difference(-2_592_000_000, -2_592_000, -43_200, -720, -30, -0.9856465225158627, -0.08213721020965523),
      ),
      gives([atMinute("2024-05-01 12:00 +02:00"), atMinute("2024-05-01 10:00 Z")], difference(0, 0, 0, 0, 0, 0, 0)),
      gives([{ time: null }, onDay("2024-05-31")], difference(...differenceUnits.map(() => Number.NaN))),
      refuses([onDay("2024-05-01"), onDay("yesterday")], 'Invalid time: "yesterday"'),
    ],
  }),
  defineTask({
    name: "convertEpochToObject",
    palette,
    summary: "The time in UTC of a number of seconds or milliseconds since 1970.",
    incoming: { epoch, epochFormat, newFormatString: optional(text) },
    outgoing: ["convertedTime", TimeObjectSchema],
    compute: (values) => writeTime(momentOfEpoch(values.epoch, values.epochFormat), values.newFormatString),
    examples: [
      gives([1_688_050_800, "Seconds", ""], inFull("2023-06-29T15:00:00.000000+0000")),
      gives([1_688_050_800_250, "Milliseconds", "LLL"], { time: "June 29, 2023 3:00 PM", formatString: "LLL" }),
      gives([-1, "Seconds", day], onDay("1969-12-31")),
      refuses([1e18, "Milliseconds", ""], "out of the range of times"),
      refuses([0, "Minutes", ""], "Schema validation failed on epochFormat"),
    ],
  }),
  defineTask({
    name: "convertTimeFormat",
    palette,
    summary: "The same time in another format.",
    incoming: { inputTime: time, newFormatString: text },
    outgoing: ["convertedTime", TimeObjectSchema],
    compute: ({ inputTime, newFormatString }, { now }) => writeTime(readTime(inputTime, now).moment, newFormatString),
    examples: [
      gives([{ time: "2023-04-28T01:21:14.052000-1100" }, "LLLL"], {
        time: "Friday, April 28, 2023 1:21 AM",
        formatString: "LLLL",
      }),
      gives([onDay("2024-12-30"), "GGGG-[W]WW-E"], { time: "2025-W01-1", formatString: "GGGG-[W]WW-E" }),
      gives(
        [{ time: "30/12/24 23:05", formatString: "DD/MM/YY HH:mm" }, ""],
        inFull("2024-12-30T23:05:00.000000+0000"),
      ),
      refuses([{ time: "30/12/24" }, day], 'Invalid time: "30/12/24" is neither an ISO 8601 nor an RFC 2822 time'),
    ],
  }),
  defineTask({
    name: "convertTimeToEpoch",
    palette,
    summary: "Seconds or milliseconds since 1970-01-01T00:00Z.",
    incoming: { inputTime: time, EpochFormat: epochFormat },
    outgoing: ["epochTime", Type.Integer()],
    compute: ({ inputTime, EpochFormat }, { now }) => toEpoch(readTime(inputTime, now).moment, EpochFormat),
    examples: [
      gives([inFull("2023-06-29T08:00:00.999000-0700"), "Seconds"], 1_688_050_800),
      gives([inFull("2023-06-29T08:00:00.999000-0700"), "Milliseconds"], 1_688_050_800_999),
      gives([{ time: "1969-12-31T23:59:59.500Z" }, "Seconds"], -1),
      refuses([onDay("2023-02-30"), "Seconds"], 'Invalid time: "2023-02-30"'),
    ],
  }),
  defineTask({
    name: "convertTimezone",
    palette,
    summary: "A time on the clocks of another zone; the time given counts as UTC, whatever its own offset is.",
    description: "03:00 becomes 04:00 for +01:00. Zones by name follow their daylight saving time.",
    incoming: { inputTime: time, NewTimezone: timezone },
    outgoing: ["convertedTime", TimeObjectSchema],
    compute({ inputTime, NewTimezone }, { now }) {
      const { moment, formatString } = readTime(inputTime, now);
      return writeTime(inZone(moment.utcOffset("+00:00", true), NewTimezone), formatString);
    },
    examples: [
      gives([atMinute("2024-05-01 03:00 -07:00"), "+01:00"], atMinute("2024-05-01 04:00 +01:00")),
      gives([atMinute("2024-05-01 03:00 Z"), "-02:00"], atMinute("2024-05-01 01:00 -02:00")),
      gives([atMinute("2024-07-01 03:00 Z"), "America/New_York"], atMinute("2024-06-30 23:00 -04:00")),
      gives([atMinute("2024-07-01 03:00 Z"), 330], atMinute("2024-07-01 08:30 +05:30")),
      refuses([atMinute("2024-07-01 03:00 Z"), "Mars/Olympus"], 'Unknown time zone: "Mars/Olympus"'),
    ],
  }),
  defineTask({
    name: "extractField",
    palette,
    summary: "One field of a time, as text for people or as a number.",
    description:
      "As numbers months run from 0 (January) to 11 and days of the week from 0 (Sunday) to 6, as in moment.js; as texts they are English names. Weeks begin on Sunday, and week 1 holds January 1; ISO weeks: convertTimeFormat with `W`.",
    incoming: { inputTime: time, field: oneOf(...fieldNames), outputFormat: optional(oneOf("String", "Number")) },
    outgoing: ["timeFieldValue", Type.Union([Type.String(), Type.Integer()])],
    compute: ({ inputTime, field, outputFormat }, { now }) =>
      readField(readTime(inputTime, now).moment, field, outputFormat ?? "String"),
    examples: [
      gives([onDay("2020-11-06"), "Year", "String"], "2020"),
      gives([onDay("2020-11-06"), "Month", ""], "November"),
      gives([onDay("2020-11-06"), "Month", "Number"], 10),
      gives([onDay("2020-11-06"), "Day of Week", "String"], "Friday"),
      gives([onDay("2020-12-31"), "Day of Year", "Number"], 366),
      refuses([onDay("2020-11-06"), "Quarter", ""], "Schema validation failed on field"),
    ],
  }),
  defineTask({
    name: "getTime",
    palette,
    summary: "The time now, on the clocks of a zone, moved by a duration.",
    description:
      "Now is when the task starts. In a zone by name a duration with days or more moves what its clocks show, one of hours or less counts real time. The examples are of 1970-01-01T00:00Z.",
    incoming: { timezone, offsetDuration: optional(duration), format: optional(text) },
    outgoing: ["time", TimeObjectSchema],
    aliases: { timezone: { incoming: "Timezone" } },
    compute(values, { now }) {
      const moment = inZone(loadMoment().utc(now), values.timezone);
      return writeTime(moment.add(readDuration(values.offsetDuration)), values.format);
    },
    examples: [
      gives(["-04:00", "", ""], inFull("1969-12-31T20:00:00.000000-0400")),
      gives(["+00:00", { days: 7, months: 1 }, "LLLL"], {
        time: "Sunday, February 8, 1970 12:00 AM",
        formatString: "LLLL",
      }),
      gives(["Asia/Kolkata", -3_600_000, minute], atMinute("1970-01-01 04:30 +05:30")),
      refuses(["+25:00", "", ""], 'Unknown time zone: "+25:00"'),
    ],
  }),
];
