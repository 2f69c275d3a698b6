import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/core/json.ts";
import type { CurrentStore } from "./store-suite.ts";

export function describeDocumentForm(store: CurrentStore): void {
  describe("documents keep their form", () => {
    const roundTrip = async (document: JsonObject & { _id: string }): Promise<string> => {
      await store().commit([{ kind: "put", collection: "workflow_snapshots", document }]);
      const [found] = await store().find("workflow_snapshots", { _id: document._id });
      const read = await store().read("workflow_snapshots", document._id);
      expect(JSON.stringify(found)).toBe(JSON.stringify(read?.document));
      return JSON.stringify(read?.document);
    };

    it("keeps the order of members at every level", async () => {
      const document = {
        zebra: 1,
        _id: "d",
        apple: { y: [{ q: 1, b: 2, a: 3 }], x: null, "": "empty name" },
        "Mixed Case": true,
      };
      expect(await roundTrip(document)).toBe(JSON.stringify(document));
    });

    it("keeps every character and number", async () => {
      const document = {
        _id: "d",
        text: 'tab\t newline\n quote" backslash\\ null\u0000 line\u2028 emoji😀 half\ud800',
        numbers: [0, -1, 0.1, 1e21, 5e-324, 1.7976931348623157e308, 9007199254740991, 4611686018427387904],
        'odd "name".[0]': { $set: 1, "a.b": 2 },
      };
      expect(await roundTrip(document)).toBe(JSON.stringify(document));
    });

    it("keeps a member called __proto__ as plain data", async () => {
      const document = JSON.parse('{"_id":"d","__proto__":{"x":1}}') as JsonObject & { _id: string };
      expect(await roundTrip(document)).toBe('{"_id":"d","__proto__":{"x":1}}');
    });

    it("leaves out undefined members", async () => {
      expect(await roundTrip({ _id: "d", gone: undefined, here: 1 })).toBe('{"_id":"d","here":1}');
    });

    it("stores 5 MB", async () => {
      const document = {
        _id: "d",
        rows: Array.from({ length: 50_000 }, (_, index) => ({ index, text: "x".repeat(80) })),
      };
      const text = await roundTrip(document);
      expect(text.length).toBeGreaterThan(5_000_000);
      expect(text).toBe(JSON.stringify(document));
      expect(await store().count("workflow_snapshots", { "rows.index": 49_999 })).toBe(1);
    });

    it("refuses nesting that could not be searched, and says so", async () => {
      const deep = (levels: number): JsonObject & { _id: string } =>
        JSON.parse(`{"_id":"d","a":${"[".repeat(levels)}${"]".repeat(levels)}}`) as JsonObject & { _id: string };
      const commit = store().commit([{ kind: "put", collection: "workflow_snapshots", document: deep(2000) }]);
      await expect(commit).rejects.toMatchObject({ name: "PlatformError", code: "UNPROCESSABLE" });
      expect(await roundTrip(deep(500))).toBe(JSON.stringify(deep(500)));
    });
  });
}
