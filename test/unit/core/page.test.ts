import fc from "fast-check";
import { expect, it } from "vitest";
import { readPage, type PageOptions, type PageSource } from "../../../src/core/page.ts";

/** Reads a page of the numbers below `total`, and notes what was asked. */
async function pageOf(total: number, place: { skip: number; limit: number }) {
  const all = Array.from({ length: total }, (_, _id) => ({ _id }));
  const asked: string[] = [];
  const source: PageSource = {
    async find<T>(_collection: string, _query: object, { skip, limit }: PageOptions) {
      asked.push("find");
      await Promise.resolve();
      asked.push("found");
      return all.slice(skip, skip + limit) as T[];
    },
    async count() {
      asked.push("count");
      return total;
    },
  };
  const page = await readPage(source, "numbers", {}, { sort: {}, ...place });
  return { page, asked, all };
}

it("has the part asked for and the number of all", () =>
  fc.assert(
    fc.asyncProperty(fc.nat(20), fc.nat(25), fc.nat(25), async (total, skip, limit) => {
      const { page, all } = await pageOf(total, { skip, limit });
      expect(page).toEqual({ results: all.slice(skip, skip + limit), total });
    }),
  ));

it("asks for the number only where the results do not tell it", async () => {
  const asked = async (total: number, skip: number) => (await pageOf(total, { skip, limit: 5 })).asked;
  expect(await asked(0, 0)).toEqual(["find", "found"]);
  expect(await asked(4, 0)).toEqual(["find", "found"]);
  expect(await asked(5, 0)).toEqual(["find", "found", "count"]);
  expect(await asked(8, 5)).toEqual(["find", "count", "found"]);
});
