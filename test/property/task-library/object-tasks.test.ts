import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TaskError } from "../../../src/core/task.ts";
import { createTaskCatalog, taskLibrary } from "../../../src/task-library/index.ts";

const catalog = createTaskCatalog(taskLibrary);
const context = { now: 0, random: () => 0 };

/** The value of the one outgoing variable. */
function run(name: string, incoming: Record<string, unknown>): unknown {
  const result = catalog.find(name)?.run?.(incoming, context);
  return Object.values(result?.outgoing ?? {})[0];
}

// Names that collide, that are numbers, and that mean something to JavaScript.
const name = fc.oneof(fc.constantFrom("a", "b", "1", "10", "2", "toString", "constructor"), fc.string());
const anyName = fc.oneof(name, fc.constant("__proto__"));
const json = fc.jsonValue({ maxDepth: 3 });
const members = fc.array(fc.tuple(anyName, json), { maxLength: 6 });
/** As JSON.parse makes them: `__proto__` is a member like any other. */
const object = members.map((entries) => Object.fromEntries(entries));
const plainObject = fc
  .array(
    fc.tuple(
      name.filter((one) => one !== "__proto__"),
      json,
    ),
    { maxLength: 6 },
  )
  .map((entries) => Object.fromEntries(entries));
const blank = fc.constantFrom("", null, undefined);

describe("an object task does what its JavaScript namesake does", () => {
  it("assign, and leaves its target as it was", () =>
    fc.assert(
      fc.property(plainObject, plainObject, (target, sourceN) => {
        const before = structuredClone(target);
        const expected = Object.assign({}, target, sourceN);
        const assigned = run("assign", { target, sourceN }) as object;
        expect(assigned).toEqual(expected);
        expect(Object.keys(assigned)).toEqual(Object.keys(expected));
        expect(target).toEqual(before);
      }),
    ));
  it("keys and values", () =>
    fc.assert(
      fc.property(object, (obj) => {
        expect(run("keys", { obj })).toEqual(Object.keys(obj));
        expect(run("values", { obj })).toEqual(Object.values(obj));
      }),
    ));
  it("objectHasOwnProperty", () =>
    fc.assert(
      fc.property(object, fc.oneof(anyName, fc.integer({ min: 0, max: 12 }), fc.boolean()), (obj, prop) => {
        expect(run("objectHasOwnProperty", { obj, prop })).toBe(
          Object.prototype.hasOwnProperty.call(obj, prop as string),
        );
      }),
    ));
  it("objectToString, as JSON.stringify", () =>
    fc.assert(
      fc.property(
        json,
        fc.option(fc.array(anyName), { nil: undefined }),
        fc.option(fc.integer({ min: -2, max: 12 }), { nil: undefined }),
        blank,
        (value, replacer, space, none) => {
          expect(run("objectToString", { value, replacer: replacer ?? none, space: space ?? none })).toBe(
            JSON.stringify(value, replacer, space),
          );
        },
      ),
    ));
  it("parse, as JSON.parse: the value of what is JSON, and a refusal of what is not", () =>
    fc.assert(
      fc.property(
        fc.oneof(
          json.map((value) => JSON.stringify(value)),
          fc.string(),
        ),
        (text) => {
          const parse = (): unknown => JSON.parse(text) as unknown;
          let expected: unknown;
          try {
            expected = parse();
          } catch {
            expect(() => run("parse", { text })).toThrow(TaskError);
            return;
          }
          expect(run("parse", { text })).toEqual(expected);
          expect(run("parse", { text: run("objectToString", { value: expected }) })).toEqual(expected);
        },
      ),
    ));
});

describe("an object task differs from its JavaScript namesake where workflows need it", () => {
  it("assign takes __proto__ for a name like any other", () =>
    fc.assert(
      fc.property(object, object, (target, sourceN) => {
        const assigned = run("assign", { target, sourceN }) as object;
        expect(Object.getPrototypeOf(assigned)).toBe(Object.prototype);
        const expected = Object.fromEntries([...Object.entries(target), ...Object.entries(sourceN)]);
        expect(Object.entries(assigned)).toEqual(Object.entries(expected));
      }),
    ));
  it("setObjectKey puts a value in its place, and all else stays where it was", () =>
    fc.assert(
      fc.property(object, fc.array(anyName, { minLength: 1, maxLength: 3 }), json, (obj, path, value) => {
        const before = structuredClone(obj);
        let made: unknown;
        try {
          made = run("setObjectKey", { obj, path, value });
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(TaskError);
          return;
        }
        expect(obj).toEqual(before);
        let container: unknown = made;
        let old: unknown = obj;
        for (const key of path) {
          const rest = (one: unknown) => Object.entries(one ?? {}).filter(([other]) => other !== key);
          expect(rest(container)).toEqual(rest(old));
          container = memberOf(container, key);
          old = memberOf(old, key);
        }
        expect(container).toEqual(value);
      }),
    ));
});

function memberOf(container: unknown, key: string): unknown {
  const entries = Object.entries(container ?? {});
  return entries.find(([other]) => other === key)?.[1] as unknown;
}

describe("merging", () => {
  const item = (key: string, value: unknown) => ({ key, value });

  it("merge gives every key its value, or the list of its values in their order", () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            anyName.filter((key) => key !== ""),
            json,
          ),
          { minLength: 1, maxLength: 8 },
        ),
        (pairs) => {
          const merged = run("merge", { data_to_merge: pairs.map(([key, value]) => item(key, value)) }) as object;
          const keys = [...new Set(pairs.map(([key]) => key))];
          const expected = keys.map((key): [string, unknown] => {
            const values = pairs.filter(([other]) => other === key).map(([, value]) => value);
            return [key, values.length > 1 ? values : values[0]];
          });
          expect(Object.entries(merged)).toEqual(Object.entries(Object.fromEntries(expected)));
        },
      ),
    ));
  it("merge without keys gives the list of the values", () =>
    fc.assert(
      fc.property(fc.array(json, { minLength: 1 }), (values) => {
        expect(run("merge", { data_to_merge: values.map((value) => item("", value)) })).toEqual(values);
      }),
    ));
  it("deepmerge is assign where no two members of one name are objects", () =>
    fc.assert(
      fc.property(object, object, (one, other) => {
        const flat = Object.fromEntries(Object.entries(other).map(([key, value]) => [key, [value]]));
        expect(run("deepmerge", { data_to_merge: [item("", one), item("", flat)] })).toEqual(
          run("assign", { target: one, sourceN: flat }),
        );
      }),
    ));
  it("deepmerge with itself, with nothing and with what is no object gives the same object", () =>
    fc.assert(
      fc.property(object, fc.oneof(fc.string(), fc.constant(null), fc.array(json)), (one, none) => {
        for (const values of [
          [one, one],
          [{}, one],
          [one, {}],
          [one, none],
        ]) {
          expect(run("deepmerge", { data_to_merge: values.map((value) => item("", value)) })).toEqual(one);
        }
      }),
    ));
  it("deepmerge below a name is deepmerge of what is there", () =>
    fc.assert(
      fc.property(object, object, anyName, (one, other, key) => {
        const within = (value: unknown) => item("", Object.fromEntries([[key, value]]));
        const merged = run("deepmerge", { data_to_merge: [within(one), within(other)] });
        const alone = run("deepmerge", { data_to_merge: [item("", one), item("", other)] });
        expect(Object.entries(merged as object)).toEqual([[key, alone]]);
      }),
    ));
});
