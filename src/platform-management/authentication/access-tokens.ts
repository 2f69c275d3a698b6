import { createHash } from "node:crypto";
import { errors, jwtVerify, SignJWT } from "jose";
import type { Clock } from "../../core/clock.ts";
import type { Identifiers } from "../../core/identifiers.ts";
import type { SecretBox } from "../../core/secret-box.ts";
import type { Store } from "../../store/store.ts";

/** Seconds an access token is good for. */
export const accessTokenSeconds = 3600;
const algorithm = "HS256";
const issuer = "linewright";
const keyId = "oauth-signing-key";
const keyContext = `secrets/${keyId}`;
const capacity = 10_000;

/** What an access token says. */
export interface AccessTokenClaims {
  accountId: string;
  /** Version of the credentials it was issued for: a regenerated secret ends the tokens of the old one. */
  credentialsVersion: number;
}

/** Stateless access tokens of service accounts: signed JWTs (RFC 7519, RFC 9068). */
export interface AccessTokens {
  issue(claims: AccessTokenClaims): Promise<string>;
  /** Undefined for a token that is not ours, changed or expired. */
  verify(token: string): Promise<AccessTokenClaims | undefined>;
}

export interface AccessTokenOptions {
  store: Store;
  clock: Clock;
  identifiers: Identifiers;
  /** At least 32 bytes. Default: a random key kept in the collection `secrets`, the same for all nodes. */
  signingKey?: Uint8Array;
  /** Encrypts the kept key (decision 21). Without it the key is kept in the clear. */
  secretBox?: SecretBox;
}

/** Issues and verifies tokens; verified ones are remembered by their hash until they expire. */
export function createAccessTokens(options: AccessTokenOptions): AccessTokens {
  const { clock } = options;
  const remembered = new Map<string, { claims: AccessTokenClaims; expiresAt: number }>();
  let key: Promise<Uint8Array> | undefined;
  const signingKey = (): Promise<Uint8Array> => {
    key ??= options.signingKey ? Promise.resolve(options.signingKey) : storedKey(options);
    key.catch(() => (key = undefined));
    return key;
  };
  const remember = (hash: string, claims: AccessTokenClaims, expiresAt: number): AccessTokenClaims => {
    const oldest = remembered.size >= capacity ? remembered.keys().next().value : undefined;
    if (oldest !== undefined) remembered.delete(oldest);
    remembered.set(hash, { claims, expiresAt });
    return claims;
  };
  return {
    async issue({ accountId, credentialsVersion }) {
      const issuedAt = Math.floor(clock.now() / 1000);
      return new SignJWT({ ver: credentialsVersion })
        .setProtectedHeader({ alg: algorithm, typ: "at+jwt" })
        .setIssuer(issuer)
        .setSubject(accountId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + accessTokenSeconds)
        .sign(await signingKey());
    },
    async verify(token) {
      const hash = createHash("sha256").update(token).digest("base64");
      const known = remembered.get(hash);
      if (known && clock.now() < known.expiresAt) return known.claims;
      remembered.delete(hash);
      const payload = await verifiedPayload(token, await signingKey(), clock);
      if (typeof payload?.sub !== "string" || typeof payload.exp !== "number" || typeof payload["ver"] !== "number")
        return undefined;
      return remember(hash, { accountId: payload.sub, credentialsVersion: payload["ver"] }, payload.exp * 1000);
    },
  };
}

async function verifiedPayload(token: string, key: Uint8Array, clock: Clock) {
  try {
    const rules = { algorithms: [algorithm], issuer, typ: "at+jwt", currentDate: new Date(clock.now()) };
    return (await jwtVerify(token, key, rules)).payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

async function storedKey({ store, identifiers, secretBox }: AccessTokenOptions): Promise<Uint8Array> {
  const secret = identifiers.secret();
  const key = secretBox ? secretBox.seal(secret, keyContext) : secret;
  await store.commit([{ kind: "keep", collection: "secrets", document: { _id: keyId, key } }]);
  const kept = (await store.read<{ key: string }>("secrets", keyId))?.document.key;
  if (kept === undefined) throw new Error("the signing key of access tokens is gone");
  return Buffer.from(secretBox?.isSealed(kept) ? secretBox.open(kept, keyContext) : kept, "base64url");
}
