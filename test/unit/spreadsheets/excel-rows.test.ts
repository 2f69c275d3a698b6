import { deflateRawSync } from "node:zlib";
import { utils, write } from "@e965/xlsx";
import { describe, expect, it } from "vitest";
import { TaskError } from "../../../src/core/task.ts";
import { excelToRows, readExcelOptions } from "../../../src/spreadsheets/index.ts";
import { workbookFile, zipFile, type SheetCells } from "../../support/workbook-file.ts";

async function read(sheets: SheetCells, options = {}): Promise<unknown> {
  return excelToRows((await workbookFile(sheets)).toString("base64"), options);
}

describe("an Excel file", () => {
  it("gives the rows of each sheet", async () => {
    const sheets = { first: [["name", "vlan"], ["r1", 10], [], ["r2", ""]], second: [["only"]] };
    expect(await read(sheets)).toEqual({
      first: [
        { name: "r1", vlan: 10 },
        { name: "r2", vlan: "" },
      ],
      second: [],
    });
    expect(await read(sheets, { sheets: ["second"], headersIncluded: false })).toEqual({
      second: [{ field1: "only" }],
    });
  });

  it("keeps types, and tells dates and times as ISO 8601 text", async () => {
    const cells = [
      ['<c t="b"><v>1</v></c>', true],
      ["<c><v>1.5</v></c>", 1.5],
      ['<c s="1"><v>45292</v></c>', "2024-01-01"],
      ['<c s="3"><v>45292.75</v></c>', "2024-01-01T18:00:00"],
      ['<c s="2"><v>0.5</v></c>', "12:00:00"],
      ['<c t="e"><v>#N/A</v></c>', "#N/A"],
      ["<c><f>1+1</f><v>2</v></c>", 2],
      ['<c t="str"><f>WEBSERVICE("http://127.0.0.1/")</f><v>kept</v></c>', "kept"],
    ] as const;
    const row = cells.map(([xml]) => ({ xml }));
    const expected = Object.fromEntries(cells.map(([, value], index) => [`field${index + 1}`, value]));
    expect(await read({ s: [row] }, { headersIncluded: false })).toEqual({ s: [expected] });
  });

  it("may be of the older kind", () => {
    const sheet = utils.aoa_to_sheet([
      ["name", "vlan"],
      ["ä1", 10],
    ]);
    const book = { SheetNames: ["s"], Sheets: { s: sheet } };
    for (const bookType of ["xls", "xlsb"] as const)
      expect(excelToRows(write(book, { type: "base64", bookType }) as string, {})).toEqual({
        s: [{ name: "ä1", vlan: 10 }],
      });
  });

  it("may come with line breaks or as a data address", async () => {
    const text = (await workbookFile({ s: [["a"], ["b"]] })).toString("base64");
    const rows = { s: [{ a: "b" }] };
    expect(excelToRows(text.replaceAll(/(.{76})/gu, "$1\r\n"), {})).toEqual(rows);
    expect(excelToRows(`data:application/vnd.ms-excel;base64,${text}`, {})).toEqual(rows);
  });

  it("keeps names that mean something to JavaScript as names", async () => {
    const read1 = await read({ __proto__x: [["__proto__"], ["x"]] });
    expect(Object.entries((read1 as { __proto__x: object[] }).__proto__x[0] ?? {})).toEqual([["__proto__", "x"]]);
    expect(Object.hasOwn(Object.prototype, "x")).toBe(false);
  });

  it("does not cost what its dimensions claim", async () => {
    const sheet = `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><dimension ref="A1:XFD1048576"/><sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData></worksheet>`;
    const file = await workbookFile({ s: [] }, { "xl/worksheets/sheet1.xml": sheet });
    expect(excelToRows(file.toString("base64"), { headersIncluded: false })).toEqual({ s: [{ field1: 1 }] });
  });

  it("does not expand entities", async () => {
    const sheet = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>&e;</t></is></c></row></sheetData></worksheet>`;
    const file = await workbookFile({ s: [] }, { "xl/worksheets/sheet1.xml": sheet });
    expect(excelToRows(file.toString("base64"), { headersIncluded: false })).toEqual({ s: [{ field1: "&e;" }] });
  });
});

describe("what is no Excel file, or too large", () => {
  const refused = (file: Buffer) => () => excelToRows(file.toString("base64"), {});

  it.each([
    ["a text", Buffer.from("a,b\n1,2"), /not an Excel file/u],
    ["nothing", Buffer.alloc(0), /not Base64/u],
    ["half an archive", Buffer.from("PK\u0003\u0004 and so on and on and on and on"), /archive is broken/u],
    [
      "another compound file",
      Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(600)]),
      /not an Excel/u,
    ],
  ])("%s is refused", (_name, file, message) => {
    expect(refused(file)).toThrow(TaskError);
    expect(refused(file)).toThrow(message);
  });

  it("an archive without a workbook is refused", async () => {
    expect(refused(await zipFile({ "a.txt": "x" }))).toThrow(/not an Excel file/u);
  });

  it("an archive of too many parts is refused", async () => {
    const parts = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`p${index}`, ""]));
    expect(refused(await zipFile(parts))).toThrow(/more than 1000 parts/u);
  });

  it("an archive that unpacks to too much is refused, whatever sizes it claims", async () => {
    const archive = await zipFile({ "xl/workbook.xml": Buffer.alloc(70 * 1024 * 1024) });
    expect(archive.length).toBeLessThan(200_000);
    expect(refused(archive)).toThrow(/unpacked it has more than 67108864 bytes/u);
    const end = archive.lastIndexOf("PK\u0005\u0006");
    archive.writeUInt32LE(10, archive.readUInt32LE(end + 16) + 24);
    expect(refused(archive)).toThrow(/unpacked it has more than 67108864 bytes/u);
  });

  it("an archive whose parts share their bytes is refused", async () => {
    const archive = await zipFile({ a: deflateRawSync(Buffer.alloc(1_000)), b: "x" });
    const end = archive.lastIndexOf("PK\u0005\u0006");
    const first = archive.readUInt32LE(end + 16);
    const second = archive.indexOf("PK\u0001\u0002", first + 4);
    archive.writeUInt32LE(archive.readUInt32LE(first + 42), second + 42);
    expect(refused(archive)).toThrow(/archive is broken/u);
  });

  it("an archive that tells one thing in its directory and another elsewhere is refused", async () => {
    const whole = await zipFile({ "xl/workbook.xml": Buffer.alloc(10_000) });
    const end = whole.lastIndexOf("PK\u0005\u0006");
    const stored = Buffer.from(whole);
    // The directory says that the part is not packed, and short.
    stored.writeUInt16LE(0, stored.readUInt32LE(end + 16) + 10);
    stored.writeUInt32LE(10, stored.readUInt32LE(end + 16) + 20);
    const counted = Buffer.from(whole);
    counted.writeUInt16LE(0, end + 10);
    // An end that says that there is nothing, behind it the first twenty bytes of the other one.
    const ended = Buffer.concat([whole.subarray(0, end), Buffer.alloc(22), whole.subarray(end, end + 20)]);
    ended.write("PK\u0005\u0006", end, "latin1");
    for (const archive of [stored, counted, ended]) expect(refused(archive)).toThrow(/archive is broken/u);
  });

  it("a file behind a password is refused", () => {
    const book = { SheetNames: ["s"], Sheets: { s: utils.aoa_to_sheet([["a"]]) } };
    const file = Buffer.from(write(book, { type: "buffer", bookType: "biff8" }) as Uint8Array);
    // FilePass, the record that says so, in the place of one that does not matter.
    const record = file.indexOf(Buffer.from("c1000200", "hex"));
    file.writeUInt16LE(0x2f, record);
    expect(refused(file)).toThrow(/protected by a password/u);
  });

  it.each([
    [{ sheet: "a" }, /no member "sheet"/u],
    [{ sheets: "a" }, /options.sheets must be an array of texts/u],
    [{ headersIncluded: 1 }, /options.headersIncluded must be true or false/u],
  ])("options %j are refused", (options, message) => {
    expect(() => readExcelOptions(options)).toThrow(message);
  });

  it("options that are not given do not count", () => {
    expect(readExcelOptions({ sheets: null, headerRow: "" })).toEqual({});
  });
});
