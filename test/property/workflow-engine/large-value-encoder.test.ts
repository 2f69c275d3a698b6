import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LargeValueEncoder } from "../../../src/workflow-engine/jobs/large-value-encoder.ts";
import { placeParts, type LargePart, type LargeValueDocument } from "../../../src/workflow-engine/jobs/large-parts.ts";
import { textOf } from "../../../src/workflow-engine/jobs/log-format.ts";
import { shortening } from "../../../src/workflow-engine/jobs/shortened-values.ts";

const runs = Number(process.env["PROPERTY_RUNS"] ?? 1_000);
/** Characters a value may have in its place: small, so that small documents have large values. */
const most = 60;
const nothing = { root: "r", referenceTo: () => undefined, has: () => false };

const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    "a".repeat(57),
    "a".repeat(58),
    "a".repeat(59),
    '"'.repeat(29),
    '"'.repeat(30),
    "\u0000é😀".repeat(9),
  ),
);
const name = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.constantFrom("large", "error", "__proto__", "0", "message", "value"),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    { weight: 3, arbitrary: fc.oneof(text, fc.integer(), fc.double({ noNaN: true }), fc.boolean(), fc.constant(null)) },
    { weight: 2, arbitrary: fc.array(tie("value"), { maxLength: 8 }) },
    { weight: 2, arbitrary: fc.dictionary(name, tie("value"), { maxKeys: 5 }) },
  ),
}));
const map = fc.dictionary(name, value, { maxKeys: 4 });
const change = fc.oneof(
  fc.record({ change: fc.constant("started"), task: fc.string(), incoming: map }),
  fc.record({ change: fc.constant("finished"), outgoing: map, error: value }),
  fc.record({ change: fc.constant("variable"), name, value }),
  fc.record({
    change: fc.constant("failed"),
    error: fc.record({ task: fc.string(), message: value, timestamp: fc.nat() }),
  }),
  fc.record({ change: fc.constant("looped"), item: value }),
  fc.record({
    change: fc.constant("children"),
    children: fc.array(fc.record({ _id: fc.string(), variables: map }), { maxLength: 2 }),
  }),
);
const delta = fc.record({ cause: fc.record({ event: fc.string() }), changes: fc.array(change, { maxLength: 4 }) });

/** The document that a text and stored values stand for. */
function restored(stored: string, documents: readonly LargeValueDocument[]): unknown {
  const { large = [], ...document } = JSON.parse(stored) as { large?: LargePart[] };
  placeParts(document, large, ({ id }) => restoredValue(id, documents));
  return document;
}

function restoredValue(id: string, documents: readonly LargeValueDocument[]): unknown {
  const document = documents.find(({ _id }) => _id === id);
  if (!document) throw new Error(`${id} is not stored`);
  const found: unknown = JSON.parse(document.text);
  placeParts(found as object, document.large ?? [], (part) => restoredValue(part.id, documents));
  return found;
}

describe("large values of any document", () => {
  it("are put back to the byte", () => {
    fc.assert(
      fc.property(delta, (document) => {
        const encoder = new LargeValueEncoder(nothing, most);
        const stored = textOf(encoder.encodeDocument(document));
        expect(JSON.stringify(restored(stored, encoder.documents))).toBe(JSON.stringify(document));
      }),
      { numRuns: runs },
    );
  });

  it("are all taken out: no value that is left is too long, and none that is stored was short enough", () => {
    fc.assert(
      fc.property(value, (any) => {
        const encoder = new LargeValueEncoder(nothing, most);
        const { text: left, parts } = encoder.encodeValue(any);
        expect(left.length).toBeLessThanOrEqual(most);
        for (const { text: taken } of encoder.documents) expect(taken.length).toBeGreaterThan(most);
        expect(parts.reduce((sum, { size }) => sum + size, left.length)).toBeGreaterThanOrEqual(
          JSON.stringify(any).length,
        );
      }),
      { numRuns: runs },
    );
  });

  it("are the same whether they are known already or seen for the first time", () => {
    fc.assert(
      fc.property(delta, (document) => {
        const first = new LargeValueEncoder(nothing, most);
        const expected = textOf(first.encodeDocument(document));
        expect(textOf(first.encodeDocument(document))).toBe(expected);
        const stored = { root: "r", referenceTo: (any: object | string) => first.taken.get(any), has: () => false };
        const later = new LargeValueEncoder(stored, most);
        expect(textOf(later.encodeDocument(document))).toBe(expected);
        expect(later.documents).toEqual([]);
      }),
      { numRuns: runs },
    );
  });

  it("have the same markers in read models as in a log", () => {
    fc.assert(
      fc.property(map, (incoming) => {
        const encoder = new LargeValueEncoder(nothing, most);
        const stored = textOf(encoder.encodeDocument({ changes: [{ change: "started", incoming }] }));
        const { large = [], ...document } = JSON.parse(stored) as {
          large?: LargePart[];
          changes: { incoming: object }[];
        };
        placeParts(document, large, ({ id, size }) => ({ large_data: id, size }));
        const shorten = shortening(new LargeValueEncoder(nothing, most));
        const shown = Object.fromEntries(Object.entries(incoming).map(([key, any]) => [key, shorten(any)]));
        expect(JSON.stringify(document.changes[0]?.incoming)).toBe(JSON.stringify(shown));
      }),
      { numRuns: runs },
    );
  });
});
