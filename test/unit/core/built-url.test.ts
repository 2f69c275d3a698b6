import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { builtUrl } from "../../../src/core/built-url.ts";

describe("builtUrl", () => {
  it("is the neighbour of a built module", () => {
    expect(builtUrl("file:///app/dist/store/a.js", "./worker.js").href).toBe("file:///app/dist/store/worker.js");
  });

  it("is the built twin of a neighbour of a TypeScript module, whatever lies above the project", () => {
    expect(builtUrl("file:///usr/src/my%20app/src/store/sqlite/a.ts", "./worker.js").href).toBe(
      "file:///usr/src/my%20app/dist/store/sqlite/worker.js",
    );
  });

  it.each(["commit-worker.js", "find-worker.js"])("leads to the store's %s", (name) => {
    const module = new URL("../../../src/store/sqlite/sqlite-store.ts", import.meta.url).href;
    expect(existsSync(fileURLToPath(builtUrl(module, `./${name}`)))).toBe(true);
  });
});
