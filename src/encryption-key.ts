import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ConfigurationError } from "./configuration.ts";

const keyBytes = 32;

/** The key that encrypts secrets at rest: the one configured, or one kept in the data folder with mode 0600 (decision 21). */
export async function readEncryptionKey(configured: string | undefined, dataDir: string): Promise<Uint8Array> {
  if (configured !== undefined) return parseKey(configured);
  const file = join(dataDir, "encryption.key");
  try {
    await writeFile(file, randomBytes(keyBytes).toString("hex"), { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as { code?: string }).code !== "EEXIST") throw error;
  }
  return parseKey((await readFile(file, "utf8")).trim());
}

function parseKey(text: string): Uint8Array {
  const key = /^[0-9a-f]{64}$/iu.test(text) ? Buffer.from(text, "hex") : Buffer.from(text, "base64");
  if (key.length === keyBytes) return key;
  throw new ConfigurationError("LINEWRIGHT_ENCRYPTION_KEY: must be 32 bytes, as 64 hex digits or in base64");
}
