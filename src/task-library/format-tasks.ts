import { Type } from "@sinclair/typebox";
import type { Task } from "../core/task.ts";
import { anything, boolean, listOfTexts, object, optional, text } from "./arguments.ts";
import { parseCsv, weighCsv } from "./csv.ts";
import { defineTask, defineWorkerTask, gives, refuses } from "./define-task.ts";
import { excelExamples } from "./excel-examples.ts";
import { validateJsonSchema, weighCheck } from "./json-schema.ts";

const palette = "Tools";
const rows = Type.Array(Type.Object({}, { additionalProperties: true }));

/** Tasks that read tables and hold values against schemas (tasks-and-transformations.md §5). */
export const formatTasks: readonly Task[] = [
  defineTask({
    name: "csvStringToJson",
    palette,
    summary: "The rows of a CSV text as objects.",
    description:
      "The delimiter (comma, semicolon, tab or bar) is found in the text. All values are texts; a field that a row " +
      "lacks is empty. Columns without a name are field1, field2 and so on by their place; of two columns with one name " +
      "the later counts. Empty lines and white space around fields are left out.",
    incoming: { input: text, headersIncluded: optional(boolean), headerRow: optional(listOfTexts) },
    outgoing: ["response", rows],
    weigh: weighCsv,
    compute: ({ input, headersIncluded = true, headerRow }, { isInWorker = false }) =>
      parseCsv(input, { headersIncluded, isInWorker, ...(headerRow ? { headerRow } : {}) }),
    examples: [
      gives(
        ["name;vlan\nr1;10\nr2;", true, ""],
        [
          { name: "r1", vlan: "10" },
          { name: "r2", vlan: "" },
        ],
      ),
      gives(['r1,"core, ""north"""', false, ""], [{ field1: "r1", field2: 'core, "north"' }]),
      gives(
        ["r1\t10.0.0.1\textra", false, ["name", "address"]],
        [{ name: "r1", address: "10.0.0.1", field3: "extra" }],
      ),
      gives(["a,b\r\n1,2\r\n", true, ["x", "y"]], [{ x: "1", y: "2" }]),
      gives(["", true, ""], []),
      refuses(['name\n"r1', true, ""], "Row 2 of the CSV text"),
    ],
  }),
  defineWorkerTask({
    name: "excelToJson",
    palette,
    summary: "The sheets of an Excel file (Base64) by name, each with its rows as objects.",
    description:
      "Reads xlsx, xlsb and the older xls. Options: headersIncluded (default true), headerRow (names of the columns) and " +
      "sheets (only these). Numbers and booleans keep their type; dates and times are ISO 8601 texts without a zone; a " +
      "formula is the value stored for it; an empty cell is empty text.",
    incoming: { input: text, options: optional(object) },
    outgoing: ["response", Type.Record(Type.String(), rows)],
    load: async () => {
      const { excelToRows, readExcelOptions } = await import("../spreadsheets/index.ts");
      return ({ input, options = {} }) => excelToRows(input, readExcelOptions(options));
    },
    examples: excelExamples,
  }),
  defineTask({
    name: "validateJsonSchema",
    palette,
    summary: "Does a value match a JSON schema? If not, where it does not.",
    description:
      "Drafts 4, 6, 7, 2019-09 and 2020-12, as $schema says; 7 without it. References lead to places in the schema only.",
    incoming: { jsonData: anything, schema: object },
    outgoing: ["result", Type.Object({ valid: Type.Boolean(), errors: Type.Optional(Type.Array(Type.Unknown())) })],
    weigh: ({ jsonData, schema }) => weighCheck(jsonData, schema),
    compute: ({ jsonData, schema }) => validateJsonSchema(jsonData, schema),
    examples: [
      gives([{ vlan: 10 }, { type: "object", properties: { vlan: { type: "integer" } } }], { valid: true }),
      gives([{ vlan: "10" }, { type: "object", properties: { vlan: { type: "integer" } } }], {
        valid: false,
        errors: [
          {
            instancePath: "/vlan",
            schemaPath: "#/properties/vlan/type",
            keyword: "type",
            message: 'Instance type "string" is invalid. Expected "integer".',
          },
        ],
      }),
      gives([3, { $schema: "http://json-schema.org/draft-04/schema#", maximum: 3, exclusiveMaximum: true }], {
        valid: false,
        errors: [
          {
            instancePath: "",
            schemaPath: "#/maximum",
            keyword: "maximum",
            message: "3 is greater than or equal to  3.",
          },
        ],
      }),
      refuses([1, { type: "whole" }], 'malformed at "/type"'),
      refuses([1, { $ref: "https://example.com/other.json" }], "which is not a place in it"),
    ],
  }),
];
