import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffLines, type DiffLine } from "../../../src/core/line-diff.ts";

const short = (lines: readonly DiffLine[]) =>
  lines.map(({ type, text }) => `${{ same: " ", removed: "-", added: "+" }[type]}${text}`);

/** Length of the longest common subsequence, by the textbook. */
function commonLength(left: readonly string[], right: readonly string[]): number {
  let row = Array.from({ length: right.length + 1 }, () => 0);
  for (const line of left) {
    const next = [0];
    for (const [index, other] of right.entries()) {
      next.push(line === other ? (row[index] ?? 0) + 1 : Math.max(row[index + 1] ?? 0, next[index] ?? 0));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

describe("the comparison of two texts", () => {
  it.each([
    ["", "", []],
    ["a", "a", [" a"]],
    ["a\n", "a", [" a"]],
    ["a\r\nb", "a\nb\n", [" a", " b"]],
    ["", "a\nb", ["+a", "+b"]],
    ["a\nb", "", ["-a", "-b"]],
    ["a\nb\nc", "a\nx\nc", [" a", "-b", "+x", " c"]],
    ["a\nb\nc\na\nb\nb\na", "c\nb\na\nb\na\nc", undefined],
  ])("of %j and %j", (text1, text2, expected) => {
    const { lines, added, removed } = diffLines(text1, text2);
    if (expected) expect(short(lines)).toEqual(expected);
    else expect(added + removed).toBe(5);
  });

  it("numbers the lines of both", () => {
    expect(diffLines("a\nb", "b\nc").lines).toEqual([
      { type: "removed", text: "a", line1: 1 },
      { type: "same", text: "b", line1: 2, line2: 1 },
      { type: "added", text: "c", line2: 2 },
    ]);
  });

  it("is right, and the shortest there is", () => {
    const line = fc.constantFrom("a", "b", "c", "d");
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.array(line, { maxLength: 30 }), (left, right) => {
        const { lines, added, removed, isExact } = diffLines(left.join("\n"), right.join("\n"));
        expect(lines.filter(({ type }) => type !== "added").map(({ text }) => text)).toEqual(left);
        expect(lines.filter(({ type }) => type !== "removed").map(({ text }) => text)).toEqual(right);
        expect(isExact).toBe(true);
        expect(added + removed).toBe(left.length + right.length - 2 * commonLength(left, right));
      }),
    );
  });

  it("gives up on texts that have nothing in common, but keeps their common beginning and end", () => {
    const many = (prefix: string) => Array.from({ length: 3000 }, (_, index) => `${prefix}${index}`).join("\n");
    const { lines, added, removed, isExact } = diffLines(`first\n${many("a")}\nlast`, `first\n${many("b")}\nlast`);
    expect([isExact, added, removed, lines.length]).toEqual([false, 3000, 3000, 6002]);
    expect([lines[0]?.type, lines.at(-1)?.type]).toEqual(["same", "same"]);
  });
});
