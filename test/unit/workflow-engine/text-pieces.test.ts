import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evenPieces } from "../../../src/workflow-engine/jobs/text-pieces.ts";

async function* given<T>(pieces: readonly T[]): AsyncGenerator<T> {
  yield* pieces;
}

async function all(pieces: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = [];
  for await (const piece of pieces) found.push(piece);
  return found;
}

/** Bytes in runs of so many. */
function runsOf(bytes: Uint8Array, length: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / length) }, (_, n) => bytes.slice(n * length, (n + 1) * length));
}

describe("a text in even pieces", () => {
  it("is the text again, however its bytes are cut, and no piece ends within a character", async () => {
    const text = fc.string({ unit: "binary", maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 2, max: 9 }),
        async (text, run, most) => {
          const fromBytes = await all(evenPieces(given(runsOf(new TextEncoder().encode(text), run)), most));
          // At its beginning this character is the mark of an encoding, not text.
          expect(fromBytes.join("")).toBe(text.replace(/^\uFEFF/u, ""));
          const halves = Array.from({ length: text.length }, (_, n) => text.charAt(n));
          const fromTexts = await all(evenPieces(given(halves), most));
          expect(fromTexts.join("")).toBe(text);
          for (const piece of [...fromBytes, ...fromTexts]) {
            expect(piece.length).toBeGreaterThan(0);
            expect(piece.length).toBeLessThanOrEqual(most);
            expect(piece).not.toMatch(/\p{Surrogate}/u);
          }
        },
      ),
    );
  });

  it.each([
    ["bytes that are no UTF-8", given([Uint8Array.of(0x22, 0xff, 0x22)]), "not UTF-8"],
    ["an end within a character", given([Uint8Array.of(0x22, 0xc3)]), "not UTF-8"],
    ["half of a character", given(['"\ud83d"']), "half of a character"],
  ])("refuses %s", async (_, source: AsyncIterable<Uint8Array | string>, message) => {
    await expect(all(evenPieces(source))).rejects.toThrow(message);
  });

  it("asks for no more of the source than a piece needs", async () => {
    let asked = 0;
    const source = (async function* () {
      for (;;) {
        asked += 1;
        yield "abc";
      }
    })();
    const pieces = evenPieces(source, 6);
    expect((await pieces.next()).value).toBe("abcabc");
    expect(asked).toBe(2);
  });
});
