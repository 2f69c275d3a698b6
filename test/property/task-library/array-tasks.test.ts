import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTaskCatalog, taskLibrary } from "../../../src/task-library/index.ts";

const catalog = createTaskCatalog(taskLibrary);
const context = { now: 0, random: () => 0 };

/** The value of the one outgoing variable. */
function run(name: string, incoming: Record<string, unknown>): unknown {
  const result = catalog.find(name)?.run?.(incoming, context);
  return Object.values(result?.outgoing ?? {})[0];
}

const plain = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
const json = fc.jsonValue();
const list = fc.array(json, { maxLength: 8 });
const plainList = fc.array(plain, { maxLength: 8 });
const place = fc.option(fc.integer({ min: -10, max: 10 }), { nil: undefined });

/** How a workflow writes an optional argument that is not given. */
const given = (value: unknown, blank: unknown) => value ?? blank;
const blank = fc.constantFrom("", null, undefined);

describe("an array task does what its JavaScript namesake does", () => {
  it("arrayConcat", () =>
    fc.assert(
      fc.property(list, json, (arr, arrayN) => {
        expect(run("arrayConcat", { arr, arrayN })).toEqual(arr.concat(arrayN as never));
      }),
    ));
  it("arraySlice", () =>
    fc.assert(
      fc.property(list, place, place, blank, (arr, begin, end, none) => {
        expect(run("arraySlice", { arr, begin: given(begin, none), end: given(end, none) })).toEqual(
          arr.slice(begin, end),
        );
      }),
    ));
  it("fill", () =>
    fc.assert(
      fc.property(list, plain, place, place, blank, (arr, value, start, end, none) => {
        expect(run("fill", { arr, value, start: given(start, none), end: given(end, none) })).toEqual(
          [...arr].fill(value, start, end),
        );
      }),
    ));
  it("copyWithin", () =>
    fc.assert(
      fc.property(list, fc.integer({ min: -10, max: 10 }), place, place, blank, (arr, target, start, end, none) => {
        expect(run("copyWithin", { arr, target, start: given(start, none), end: given(end, none) })).toEqual(
          [...arr].copyWithin(target, start ?? 0, end),
        );
      }),
    ));
  it("reverse, sort, isArray and length", () =>
    fc.assert(
      fc.property(plainList, (arr) => {
        expect(run("reverse", { arr })).toEqual([...arr].reverse());
        expect(run("sort", { arr })).toEqual((arr as unknown[]).toSorted(undefined));
        expect(run("isArray", { arr })).toBe(true);
        expect(run("arrayLength", { arr })).toBe(arr.length);
      }),
    ));
  it("join", () =>
    fc.assert(
      fc.property(plainList, fc.string(), (arr, separator) => {
        expect(run("join", { arr, separator })).toBe(arr.join(separator));
      }),
    ));
  it("arrayIncludes, arrayIndexOf and arrayLastIndexOf for plain values", () =>
    fc.assert(
      fc.property(plainList, plain, place, blank, (arr, searchElement, from, none) => {
        const incoming = { arr, searchElement, fromIndex: given(from, none) };
        expect(run("arrayIncludes", incoming)).toBe(arr.includes(searchElement, from));
        expect(run("arrayIndexOf", incoming)).toBe(arr.indexOf(searchElement, from));
        expect(run("arrayLastIndexOf", incoming)).toBe(
          from === undefined ? arr.lastIndexOf(searchElement) : arr.lastIndexOf(searchElement, from),
        );
      }),
    ));
});

describe("an array task with a locale", () => {
  it("arrayToLocaleString does what its namesake does, in American English unless another is given", () =>
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.double({ noNaN: true }), fc.string(), fc.boolean(), fc.constant(null)), { maxLength: 8 }),
        fc.constantFrom("", null, undefined, "de-DE", "en-IN", ["fr-FR", "en-US"]),
        fc.constantFrom(undefined, { style: "currency", currency: "EUR" }, { maximumFractionDigits: 1 }),
        (arr, locales, options) => {
          expect(run("arrayToLocaleString", { arr, locales, options: options ?? "" })).toBe(
            arr.toLocaleString(locales === null || locales === "" ? "en-US" : (locales ?? "en-US"), options as object),
          );
        },
      ),
    ));
});

describe("an array task differs from its JavaScript namesake where workflows need it", () => {
  it("arrayPush, arrayPop, unshift and arrayShift give the array, and leave theirs as it was", () =>
    fc.assert(
      fc.property(list, json, (arr, element) => {
        const before = structuredClone(arr);
        expect(run("arrayPush", { arr, elementN: element })).toEqual([...arr, element]);
        expect(run("unshift", { arr, elementN: element })).toEqual([element, ...arr]);
        expect(run("arrayPop", { arr })).toEqual(arr.slice(0, -1));
        expect(run("arrayShift", { arr })).toEqual(arr.slice(1));
        expect(run("sort", { arr: arr.filter((item) => typeof item === "string") })).toHaveLength(
          arr.filter((item) => typeof item === "string").length,
        );
        expect(arr).toEqual(before);
      }),
    ));
  it("arrayToString of an empty array is null, of another the joined text", () =>
    fc.assert(
      fc.property(plainList, (arr) => {
        expect(run("arrayToString", { arr })).toBe(arr.length === 0 ? null : arr.toString());
      }),
    ));
  it("an object is found in no array", () =>
    fc.assert(
      fc.property(list, fc.oneof(fc.dictionary(fc.string(), plain), plainList), (arr, element) => {
        expect(run("arrayIncludes", { arr: [...arr, element], searchElement: element })).toBe(false);
        expect(run("arrayIndexOf", { arr: [...arr, element], searchElement: element })).toBe(-1);
        expect(run("arrayLastIndexOf", { arr: [...arr, element], searchElement: element })).toBe(-1);
      }),
    ));
  it("map zips keys with values", () =>
    fc.assert(
      fc.property(fc.uniqueArray(fc.string()), list, (arr, map) => {
        const pairs = arr.slice(0, map.length).map((key, index) => [key, map[index]] as const);
        expect(run("map", { arr, map })).toEqual(Object.fromEntries(pairs));
      }),
    ));
});
