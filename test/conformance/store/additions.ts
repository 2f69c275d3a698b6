import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addMembers } from "../../../src/core/add-members.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import type { StoreChange, Write } from "../../../src/store/store.ts";
import type { CurrentStore } from "./store-suite.ts";

const runs = Number(process.env["PROPERTY_RUNS"] ?? 20);
const collection = "task_metrics";
const add = (id: string, members: JsonObject): Write => ({
  kind: "add",
  collection,
  document: { _id: id, ...members },
});
const put = (id: string, members: JsonObject): Write => ({
  kind: "put",
  collection,
  document: { _id: id, ...members },
});
const event = (jobId: string, seq: number): Write => ({ kind: "appendEvent", jobId, seq, at: 0, delta: "{}" });

export function describeAdditions(store: CurrentStore): void {
  const read = async (id: string) => (await store().read(collection, id))?.document;

  describe("add", () => {
    it("makes the document, then adds numbers to numbers and sets everything else", async () => {
      await store().commit([add("a", { name: "old", runs: 2, list: [1], gone: 5 })]);
      expect(await store().read(collection, "a")).toEqual({
        document: { _id: "a", name: "old", runs: 2, list: [1], gone: 5 },
        version: 1,
      });
      await store().commit([add("a", { name: "new", runs: 40, list: [2], gone: null, more: true })]);
      expect(await store().read(collection, "a")).toEqual({
        document: { _id: "a", name: "new", runs: 42, list: [2], gone: null, more: true },
        version: 2,
      });
    });

    it("goes into objects, and keeps the order of members", async () => {
      await store().commit([add("a", { tasks: { b: { runs: 1, name: "x" }, a: { runs: 2 } }, none: {} })]);
      await store().commit([
        add("a", { first: 1, tasks: { c: { runs: 3 }, a: { runs: 5, errors: 1 }, b: {} }, none: {} }),
      ]);
      expect(JSON.stringify(await read("a"))).toBe(
        '{"_id":"a","tasks":{"b":{"runs":1,"name":"x"},"a":{"runs":7,"errors":1},"c":{"runs":3}},"none":{},"first":1}',
      );
    });

    it("takes a number for an object and an object for a number", async () => {
      await store().commit([add("a", { x: 1, y: { z: 1 } })]);
      await store().commit([add("a", { x: { z: 1 }, y: 1 })]);
      expect(await read("a")).toEqual({ _id: "a", x: { z: 1 }, y: 1 });
    });

    it("keeps names apart that mean something elsewhere", async () => {
      const members = JSON.parse('{"__proto__":{"runs":1},"constructor":1,"7":1,"a\\"b\\\\u0000":1}') as JsonObject;
      await store().commit([add("a", members)]);
      await store().commit([add("a", members)]);
      expect(JSON.stringify(await read("a"))).toBe(
        '{"7":2,"_id":"a","__proto__":{"runs":2},"constructor":2,"a\\"b\\\\u0000":2}',
      );
    });

    it("is exact up to 2^53, and below nothing", async () => {
      await store().commit([add("a", { big: 2 ** 53 - 2, small: -7 })]);
      await store().commit([add("a", { big: 1, small: 3 })]);
      expect(await read("a")).toEqual({ _id: "a", big: 2 ** 53 - 1, small: -4 });
    });

    it("by many commits at once adds up", async () => {
      await Promise.all(
        Array.from({ length: 20 }, async (_, writer) => {
          for (let turn = 1; turn <= 25; turn++)
            await store().commit([
              event(`job${writer}`, turn),
              add("all", { total: 1, each: { [`w${writer}`]: turn } }),
              add(`odd ${writer % 2}`, { total: 1 }),
            ]);
        }),
      );
      const each = Object.fromEntries(Array.from({ length: 20 }, (_, writer) => [`w${writer}`, 325]));
      expect(await read("all")).toEqual({ _id: "all", total: 500, each: expect.objectContaining(each) as unknown });
      expect([await read("odd 0"), await read("odd 1")]).toEqual([
        { _id: "odd 0", total: 250 },
        { _id: "odd 1", total: 250 },
      ]);
    });

    it("of a commit that is refused adds nothing, and those of its neighbours all", async () => {
      await store().commit([event("taken", 1)]);
      const commits = Array.from({ length: 40 }, (_, index) =>
        store().commit([
          add("sum", { before: 1 }),
          event(index % 4 === 0 ? "taken" : `job${index}`, 1),
          add("sum", { after: 1 }),
        ]),
      );
      const results = await Promise.allSettled(commits);
      expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(30);
      expect(await read("sum")).toEqual({ _id: "sum", before: 30, after: 30 });
    });

    it("keeps its place among other writes of the document, in one commit and in commits of one moment", async () => {
      await store().commit([add("a", { n: 1 }), put("a", { n: 10 }), add("a", { n: 2 }), add("a", { n: 3 })]);
      expect(await read("a")).toEqual({ _id: "a", n: 15 });
      await Promise.all([
        store().commit([add("b", { n: 1 })]),
        store().commit([put("b", { n: 10 })]),
        store().commit([add("b", { n: 2 })]),
        store().commit([{ kind: "remove", collection, id: "b" }]),
        store().commit([add("b", { n: 4 }), event("j", 1)]),
        store().commit([{ kind: "keep", collection, document: { _id: "b", n: 100 } }]),
        store().commit([add("b", { n: 8 })]),
      ]);
      expect(await read("b")).toEqual({ _id: "b", n: 12 });
    });

    it("of a moment stays when a later commit of the moment writes the document and is refused", async () => {
      await store().commit([event("taken", 1)]);
      const [first, second] = await Promise.allSettled([
        store().commit([add("a", { n: 1 })]),
        store().commit([put("a", { n: 10 }), event("taken", 1)]),
      ]);
      expect([first.status, second.status]).toEqual(["fulfilled", "rejected"]);
      expect(await read("a")).toEqual({ _id: "a", n: 1 });
    });

    it("is not told to watchers", async () => {
      const told: StoreChange[] = [];
      const stop = store().watch((changes) => told.push(...changes));
      await store().commit([add("a", { n: 1 }), put("b", {})]);
      stop();
      expect(told).toEqual([{ collection, id: "b" }]);
    });

    it.each([
      ["collections with unique fields", { kind: "add", collection: "accounts", document: { _id: "a" } }, "unique"],
      ["unknown collections", { kind: "add", collection: "nowhere", document: { _id: "a" } }, "no collection"],
      ["documents without _id", { kind: "add", collection, document: { n: 1 } }, "no text _id"],
      ["half characters", add("a", { "\u{D800}": 1 }), "half of a character"],
      ["U+0000", add("a", { text: "\0" }), "U+0000"],
    ] as const)("is refused for %s", async (_name, write, message) => {
      await expect(store().commit([put("neighbour", {}), write])).rejects.toThrow(message);
      expect(await read("neighbour")).toBeUndefined();
    });

    it("comes to the sum of all additions, however they are put into commits", async () => {
      let round = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(addition, { minLength: 1, maxLength: 3 }), { maxLength: 12 }),
          async (given) => {
            round += 1;
            const wanted = new Map<string, JsonObject>();
            for (const { row, members } of given.flat()) {
              const id = `${round} ${row}`;
              const sum = wanted.get(id) ?? { _id: id };
              addMembers(sum, structuredClone(members));
              wanted.set(id, sum);
            }
            await Promise.all(
              given.map((commit) => store().commit(commit.map(({ row, members }) => add(`${round} ${row}`, members)))),
            );
            for (const [id, sum] of wanted) expect(await read(id)).toEqual(sum);
          },
        ),
        { numRuns: runs },
      );
    });
  });
}

const name = fc.constantFrom("a", "b", "7", "tasks", 'ü \\ "');
const number = fc.integer({ min: -(2 ** 40), max: 2 ** 40 });
/** Numbers and objects of them, each name always with the same kind of value: then order does not matter. */
const members = fc
  .record({ numbers: fc.dictionary(name, number), within: fc.dictionary(name, fc.dictionary(name, number)) })
  .map(({ numbers, within }): JsonObject => ({ ...numbers, within: JSON.parse(JSON.stringify(within)) as JsonObject }));
const addition = fc.record({ row: fc.nat(2), members });
