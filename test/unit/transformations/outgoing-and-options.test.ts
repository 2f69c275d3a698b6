import { describe, expect, test } from "vitest";
import { compileTransformation } from "../../../src/transformations/compile-transformation.ts";
import { createTransformer } from "../../../src/transformations/create-transformer.ts";
import {
  extractOutput,
  readTransformationOptions,
  runTransformation,
} from "../../../src/transformations/run-transformation.ts";
import { assign, environment, run, transformation } from "./document-builder.ts";

describe("outgoing values", () => {
  const body = {
    $id: "body",
    type: "object",
    properties: { name: {}, site: { type: "object", properties: { id: {}, region: {} } }, tags: { type: "array" } },
  };

  test("members stand in the order of the schema, nested ones too, unwired ones are absent", () => {
    const steps = [
      assign("in.extra", "out.body/extra"),
      assign("in.tag", "out.body/tags/0"),
      assign("in.region", "out.body/site/region"),
      assign("in.id", "out.body/site/id"),
    ];
    const document = transformation({ incoming: ["extra", "tag", "region", "id"], outgoing: [body], steps });
    const { body: built } = run(document, { extra: 1, tag: "t", region: "eu", id: 7 });
    expect(JSON.stringify(built)).toBe('{"site":{"id":7,"region":"eu"},"tags":["t"],"extra":1}');
  });

  test("deeper places override a whole value, wherever it stands", () => {
    const steps = [assign("in.status", "out.body/status"), assign("in.whole", "out.body")];
    const document = transformation({ incoming: ["status", "whole"], outgoing: ["body"], steps });
    const whole = { status: "old", name: "n" };
    expect(run(document, { status: "new", whole })).toEqual({ body: { status: "new", name: "n" } });
    expect(whole).toEqual({ status: "old", name: "n" });
    expect(run(document, { status: "new", whole: [1] })).toEqual({ body: [1] });
    expect(run(document, { status: "new", whole: "text" })).toEqual({ body: { status: "new" } });
  });

  test("parents are created: lists for indexes, unless the schema says object", () => {
    const steps = [
      assign("in.v", "out.list/1/a"),
      assign("in.v", "out.object/0"),
      assign("in.v", "out.mixed/0"),
      assign("in.v", "out.mixed/x"),
    ];
    const document = transformation({
      incoming: ["v"],
      outgoing: ["list", { $id: "object", type: "object" }, "mixed"],
      steps,
    });
    expect(run(document, { v: 5 })).toEqual({ list: [undefined, { a: 5 }], object: { 0: 5 }, mixed: { 0: 5, x: 5 } });
  });

  test("what is never assigned is undefined, and so is what an undefined value is wired to", () => {
    const document = transformation({ incoming: ["v"], outgoing: ["a", "b"], steps: [assign("in.v", "out.a/x")] });
    const outgoing = run(document, {});
    expect(Object.keys(outgoing)).toEqual(["a", "b"]);
    expect(outgoing).toStrictEqual({ a: { x: undefined }, b: undefined });
  });

  test("a member named __proto__ is a member", () => {
    const document = transformation({
      incoming: ["v"],
      outgoing: ["a"],
      steps: [assign("in.v", "out.a/__proto__/polluted")],
    });
    const { a } = run(document, { v: true });
    expect(JSON.stringify(a)).toBe('{"__proto__":{"polluted":true}}');
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});

describe("options", () => {
  const schema = {
    $id: "device",
    type: "object",
    required: ["name"],
    properties: {
      name: { $id: "device", type: "string" },
      ports: { type: "array", items: { $id: "port", type: "integer" } },
    },
  };
  const document = transformation({
    incoming: [schema, { $id: "mode", enum: ["a", "b"] }],
    outgoing: ["result"],
    steps: [assign("in.device/name", "out.result")],
  });
  const validated = { validateIncoming: true };

  test.each([
    [{ device: { name: 5 } }, 'Validation of incoming "device" failed: /name must be string'],
    [{ device: { name: "r1", ports: [1, "x"] } }, 'Validation of incoming "device" failed: /ports/1 must be integer'],
    [{ device: "r1" }, 'Validation of incoming "device" failed: the value must be object'],
    [{ device: {} }, "must have required property 'name'"],
    [{ device: null }, "must be object"],
    [
      { device: { name: "r1" }, mode: "c" },
      'Validation of incoming "mode" failed: the value must be equal to one of the allowed values',
    ],
  ])("validateIncoming refuses %j", (incoming, message) => {
    expect(() => run(document, incoming, validated)).toThrow(message);
  });

  test("without validateIncoming anything goes, and undefined always does", () => {
    expect(run(document, { device: { name: 5 } }, "")).toEqual({ result: 5 });
    expect(run(document, { device: { name: 5 } }, null)).toEqual({ result: 5 });
    expect(run(document, {}, validated)).toEqual({ result: undefined });
    expect(run(document, { device: { name: "r1", ports: [1] }, mode: "a" }, validated)).toEqual({ result: "r1" });
  });

  test("a schema that is none is told, and its patterns come to an end", () => {
    const odd = (more: object) => transformation({ incoming: [{ $id: "x", ...more }], outgoing: [], steps: [] });
    expect(() => run(odd({ type: "nothing" }), { x: 1 }, validated)).toThrow(
      'The schema of incoming "x" cannot be used',
    );
    expect(() => run(odd({ $ref: "http://elsewhere/schema" }), { x: 1 }, validated)).toThrow(
      'The schema of incoming "x" cannot be used',
    );
    expect(() => run(odd({ pattern: "^(a+)+$" }), { x: `${"a".repeat(40)}!` }, validated)).toThrow(
      'Validation of incoming "x" failed: The regular expression takes too long',
    );
    expect(() => run(odd({ pattern: "^[a-c]+$" }), { x: "abd" }, validated)).toThrow("must match pattern");
  });

  test("a schema of references that would take for ever is stopped", () => {
    const either = { $ref: "#/definitions/node" };
    const node = { properties: { next: { anyOf: [either, either], required: ["end"] } } };
    const recursive = transformation({ incoming: [{ $id: "x", definitions: { node }, ...either }] });
    let value: object = {};
    for (let depth = 0; depth < 40; depth += 1) value = { next: value };
    let now = 0;
    const clock = () => {
      now += 100;
      return now;
    };
    expect(() => run(recursive, { x: value }, validated, { now: clock })).toThrow("took longer than 5000 ms");
  });

  test("uniqueItems compares what elements hold", () => {
    const unique = transformation({ incoming: [{ $id: "x", uniqueItems: true }] });
    expect(run(unique, { x: [1, "1", { a: 1 }, { a: 2 }, null] }, validated)).toEqual({});
    expect(() =>
      run(
        unique,
        {
          x: [
            { a: 1, b: 2 },
            { b: 2, a: 1 },
          ],
        },
        validated,
      ),
    ).toThrow("duplicate items");
    expect(() => run(unique, { x: [1, 1] }, validated)).toThrow("duplicate items");
  });

  test("revertToDefaultValue fills in what is undefined only", () => {
    const greeting = transformation({
      incoming: [{ $id: "text", default: "Hello" }],
      outgoing: ["result"],
      steps: [assign("in.text", "out.result")],
    });
    expect(run(greeting, {}, { revertToDefaultValue: true })).toEqual({ result: "Hello" });
    expect(run(greeting, { text: null }, { revertToDefaultValue: true })).toEqual({ result: null });
    expect(run(greeting, {}, {})).toEqual({ result: undefined });
  });

  test("a default is validated, too", () => {
    const wrong = transformation({ incoming: [{ $id: "n", type: "number", default: "x" }], outgoing: [], steps: [] });
    expect(() => run(wrong, {}, { revertToDefaultValue: true, validateIncoming: true })).toThrow('incoming "n"');
  });

  test("extractOutput answers the bare value of a single outgoing", () => {
    const one = { outgoing: { output: { assigned: 6 } } };
    const two = { outgoing: { a: 1, b: 2 } };
    expect(extractOutput(one, { extractOutput: true })).toEqual({ assigned: 6 });
    expect(extractOutput(one, { extractOutput: false })).toEqual({ output: { assigned: 6 } });
    expect(extractOutput(two, { extractOutput: true })).toEqual({ a: 1, b: 2 });
  });

  test("options are read as clients write them", () => {
    const off = { extractOutput: false, validateIncoming: false, revertToDefaultValue: false };
    expect(readTransformationOptions("")).toEqual(off);
    expect(readTransformationOptions(undefined)).toEqual(off);
    expect(readTransformationOptions({ extractOutput: true, validateIncoming: "true" })).toEqual({
      ...off,
      extractOutput: true,
      validateIncoming: true,
    });
  });
});

describe("incoming values", () => {
  test("only own members count, and surplus ones are ignored", () => {
    const document = transformation({
      incoming: ["toString", "a"],
      outgoing: ["t"],
      steps: [assign("in.toString", "out.t")],
    });
    expect(run(document, { a: 1, surplus: 2 })).toEqual({ t: undefined });
  });

  test("a transformer compiles each document once", () => {
    let reads = 0;
    const document = transformation({ incoming: ["v"], outgoing: ["r"], steps: [assign("in.v", "out.r")] });
    const watched = {
      ...document,
      get steps() {
        reads += 1;
        return document["steps"];
      },
    };
    const transform = createTransformer(environment());
    expect(transform(watched, { v: 1 }, {})).toEqual({ r: 1 });
    const readsOnce = reads;
    expect(transform(watched, { v: 2 }, {})).toEqual({ r: 2 });
    expect(reads).toBe(readsOnce);
  });

  test("a document that is none cannot run", () => {
    const compiled = compileTransformation({ name: "X", steps: "none" });
    expect(() => runTransformation(compiled, {}, {}, environment())).toThrow(
      'Transformation "X" cannot run: steps must be a list',
    );
  });
});
