import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { collectionIndexes } from "../../../src/store/indexes.ts";
import { latestVersion } from "../../../src/store/postgres/migrations.ts";

describe("collections and indexes on PostgreSQL", () => {
  // A node of the release before leaves a schema alone that is newer than its own: by that it keeps the new indexes.
  it("change only with a new version of the schema", () => {
    const sum = createHash("sha256").update(JSON.stringify(collectionIndexes)).digest("hex").slice(0, 16);
    expect({ version: latestVersion, collections: sum }).toEqual({ version: 2, collections: "660c5ebb0caff3f4" });
  });
});
