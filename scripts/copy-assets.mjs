// Puts the script of the reference page, packed and plain, and its licences beside the built module that
// serves it, so that the package it comes from is needed only to build.
import { copyFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const root = new URL("..", import.meta.url);
const assets = {
  "dist/rapidoc-min.js": "rapidoc-min.js",
  "dist/rapidoc-min.js.gz": "rapidoc-min.js.gz",
  "dist/rapidoc-min.js.LICENSE.txt": "rapidoc-min.js.LICENSE.txt",
  "LICENSE.txt": "rapidoc-LICENSE.txt",
};

await Promise.all(
  Object.entries(assets).map(([from, to]) =>
    copyFile(
      fileURLToPath(new URL(`node_modules/rapidoc/${from}`, root)),
      fileURLToPath(new URL(`dist/http/${to}`, root)),
    ),
  ),
);
