import { createHash } from "node:crypto";

/** PostgreSQL cuts longer names without saying so. */
const mostBytes = 63;
const keptBytes = 40;

/** The name as it can stand in a database: a long one keeps its beginning and gets a sum of the whole, so that it stays unique. */
export function safeName(name: string): string {
  const bytes = Buffer.from(name);
  if (bytes.length <= mostBytes) return name;
  const sum = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
  return `${bytes.subarray(0, keptBytes).toString()} ${sum}`;
}
