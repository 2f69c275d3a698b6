import { createHmac, timingSafeEqual } from "node:crypto";
import type { Clock } from "../../core/clock.ts";
import { PlatformError } from "../../core/errors.ts";
import type { Identifiers } from "../../core/identifiers.ts";
import type { SecretBox } from "../../core/secret-box.ts";
import type { Store } from "../../store/store.ts";

/** Links that need no other credentials and hold for a while, on every node of the store. */
export interface SignedLinks {
  /** The path with what proves it. */
  sign(path: string): Promise<string>;
  /** FORBIDDEN when the proof is not ours, not of this path, or out of date. */
  check(path: string, proof: LinkProof): Promise<void>;
}

/** What a link carries beside its path. */
export interface LinkProof {
  /** Milliseconds since the epoch. */
  expires: number;
  signature: string;
}

export interface SignedLinkOptions {
  store: Store;
  clock: Clock;
  identifiers: Identifiers;
  /** Encrypts the kept key (decision 21). Without it the key is kept in the clear. */
  secretBox?: SecretBox;
}

/** How long a link holds. */
export const linkMs = 15 * 60_000;

const keyId = "link-signing-key";
const keyContext = `secrets/${keyId}`;

/** Signs with a random key kept in the collection `secrets`, the same for all nodes. */
export function createSignedLinks(options: SignedLinkOptions): SignedLinks {
  const { clock } = options;
  let kept: Promise<Uint8Array> | undefined;
  const key = (): Promise<Uint8Array> => {
    kept ??= keptKey(options);
    kept.catch(() => (kept = undefined));
    return kept;
  };
  return {
    async sign(path) {
      const expires = clock.now() + linkMs;
      return `${path}?expires=${expires}&signature=${signatureOf(await key(), path, expires)}`;
    },
    async check(path, { expires, signature }) {
      const expected = Buffer.from(signatureOf(await key(), path, expires));
      const given = Buffer.from(signature);
      const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
      if (!isOurs) throw new PlatformError("FORBIDDEN", "The link is not one that the platform has made.");
      if (clock.now() >= expires) throw new PlatformError("FORBIDDEN", "The link has expired. Ask for a new one.");
    },
  };
}

function signatureOf(key: Uint8Array, path: string, expires: number): string {
  return createHmac("sha256", key).update(`${path}\n${expires}`).digest("base64url");
}

async function keptKey({ store, identifiers, secretBox }: SignedLinkOptions): Promise<Uint8Array> {
  const secret = identifiers.secret();
  const sealed = secretBox ? secretBox.seal(secret, keyContext) : secret;
  await store.commit([{ kind: "keep", collection: "secrets", document: { _id: keyId, key: sealed } }]);
  const kept = (await store.read<{ key: string }>("secrets", keyId))?.document.key;
  if (kept === undefined) throw new Error("the signing key of links is gone");
  return Buffer.from(secretBox?.isSealed(kept) ? secretBox.open(kept, keyContext) : kept, "base64url");
}
