import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isLargeInput } from "../../../src/core/input-size.ts";

/** The same by counting everything. */
function sizeOf(value: unknown): { characters: number; elements: number } {
  if (typeof value !== "object" || value === null) {
    return { characters: typeof value === "string" ? value.length : 0, elements: 1 };
  }
  const total = { characters: 0, elements: 1 };
  for (const [name, member] of Object.entries(value)) {
    const size = sizeOf(member);
    total.characters += size.characters + (Array.isArray(value) ? 0 : name.length);
    total.elements += size.elements;
  }
  return total;
}

describe("the size of an input", () => {
  it("is compared with its limits exactly", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(40), fc.nat(20), (value, characters, elements) => {
        const size = sizeOf(value);
        expect(isLargeInput(value, { characters, elements })).toBe(
          size.characters > characters || size.elements > elements,
        );
      }),
    );
  });

  it("is not counted beyond the limit", () => {
    let reads = 0;
    const counted = Object.defineProperty({}, "a", { enumerable: true, get: () => (reads += 1) });
    const list = Array.from({ length: 100 }, () => counted);
    expect(isLargeInput(list, { characters: 10, elements: 99 })).toBe(true);
    expect(isLargeInput(list, { characters: 10, elements: 150 })).toBe(true);
    expect(reads).toBeLessThan(30);
  });
});
