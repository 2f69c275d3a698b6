import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ChunkedList } from "../../../src/workflow-engine/interpreter/chunked-list.ts";

/** What is done to a list: items are appended, or the one at a share of its length is replaced. */
const change = fc.oneof(
  fc.record({ append: fc.array(fc.integer(), { maxLength: 600 }) }),
  fc.record({ at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), item: fc.integer() }),
);

describe("a chunked list", () => {
  it("is at any time what an array would be, and earlier lists stay as they were", () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { maxLength: 600 }), fc.array(change, { maxLength: 20 }), (items, changes) => {
        let array: readonly number[] = items;
        let list = ChunkedList.of(items);
        const seen: { list: ChunkedList<number>; array: readonly number[] }[] = [{ list, array }];
        for (const step of changes) {
          if ("append" in step) {
            array = array.concat(step.append);
            list = list.append(step.append);
          } else if (array.length > 0) {
            const index = Math.floor(step.at * array.length);
            array = array.with(index, step.item);
            list = list.with(index, step.item);
          }
          seen.push({ list, array });
        }
        for (const each of seen) expect([...each.list]).toEqual(each.array);
        for (const each of seen) expect(each.list.length).toBe(each.array.length);
      }),
    );
  });

  it("answers items and parts as an array does", () => {
    const numbers = Array.from({ length: 1_000 }, (_, n) => n);
    const list = ChunkedList.of(numbers);
    for (const index of [0, 255, 256, 999, 1_000, -1, -1_000, -1_001]) expect(list.at(index)).toBe(numbers.at(index));
    for (const count of [0, 1, 256, 300, 1_000, 2_000, Infinity]) {
      expect(list.first(count)).toEqual(numbers.slice(0, count));
      expect(list.last(count)).toEqual(numbers.slice(Math.max(0, 1_000 - count)));
    }
    expect(JSON.stringify({ list })).toBe(JSON.stringify({ list: numbers }));
    expect(list.with(1_000, 7)).toBe(list);
  });
});
