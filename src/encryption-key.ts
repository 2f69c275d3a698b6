import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ConfigurationError } from "./configuration.ts";
import { parseEncryptionKey, SecretBoxError } from "./core/secret-box.ts";

/** Where the key is kept that was made because none was configured. */
export function encryptionKeyFile(dataDir: string): string {
  return join(dataDir, "encryption.key");
}

/**
 * The key that encrypts secrets at rest: the one configured, or one kept in the data folder with mode 0600 (decision 21).
 *
 * @throws ConfigurationError when what is configured or kept is no key.
 */
export async function readEncryptionKey(configured: string | undefined, dataDir: string): Promise<Uint8Array> {
  if (configured !== undefined) return parseKey(configured);
  const file = encryptionKeyFile(dataDir);
  try {
    await writeFile(file, randomBytes(32).toString("hex"), { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as { code?: string }).code !== "EEXIST") throw error;
  }
  return parseKey(await readFile(file, "utf8"));
}

function parseKey(text: string): Uint8Array {
  try {
    return parseEncryptionKey(text);
  } catch (error) {
    if (!(error instanceof SecretBoxError)) throw error;
    throw new ConfigurationError(`LINEWRIGHT_ENCRYPTION_KEY: ${error.message}`);
  }
}
