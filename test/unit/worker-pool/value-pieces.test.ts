import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cutValue, joinPieces } from "../../../src/worker-pool/value-pieces.ts";

const atOnce = () => Promise.resolve();
const most = 10;

describe("a value in pieces", () => {
  test("is the same value again, whatever it is", async () => {
    const property = fc.asyncProperty(fc.jsonValue({ maxDepth: 6 }), async (value) => {
      const pieces = cutValue(value, most);
      if (!pieces) return;
      const joined = await joinPieces(pieces, atOnce);
      expect(joined).toStrictEqual(value);
      expect(JSON.stringify(joined)).toBe(JSON.stringify(value));
    });
    await fc.assert(property, { numRuns: 500 });
  });

  test("keeps members named like those of prototypes", async () => {
    const value: unknown = JSON.parse(`[{"__proto__": [${"1,".repeat(50)}1], "constructor": {"__proto__": null}}]`);
    const joined = await joinPieces(cutValue(value, most) ?? [], atOnce);
    expect(JSON.stringify(joined)).toBe(JSON.stringify(value));
    expect(Object.getPrototypeOf((joined as object[])[0])).toBe(Object.prototype);
  });

  test("is as many pieces as it is large, and none when it is small", () => {
    expect(cutValue([1, 2, { a: "b" }], most)).toBeUndefined();
    expect(
      cutValue(
        Array.from({ length: 1_000 }, () => 0),
        most,
      ),
    ).toHaveLength(1_000 / most + 1);
    expect(
      cutValue(Object.fromEntries(Array.from({ length: 1_000 }, (_, k) => [`k${k}`, k])), most)?.length,
    ).toBeGreaterThan(90);
    expect(cutValue("x".repeat(10_000), most)).toHaveLength(1);
  });

  test("is put together with a turn for each piece, and one before it is handed on", async () => {
    let turns = 0;
    const pieces =
      cutValue(
        Array.from({ length: 100 }, () => 0),
        most,
      ) ?? [];
    await joinPieces(pieces, async () => void (turns += 1));
    expect(turns).toBe(pieces.length + 1);
  });
});
