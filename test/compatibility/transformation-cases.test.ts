import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { TaskError } from "../../src/core/task.ts";
import { isJsonObject, type JsonObject } from "../../src/core/json.ts";
import { compileTransformation } from "../../src/transformations/compile-transformation.ts";
import { runTransformation } from "../../src/transformations/run-transformation.ts";
import type { TransformationEnvironment } from "../../src/transformations/transformation-environment.ts";
import { queryPath } from "../../src/workflow-engine/interpreter/query-path.ts";
import { compileRegularExpression } from "../../src/workflow-engine/interpreter/regular-expression.ts";

const shared = join(import.meta.dirname, "../../../shared");
const casesFile = join(shared, "golden/transformation-cases.json");
const isPresent = existsSync(casesFile);

interface Case {
  document: string;
  documentId: string;
  input: Record<string, unknown>;
  output: Record<string, unknown>;
  compare: string[];
  certainty: "recorded" | "certain" | "likely";
  why: string;
  project: string;
}

/** A document and the file it was found in. */
interface FoundDocument {
  file: string;
  document: JsonObject;
}

const environment: TransformationEnvironment = {
  now: () => Date.UTC(2025, 0, 24, 15, 51, 47),
  random: () => 0.5,
  timeZoneOffset: 0,
  query: queryPath,
  compileRegularExpression,
};

function jsonFiles(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return jsonFiles(path);
    return name.endsWith(".json") ? [path] : [];
  });
}

function documentsIn(value: unknown, file: string): FoundDocument[] {
  if (Array.isArray(value)) return value.flatMap((item) => documentsIn(item, file));
  if (!isJsonObject(value)) return [];
  const isDocument = ["incoming", "outgoing", "steps"].every((member) => Array.isArray(value[member]));
  if (isDocument) return [{ file, document: value }];
  return Object.values(value).flatMap((member) => documentsIn(member, file));
}

function allDocuments(): FoundDocument[] {
  const folders = ["assets/projects", "prebuilts", "golden"].map((folder) => join(shared, folder));
  return folders.flatMap(jsonFiles).flatMap((file) => documentsIn(JSON.parse(readFileSync(file, "utf8")), file));
}

function nameOf({ document }: FoundDocument): string {
  const name = document["name"];
  return (typeof name === "string" ? name : "").replace(/^@[^:]*: /u, "");
}

function findDocument(documents: readonly FoundDocument[], wanted: Case): JsonObject {
  const inProject = documents.filter(({ file }) => basename(file) === wanted.project);
  const found =
    inProject.find(({ document }) => document["_id"] === wanted.documentId) ??
    inProject.find((one) => nameOf(one) === wanted.document) ??
    documents.find(({ document }) => document["_id"] === wanted.documentId) ??
    documents.find((one) => nameOf(one) === wanted.document);
  if (!found) throw new Error(`there is no document ${wanted.document} (${wanted.documentId})`);
  return found.document;
}

/** As the value arrives over the wire: members that are undefined are absent. */
function overTheWire(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/** What does not come out as it should; recorded values also show the order of members. */
function missesOf(one: Case, document: JsonObject): string[] {
  const options = { validateIncoming: true, revertToDefaultValue: true };
  const { outgoing } = runTransformation(compileTransformation(document), one.input, options, environment);
  return one.compare.flatMap((name) => {
    const [actual, expected] = [overTheWire(outgoing[name]), one.output[name]];
    const [shown, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
    const isRight = one.certainty === "recorded" ? shown === wanted : isDeepStrictEqual(actual, expected);
    return isRight ? [] : [`${one.document}.${name}: ${shown} instead of ${wanted}`];
  });
}

/** The answer of a run, or that it was refused as a run may be. */
function attempt(document: JsonObject, incoming: Record<string, unknown>): "answered" | "refused" {
  try {
    runTransformation(compileTransformation(document), incoming, {}, environment);
    return "answered";
  } catch (error) {
    if (error instanceof TaskError) return "refused";
    throw error;
  }
}

/** Whether two functions of one list really have the same id, the only fault a published document is known to have. */
function hasFunctionTwice(document: JsonObject): boolean {
  const ids = (document["functions"] as JsonObject[]).map((one) => one["id"]);
  return new Set(ids).size < ids.length;
}

describe.skipIf(!isPresent)("published transformations (skipped where ../shared is absent)", () => {
  const documents = isPresent ? allDocuments() : [];
  const cases = isPresent ? (JSON.parse(readFileSync(casesFile, "utf8")) as { cases: Case[] }).cases : [];

  test("all recorded and derived cases give their outputs, and leave their inputs", () => {
    const before = JSON.stringify(cases);
    const misses = cases.map((one) => missesOf(one, findDocument(documents, one)));
    const passed = misses.filter((found) => found.length === 0).length;
    console.log(`transformation cases: ${passed} of ${cases.length} pass`);
    expect(misses.flat()).toEqual([]);
    expect(cases.length).toBeGreaterThanOrEqual(74);
    expect(JSON.stringify(cases)).toBe(before);
  });

  test("all documents compile, with no error that is not true of them", () => {
    let faulty = 0;
    for (const { document } of documents) {
      const { errors, plan } = compileTransformation(document);
      expect(plan).toBeDefined();
      if (errors.length > 0) faulty += 1;
      expect(errors.filter(({ code }) => code !== "DUPLICATE_FUNCTION")).toEqual([]);
      expect(errors.length > 0).toBe(hasFunctionTwice(document));
    }
    console.log(`transformation documents: ${documents.length} compiled, ${faulty} with a function twice`);
    expect(documents.length).toBeGreaterThanOrEqual(139);
  });

  test("all documents answer or refuse, whatever they are given", () => {
    const values = [undefined, null, "", "text", 5, true, [], [1, "a"], {}, { a: { b: [1] } }];
    const counts = { answered: 0, refused: 0 };
    for (const { document } of documents) {
      const names = (document["incoming"] as { $id: string }[]).map((slot) => slot.$id);
      for (const value of values) {
        counts[attempt(document, Object.fromEntries(names.map((name) => [name, value])))] += 1;
      }
    }
    expect(counts.answered).toBeGreaterThan(200);
    expect(counts.refused).toBeGreaterThan(200);
  });
});
