import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { call, callForm, evaluate, fixedNow, unset } from "./document-builder.ts";

const at = (value: unknown) => callForm("Date.new Date", 2, value);
// One hour ahead of UTC is the zone of these runs: 2024-01-31 00:30 there.
const lateJanuary = at("2024-01-30T23:30:00Z");

describe("library Date", () => {
  test.each([
    ["now", call("Date.now"), fixedNow],
    ["new Date of nothing", call("Date.getTime", callForm("Date.new Date", 0)), fixedNow],
    ["new Date by its arguments: none", call("Date.getTime", call("Date.new Date")), fixedNow],
    ["new Date by its arguments: one", call("Date.getTime", call("Date.new Date", 5)), 5],
    [
      "new Date by its arguments: parts",
      call("Date.toISOString", call("Date.new Date", 2024, 0, 2)),
      "2024-01-02T00:00:00.000+01:00",
    ],
    [
      "new Date of parts, those at the end not given",
      call("Date.toISOString", callForm("Date.new Date", 3, 2024, "1", 29, unset)),
      "2024-02-29T00:00:00.000+01:00",
    ],
    ["new Date of a year below 100", call("Date.getFullYear", callForm("Date.new Date", 3, 95, 0)), 1995],
    [
      "new Date of a text with its zone",
      call("Date.getTime", at("2024-01-01T00:00:00+02:00")),
      Date.UTC(2023, 11, 31, 22),
    ],
    ["new Date of a local text", call("Date.getTime", at("2024-01-01T00:00:00")), Date.UTC(2023, 11, 31, 23)],
    ["new Date of a day alone is UTC", call("Date.getTime", at("2024-01-01")), Date.UTC(2024, 0, 1)],
    ["parse of a text for people", call("Date.parse", "Jan 1, 2024 12:00"), Date.UTC(2024, 0, 1, 11)],
    ["parse of nonsense", call("Date.parse", "soon"), NaN],
    ["getDate is local", call("Date.getDate", lateJanuary), 31],
    ["getUTCDate", call("Date.getUTCDate", lateJanuary), 30],
    ["getDay", call("Date.getDay", lateJanuary), 3],
    ["getFullYear", call("Date.getFullYear", at("2023-12-31T23:30:00Z")), 2024],
    ["getUTCFullYear", call("Date.getUTCFullYear", at("2023-12-31T23:30:00Z")), 2023],
    ["getMonth counts from 0", call("Date.getMonth", lateJanuary), 0],
    ["getHours", call("Date.getHours", lateJanuary), 0],
    ["getMinutes", call("Date.getMinutes", lateJanuary), 30],
    ["getSeconds", call("Date.getSeconds", at(1500)), 1],
    ["getMilliseconds", call("Date.getMilliseconds", at(1500)), 500],
    ["getTimezoneOffset", call("Date.getTimezoneOffset", at(0)), -60],
    ["valueOf", call("Date.valueOf", at(7)), 7],
    [
      "setMonth runs over",
      call("Date.toISOString", call("Date.setMonth", lateJanuary, 1)),
      "2024-03-02T00:30:00.000+01:00",
    ],
    [
      "setHours with minutes",
      call("Date.toISOString", call("Date.setHours", lateJanuary, 5, 6)),
      "2024-01-31T05:06:00.000+01:00",
    ],
    ["setUTCHours", call("Date.toISOString", call("Date.setUTCHours", lateJanuary, 5)), "2024-01-30T05:30:00.000Z"],
    [
      "setFullYear with month and day",
      call("Date.toISOString", call("Date.setFullYear", lateJanuary, 2025, 5, 1)),
      "2025-06-01T00:30:00.000+01:00",
    ],
    ["setDate into another month", call("Date.getMonth", call("Date.setDate", lateJanuary, 32)), 1],
    ["setTime", call("Date.getTime", call("Date.setTime", lateJanuary, 9)), 9],
    ["toDateString", call("Date.toDateString", lateJanuary), "Wed Jan 31 2024"],
    ["toTimeString", call("Date.toTimeString", lateJanuary), "00:30:00 GMT+0100"],
    ["toString", call("Date.toString", lateJanuary), "Wed Jan 31 2024 00:30:00 GMT+0100"],
    ["toUTCString", call("Date.toUTCString", lateJanuary), "Tue, 30 Jan 2024 23:30:00 GMT"],
    ["toLocaleDateString", call("Date.toLocaleDateString", lateJanuary, "de-DE"), "31.1.2024"],
    [
      "toLocaleTimeString in a zone",
      call("Date.toLocaleTimeString", lateJanuary, "en-GB", { timeZone: "UTC" }),
      "23:30:00",
    ],
    ["toLocaleString", call("Date.toLocaleString", lateJanuary, "en-GB", unset), "31/01/2024, 00:30:00"],
    ["toJSON of an invalid date", call("Date.toJSON", at("soon")), null],
    ["toDateString of an invalid date", call("Date.toDateString", at("soon")), "Invalid Date"],
    ["toTimeString of an invalid date", call("Date.toTimeString", at("soon")), "Invalid Date"],
    ["it leaves as ISO text", lateJanuary, "2024-01-30T23:30:00.000Z"],
    ["it is text in a text", call("String.concat", "on ", lateJanuary), "on Wed Jan 31 2024 00:30:00 GMT+0100"],
    ["a text in the place of a date", call("Date.getUTCFullYear", "2024-05-05"), 2024],
    ["the difference of dates", call("Math.subtract", at(1000), at(400)), 600],
  ])("%s", (_, expression, expected) => {
    const isIso = typeof expected === "string" && /^\d{4}-.*T/u.test(expected);
    expect(evaluate(expression)).toEqual(isIso ? new Date(expected).toISOString() : expected);
  });

  test.each([
    ["toISOString of an invalid date", call("Date.toISOString", at("soon"))],
    ["a date of a list", call("Date.getTime", [])],
    ["a date of null", call("Date.getDate", null)],
  ])("%s fails", (_, expression) => {
    expect(() => evaluate(expression)).toThrow(/step 1 \(Date\./u);
  });

  test("without an offset local time is that of the machine", () => {
    const times = fc.date({ min: new Date("1971-01-01"), max: new Date("2100-01-01"), noInvalidDate: true });
    fc.assert(
      fc.property(times, (date) => {
        const machine = (expression: unknown) =>
          evaluate(expression, [], { timeZoneOffset: undefined as unknown as number });
        const given = at(date.getTime());
        expect(machine(call("Date.getHours", given))).toBe(date.getHours());
        expect(machine(call("Date.toDateString", given))).toBe(date.toDateString());
        expect(
          machine(
            call("Date.getTime", callForm("Date.new Date", 3, date.getFullYear(), date.getMonth(), date.getDate())),
          ),
        ).toBe(new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime());
        expect(machine(call("Date.getTime", call("Date.setMonth", given, 5)))).toBe(new Date(date).setMonth(5));
      }),
      { numRuns: 100 },
    );
  });
});
