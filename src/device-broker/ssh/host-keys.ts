import { createHash } from "node:crypto";
import type { Clock } from "../../core/clock.ts";
import { DuplicateKeyError, type Store } from "../../store/store.ts";
import type { HostKeyPolicy } from "../inventory-schema.ts";

const collection = "host_keys";

/** A key a device is known by. `_id` is `[host]:port`, as OpenSSH writes it. */
interface HostKeyRecord {
  _id: string;
  algorithm: string;
  /** Base64 of the public key. */
  key: string;
  fingerprint: string;
  addedAt: string;
}

export type HostKeyVerdict = { isAccepted: true } | { isAccepted: false; reason: string };

/** The keys devices are known by. */
export interface HostKeys {
  /** Accepts or refuses the key a device presents; with `accept-new` the first key is kept. */
  verify(place: { host: string; port: number; policy: HostKeyPolicy }, key: Buffer): Promise<HostKeyVerdict>;
  /** Forgets the key, for a device that was replaced. False when none was kept. */
  forget(host: string, port: number): Promise<boolean>;
}

/** Host keys over the collection `host_keys`. */
export function createHostKeys(store: Store, clock: Clock): HostKeys {
  async function keep(id: string, key: Buffer): Promise<HostKeyVerdict> {
    const document: HostKeyRecord = {
      _id: id,
      algorithm: algorithmOf(key),
      key: key.toString("base64"),
      fingerprint: fingerprintOf(key),
      addedAt: new Date(clock.now()).toISOString(),
    };
    try {
      await store.commit([{ kind: "insert", collection, document }]);
      return { isAccepted: true };
    } catch (error) {
      if (!(error instanceof DuplicateKeyError)) throw error;
      // Another login was first: its key counts.
      const known = await store.read<HostKeyRecord>(collection, id);
      return compare(known?.document, key);
    }
  }

  return {
    async verify({ host, port, policy }, key) {
      if (policy === "off") return { isAccepted: true };
      const id = placeOf(host, port);
      const known = await store.read<HostKeyRecord>(collection, id);
      if (known) return compare(known.document, key);
      if (policy === "accept-new") return keep(id, key);
      return { isAccepted: false, reason: `the host key ${fingerprintOf(key)} is not known and the policy is strict` };
    },
    async forget(host, port) {
      const id = placeOf(host, port);
      const known = await store.read(collection, id);
      if (known) await store.commit([{ kind: "remove", collection, id }]);
      return known !== undefined;
    },
  };
}

function compare(known: HostKeyRecord | undefined, key: Buffer): HostKeyVerdict {
  if (known?.key === key.toString("base64")) return { isAccepted: true };
  const expected = known?.fingerprint ?? "another key";
  return { isAccepted: false, reason: `the host key has changed: expected ${expected}, got ${fingerprintOf(key)}` };
}

function placeOf(host: string, port: number): string {
  return `[${host.toLowerCase()}]:${port}`;
}

function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash("sha256").update(key).digest("base64").replace(/=+$/, "")}`;
}

/** The algorithm's name is the first string of a public key: RFC 4253 §6.6. */
function algorithmOf(key: Buffer): string {
  const length = key.length >= 4 ? key.readUInt32BE(0) : 0;
  return key.subarray(4, 4 + Math.min(length, 64)).toString("latin1");
}
