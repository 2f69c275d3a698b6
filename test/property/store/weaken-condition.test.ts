import fc from "fast-check";
import { expect, it } from "vitest";
import { hasRegex } from "../../../src/store/query/condition.ts";
import { matches } from "../../../src/store/query/matches.ts";
import { parseQuery } from "../../../src/store/query.ts";
import { weaken } from "../../../src/store/postgres/weaken-condition.ts";
import { anyDocuments, anyQuery } from "../../support/store-arbitraries.ts";

const numRuns = Number(process.env["PROPERTY_RUNS"] ?? 2000) * 4;

it("a weakened condition has no regular expression and keeps every document the condition keeps", () => {
  const seen = { withExpression: 0, kept: 0, leftOut: 0 };
  fc.assert(
    fc.property(anyDocuments, anyQuery, (documents, query) => {
      const condition = parseQuery(query);
      const weak = weaken(condition);
      expect(hasRegex(weak)).toBe(false);
      if (hasRegex(condition)) seen.withExpression += 1;
      for (const document of documents) {
        const isKept = matches(weak, document);
        if (matches(condition, document)) expect([query, document, isKept]).toEqual([query, document, true]);
        if (hasRegex(condition)) seen[isKept ? "kept" : "leftOut"] += 1;
      }
    }),
    { numRuns },
  );
  // Most that can be left out is.
  expect(seen.withExpression).toBeGreaterThan(numRuns / 50);
  expect(seen.leftOut).toBeGreaterThan(seen.kept / 2);
});
