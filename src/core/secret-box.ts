import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

/** Encrypts secrets at rest with AES-256-GCM (decision 21). */
export interface SecretBox {
  /** `context` says where the secret lives (`devices/<id>/password`); the same context opens it, so a sealed text cannot be moved elsewhere. */
  seal(secret: string, context: string): string;
  /** Throws when the text is damaged, sealed for another context, or sealed under a key that is not known. */
  open(sealed: string, context: string): string;
  isSealed(text: string): boolean;
}

/** Keys of a box: 32 bytes each. Older keys only open. */
export interface SecretKeys {
  current: Uint8Array;
  older?: readonly Uint8Array[];
}

/** What a secret looks like in every answer. A client that sends it back leaves the secret as it is. */
export const maskedSecret = "********";

const damagedText = "the sealed secret is damaged or belongs elsewhere";
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const sealedForm = /^sealed:1:([0-9a-f]{8}):([\w-]{16}):([\w-]{22,})$/;

/** Thrown for a sealed text that cannot be opened. Never carries the text or the key. */
export class SecretBoxError extends Error {
  override readonly name = "SecretBoxError";
}

/** A box over these keys. Sealed form: `sealed:1:<key id>:<nonce>:<ciphertext and tag>`, base64url parts. */
export function createSecretBox(keys: SecretKeys): SecretBox {
  const known = new Map([keys.current, ...(keys.older ?? [])].map((key) => [keyId(key), key]));
  const currentId = keyId(keys.current);
  return {
    seal: (secret, context) => seal(keys.current, currentId, { secret, context }),
    open(sealed, context) {
      const parts = sealedForm.exec(sealed);
      if (!parts) throw new SecretBoxError("not a sealed secret");
      const key = known.get(parts[1] ?? "");
      if (!key) throw new SecretBoxError(`the secret was sealed under another key (${parts[1]})`);
      return open(key, parts, context);
    },
    isSealed: (text) => sealedForm.test(text),
  };
}

/** Reads a key from its text form: 64 hex characters, or 32 bytes as base64 or base64url. */
export function parseEncryptionKey(text: string): Uint8Array {
  const trimmed = text.trim();
  const key = /^[0-9a-f]{64}$/i.test(trimmed) ? Buffer.from(trimmed, "hex") : Buffer.from(trimmed, "base64url");
  if (key.length !== keyBytes)
    throw new SecretBoxError("an encryption key is 32 bytes, written as 64 hex characters or as base64");
  return key;
}

function keyId(key: Uint8Array): string {
  if (key.length !== keyBytes) throw new SecretBoxError("an encryption key is 32 bytes");
  return createHash("sha256").update("linewright key id").update(key).digest("hex").slice(0, 8);
}

function seal(key: Uint8Array, id: string, what: { secret: string; context: string }): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(what.context));
  const sealed = Buffer.concat([cipher.update(what.secret, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return `sealed:1:${id}:${nonce.toString("base64url")}:${sealed.toString("base64url")}`;
}

function open(key: Uint8Array, parts: RegExpExecArray, context: string): string {
  const sealed = Buffer.from(parts[3] ?? "", "base64url");
  // Base64 has spare bits; only the one spelling that was written is taken.
  if (sealed.toString("base64url") !== parts[3]) throw new SecretBoxError(damagedText);
  const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(parts[2] ?? "", "base64url"), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(sealed.length - tagBytes));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, sealed.length - tagBytes)), decipher.final()]).toString(
      "utf8",
    );
  } catch {
    throw new SecretBoxError(damagedText);
  }
}
