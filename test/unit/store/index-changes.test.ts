import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { collectionIndexes } from "../../../src/store/indexes.ts";
import { latestVersion } from "../../../src/store/postgres/migrations.ts";

describe("collections and indexes on PostgreSQL", () => {
  // A node of the release before leaves a schema alone that is newer than its own: by that it keeps the new indexes.
  it("change only with a new version of the schema", () => {
    const sum = createHash("sha256").update(JSON.stringify(collectionIndexes)).digest("hex").slice(0, 16);
    expect({ version: latestVersion, collections: sum }).toEqual({ version: 3, collections: "2a3f113b8d6b48eb" });
  });
});
