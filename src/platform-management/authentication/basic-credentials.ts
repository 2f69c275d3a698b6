import { createHmac } from "node:crypto";
import type { Clock } from "../../core/clock.ts";
import type { UserManagementServices } from "../user-management/index.ts";

/** How long a password that was right is not hashed again, unless it changes before. */
const rememberedMs = 10 * 60_000;
const capacity = 10_000;

/** Checks the name and password that come with every single request (RFC 7617). */
export interface BasicCredentials {
  /** `_id` of the account; undefined when wrong. Throws LoginThrottledError after too many wrong tries. */
  check(username: string, password: string, address: string): Promise<string | undefined>;
}

interface Remembered {
  accountId: string;
  credentialsVersion: number;
  until: number;
}

/** Right passwords are remembered under a keyed hash, which is of no use outside this process. */
export function createBasicCredentials(users: UserManagementServices, clock: Clock): BasicCredentials {
  const key = users.identifiers.secret();
  const remembered = new Map<string, Remembered>();
  const underWay = new Map<string, Promise<string | undefined>>();

  const recall = async (digest: string): Promise<string | undefined> => {
    const known = remembered.get(digest);
    if (!known) return undefined;
    const credentials = await users.directory.credentialsOf(known.accountId);
    if (clock.now() < known.until && credentials?.version === known.credentialsVersion) return known.accountId;
    remembered.delete(digest);
    return undefined;
  };
  const checkPassword = async (digest: string, ...[username, password, address]: [string, string, string]) => {
    const checked = await users.passwords.check(username, password, address);
    if (!checked) return undefined;
    const oldest = remembered.size >= capacity ? remembered.keys().next().value : undefined;
    if (oldest !== undefined) remembered.delete(oldest);
    const { account, credentialsVersion } = checked;
    remembered.set(digest, { accountId: account._id, credentialsVersion, until: clock.now() + rememberedMs });
    return account._id;
  };

  return {
    async check(username, password, address) {
      const digest = createHmac("sha256", key).update(`${username}\0${password}`).digest("base64");
      const known = await recall(digest);
      if (known !== undefined) return known;
      // Requests that come together with the same new credentials share one hash.
      const pending = `${digest}${address}`;
      const check =
        underWay.get(pending) ??
        checkPassword(digest, username, password, address).finally(() => underWay.delete(pending));
      underWay.set(pending, check);
      return check;
    },
  };
}
