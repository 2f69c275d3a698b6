import { readFile, stat } from "node:fs/promises";
import { createSecretBox, parseEncryptionKey, SecretBoxError, type SecretBox } from "../../core/secret-box.ts";
import { encryptionKeyFile } from "../../encryption-key.ts";
import type { Store } from "../../store/index.ts";
import { failure, ok, warning, type Finding } from "./finding.ts";

const check = "encryption key";
const restoreAdvice =
  "Restore the key that the secrets were written with: LINEWRIGHT_ENCRYPTION_KEY, or encryption.key from the backup.";

interface KeySettings {
  dataDir: string;
  encryptionKey: string | undefined;
  databaseUrl: string | undefined;
}

/** The key as this node would use it, without making one; no box when there is none or it cannot be read. */
export async function checkEncryptionKey(settings: KeySettings): Promise<{ findings: Finding[]; box?: SecretBox }> {
  const { dataDir, encryptionKey, databaseUrl } = settings;
  if (encryptionKey !== undefined) return parseKey(encryptionKey, "LINEWRIGHT_ENCRYPTION_KEY");
  const file = encryptionKeyFile(dataDir);
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return { findings: [judgeAbsentKey(file, databaseUrl !== undefined)] };
  const parsed = parseKey(text, file);
  const { mode } = await stat(file);
  const findings = [...parsed.findings, ...judgeKeyMode(file, mode), ...judgeSharing(file, databaseUrl !== undefined)];
  return { ...parsed, findings };
}

function parseKey(text: string, place: string): { findings: Finding[]; box?: SecretBox } {
  try {
    const box = createSecretBox({ current: parseEncryptionKey(text) });
    return { findings: [ok(check, `read from ${place}`)], box };
  } catch (error) {
    if (!(error instanceof SecretBoxError)) throw error;
    return { findings: [failure(check, `${place}: ${error.message}`, restoreAdvice)] };
  }
}

function judgeAbsentKey(file: string, isShared: boolean): Finding {
  const advice = isShared
    ? "Set LINEWRIGHT_ENCRYPTION_KEY to the same key on every node."
    : "The first start makes one. If there was one, restore it before the start.";
  return warning(check, `neither LINEWRIGHT_ENCRYPTION_KEY nor ${file} is there`, advice);
}

/** @param mode as `stat` tells it */
export function judgeKeyMode(file: string, mode: number): Finding[] {
  if ((mode & 0o077) === 0) return [];
  const text = (mode & 0o777).toString(8).padStart(4, "0");
  return [failure(check, `${file} has mode ${text}: other accounts may read it`, `chmod 600 ${file}`)];
}

function judgeSharing(file: string, isShared: boolean): Finding[] {
  if (!isShared) return [];
  const message = `the store is shared, but the key is a file of this node (${file})`;
  return [warning(check, message, "Set LINEWRIGHT_ENCRYPTION_KEY to the same key on every node.")];
}

const mostDevices = 100;

/** Where a sealed text of a collection was sealed for. */
const contexts: Readonly<Record<string, (id: string, path: string) => string>> = {
  secrets: (id) => `secrets/${id}`,
  devices: (id, path) => `devices/${id}${path}`,
};

/** Does the key open what the store holds? Looks at the platform's own secrets and at those of some devices. */
export async function checkStoredSecrets(store: Store, box: SecretBox | undefined): Promise<Finding> {
  const outcome = { opened: 0, refused: new Set<string>() };
  for (const [collection, context] of Object.entries(contexts)) {
    const documents = await store.find<{ _id: string }>(collection, {}, { limit: mostDevices });
    for (const document of documents) {
      const tryOne = (sealed: string, path: string): void => {
        if (canOpen(box, sealed, context(document._id, path))) outcome.opened += 1;
        else outcome.refused.add(`${collection} ${document._id}`);
      };
      forEachSealed(document, tryOne);
    }
  }
  return judgeSecrets(outcome.opened, [...outcome.refused]);
}

function judgeSecrets(opened: number, refused: readonly string[]): Finding {
  if (refused.length > 0) {
    const message = `does not open the secrets of ${refused.slice(0, 3).join(", ")}${refused.length > 3 ? " and others" : ""}`;
    return failure(check, message, restoreAdvice);
  }
  return ok(
    check,
    opened === 0 ? "the store holds no secrets yet" : `opens the ${opened} stored secrets that were tried`,
  );
}

function canOpen(box: SecretBox | undefined, sealed: string, context: string): boolean {
  try {
    box?.open(sealed, context);
    return box !== undefined;
  } catch (error) {
    if (error instanceof SecretBoxError) return false;
    throw error;
  }
}

/** Calls `visit` for every sealed text within a value, with the JSON pointer to it. */
function forEachSealed(value: unknown, visit: (sealed: string, path: string) => void, path = ""): void {
  if (typeof value === "string" && value.startsWith("sealed:")) visit(value, path);
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) forEachSealed(member, visit, `${path}/${name}`);
}
