import fc from "fast-check";
import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import { HeavyWorkError } from "../../../src/core/heavy-work.ts";
import { TaskError } from "../../../src/core/task.ts";
import { parseCsv, weighCsv } from "../../../src/task-library/csv.ts";

const named = { headersIncluded: true };

describe("a CSV text", () => {
  it.each([
    [",", "a,b\n1,2"],
    [";", "a;b\n1;2"],
    ["tab", "a\tb\n1\t2"],
    ["bar", "a|b\n1|2"],
  ])("is read with %s between its fields", (_name, text) => {
    expect(parseCsv(text, named)).toEqual([{ a: "1", b: "2" }]);
  });

  it.each([
    ["a byte order mark", "\uFEFFa,b\n1,2", [{ a: "1", b: "2" }]],
    ["carriage returns and empty lines", "a,b\r\n\r\n1,2\r\n\r\n", [{ a: "1", b: "2" }]],
    ["quotes, delimiters and line breaks in a field", 'a,b\n"x, ""y""\nz",2', [{ a: 'x, "y"\nz', b: "2" }]],
    ["blanks around fields", "a , b\n 1 , 2 ", [{ a: "1", b: "2" }]],
    ["a row that is too short", "a,b\n1", [{ a: "1", b: "" }]],
    ["a row that is too long", "a,b\n1,2,3", [{ a: "1", b: "2", field3: "3" }]],
    ["a column without a name", "a,\n1,2", [{ a: "1", field2: "2" }]],
    ["two columns of one name", "a,a\n1,2", [{ a: "2" }]],
    ["one column", "a\n1\n2", [{ a: "1" }, { a: "2" }]],
    ["names alone", "a,b", []],
    ["nothing", "", []],
  ])("may have %s", (_name, text, rows) => {
    expect(parseCsv(text, named)).toEqual(rows);
  });

  it("gives columns the names it is told", () => {
    expect(parseCsv("a,b\n1,2", { headersIncluded: true, headerRow: ["x", "y"] })).toEqual([{ x: "1", y: "2" }]);
    expect(parseCsv("1,2", { headersIncluded: false, headerRow: ["x"] })).toEqual([{ x: "1", field2: "2" }]);
  });

  it("keeps names that mean something to JavaScript as names", () => {
    const [row = {}] = parseCsv("__proto__,constructor\nr1,r2", named);
    expect(Object.entries(row)).toEqual([
      ["__proto__", "r1"],
      ["constructor", "r2"],
    ]);
    expect(Object.getPrototypeOf(row)).toBe(Object.prototype);
  });

  it("is refused when a quote is not closed", () => {
    expect(() => parseCsv('a\n"1', named)).toThrow(/Row 2 of the CSV text/u);
  });

  it("is refused, or read in a worker, when few characters make many cells", () => {
    const wide = `${",".repeat(5_000)}\n${"1\n".repeat(2_000)}`;
    expect(() => parseCsv(wide, { headersIncluded: false })).toThrow(TaskError);
    const some = `${",".repeat(200)}\n${"1\n".repeat(400)}`;
    expect(() => parseCsv(some, { headersIncluded: false })).toThrow(HeavyWorkError);
    expect(parseCsv(some, { headersIncluded: false, isInWorker: true })).toHaveLength(401);
  });

  it("is read in a worker when it is long, or has so many quotation marks that the square of them counts", () => {
    const inWorker = (input: string) => weighCsv({ input, headersIncluded: true }) > 1;
    const plain = "r1,10.0.0.1,up\n";
    expect([plain, plain.repeat(1_000), plain.repeat(2_000)].map(inWorker)).toEqual([false, false, true]);
    const quoted = '"r1",10\n';
    const hostile = `"${'b"'.repeat(2_500)}${" ".repeat(5_000)},x`;
    expect([quoted.repeat(50), quoted.repeat(200), hostile].map(inWorker)).toEqual([false, true, true]);
  });

  it("holds what was written as one", () => {
    const field = fc.stringMatching(/^[a-z0-9"',; \n]{0,8}$/u).map((text) => text.trim());
    const table = fc
      .integer({ min: 2, max: 4 })
      .chain((width) =>
        fc.array(fc.array(field, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }),
      );
    const headerRow = ["p", "q", "r", "s"];
    fc.assert(
      fc.property(table, (rows) => {
        const width = rows[0]?.length ?? 0;
        const text = Papa.unparse(rows, { quotes: true });
        const read = parseCsv(text, { headersIncluded: false, headerRow: headerRow.slice(0, width) });
        expect(read.map((row) => Object.values(row))).toEqual(rows);
      }),
    );
  });
});
