import { createHash } from "node:crypto";
import type { StoredValue } from "../../src/core/stored-value.ts";

const line = JSON.stringify({ name: "router-é😀", config: 'interface Gi0/1\n description "uplink"\n'.repeat(20) });
const encoder = new TextEncoder();
const bytesAtOnce = 65_537;

/** JSON text of a list of records that has at least so many characters. */
export function longList(characters: number): string {
  return `[${Array.from({ length: Math.ceil(characters / line.length) }, () => line).join(",\n")}]`;
}

/** UTF-8 of a text in pieces that end anywhere, also within characters. */
export async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  const bytes = encoder.encode(text);
  for (let at = 0; at < bytes.length; at += bytesAtOnce) yield bytes.subarray(at, at + bytesAtOnce);
}

/** What a text is compared by: it is too long to be shown. */
export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Characters and digest of a text that comes in pieces. */
export async function measured(pieces: AsyncIterable<string>): Promise<{ size: number; digest: string }> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const piece of pieces) {
    hash.update(piece);
    size += piece.length;
  }
  return { size, digest: hash.digest("hex") };
}

/** The same of a value that is kept in the store. */
export function measuredValue(value: StoredValue): Promise<{ size: number; digest: string }> {
  return measured(value.open());
}
