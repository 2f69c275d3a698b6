import { readFileSync } from "node:fs";

/** Version of the platform, from its package. */
export function version(): string {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
