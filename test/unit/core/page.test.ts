import fc from "fast-check";
import { expect, it } from "vitest";
import { readPage } from "../../../src/core/page.ts";

/** Reads a page of the numbers below `total`, and notes what was asked. */
async function pageOf(total: number, place: { skip: number; limit: number }) {
  const all = Array.from({ length: total }, (_, index) => index);
  const asked: string[] = [];
  const page = await readPage(place, {
    async find() {
      asked.push("find");
      await Promise.resolve();
      asked.push("found");
      return all.slice(place.skip, place.skip + place.limit);
    },
    async count() {
      asked.push("count");
      return total;
    },
  });
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
