import { randomBytes } from "node:crypto";
import { access, link, readFile, rm, writeFile } from "node:fs/promises";
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
  if (!(await exists(file))) await makeKey(file);
  return parseKey(await readFile(file, "utf8"));
}

/** The file appears whole or not at all, whenever the process dies: a key in part would let no node start again. */
async function makeKey(file: string): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    await writeFile(draft, randomBytes(32).toString("hex"), { mode: 0o600, flag: "wx", flush: true });
    await link(draft, file);
  } catch (error) {
    // Another process made one meanwhile.
    if ((error as { code?: string }).code !== "EEXIST") throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

function parseKey(text: string): Uint8Array {
  try {
    return parseEncryptionKey(text);
  } catch (error) {
    if (!(error instanceof SecretBoxError)) throw error;
    throw new ConfigurationError(`LINEWRIGHT_ENCRYPTION_KEY: ${error.message}`);
  }
}
