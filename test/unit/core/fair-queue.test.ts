import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FairQueue } from "../../../src/core/fair-queue.ts";

function takeAll<Item>(queue: FairQueue<Item>): Item[] {
  const items: Item[] = [];
  for (let item = queue.take(); item !== undefined; item = queue.take()) items.push(item);
  return items;
}

describe("the fair queue", () => {
  it("lets each key have its turn", () => {
    const queue = new FairQueue<string>();
    for (const item of ["a1", "a2", "a3", "b1", "c1", "b2"]) queue.add(item.charAt(0), item);
    expect(queue.size).toBe(6);
    expect(takeAll(queue)).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
    expect(queue.size).toBe(0);
  });

  it("gives everything once, in the order of each key, and a key waits for no more than one of each other", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5 })), (keys) => {
        const queue = new FairQueue<{ key: number; place: number }>();
        keys.forEach((key, place) => queue.add(String(key), { key, place }));
        const taken = takeAll(queue);
        expect(taken.map(({ place }) => place).toSorted((a, b) => a - b)).toEqual(keys.map((_, place) => place));
        const turns = new Map<number, number>();
        for (const { key, place } of taken) {
          const turn = (turns.get(key) ?? 0) + 1;
          turns.set(key, turn);
          expect(keys.slice(0, place + 1).filter((other) => other === key)).toHaveLength(turn);
          const stillWaiting = [...turns].filter(([other]) => keys.filter((one) => one === other).length > turn);
          for (const [, count] of stillWaiting) expect(count).toBeGreaterThanOrEqual(turn - 1);
        }
      }),
    );
  });

  it("can be emptied at once", () => {
    const queue = new FairQueue<number>();
    queue.add("a", 1);
    queue.add("b", 2);
    expect(queue.clear()).toEqual([1, 2]);
    expect(queue.size).toBe(0);
    expect(queue.take()).toBeUndefined();
  });
});
