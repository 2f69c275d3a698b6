import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createIdentifiers } from "../../../src/core/identifiers.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { createSecretBox } from "../../../src/core/secret-box.ts";
import { createAccessTokens } from "../../../src/platform-management/authentication/access-tokens.ts";
import {
  bootstrapAdmin,
  createPasswordHasher,
  createUserManagement,
  type UserManagementServices,
} from "../../../src/platform-management/user-management/index.ts";
import { createSqliteStore, type Store } from "../../../src/store/index.ts";
import { adminCaller, cheapHasher, personPassword } from "../../support/access.ts";
import { createManualClock } from "../../support/manual-clock.ts";

const clock = createManualClock(Date.UTC(2026, 0, 5));
let folder: string;
let store: Store;
let users: UserManagementServices;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "linewright-bootstrap-"));
  store = await createSqliteStore({ file: join(folder, "platform.db"), thread: "inline" });
  users = createUserManagement({
    store,
    clock,
    identifiers: createIdentifiers(clock),
    logger: silentLogger,
    passwordHasher: cheapHasher,
  });
});
afterEach(async () => {
  users.directory.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("the first start", () => {
  it("creates one administrator with a random password that is told once", async () => {
    const first = await bootstrapAdmin(users);
    expect(first).toEqual({ created: true, password: expect.stringMatching(/^[\w-]{24}$/u) });
    expect(await bootstrapAdmin(users)).toEqual({ created: false });
    const checked = await users.passwords.check("admin", first.password ?? "", "");
    expect(checked?.account).toMatchObject({ _id: "000000000000000000000000", provenance: "local_aaa" });
    expect((await users.directory.accessOf("000000000000000000000000"))?.isAdmin).toBe(true);
  });

  it("takes the password of the operator, and does not tell it", async () => {
    expect(await bootstrapAdmin(users, { password: "operator" })).toEqual({ created: true });
    expect(await users.passwords.check("admin", "operator", "")).toBeDefined();
  });

  it("refuses a short one and creates nothing", async () => {
    await expect(bootstrapAdmin(users, { password: "seven77" })).rejects.toThrow(
      "The password must have at least 8 characters.",
    );
    expect(await store.count("accounts", {})).toBe(0);
    expect(await store.count("groups", {})).toBe(0);
  });

  it("makes one administrator when two nodes start at once", async () => {
    const outcomes = await Promise.all([bootstrapAdmin(users), bootstrapAdmin(users)]);
    expect(outcomes.filter(({ created }) => created)).toHaveLength(1);
    const told = outcomes.find(({ password }) => password !== undefined)?.password ?? "";
    expect(await users.passwords.check("admin", told, "")).toBeDefined();
  });

  it("does not bring back an administrator who was deleted", async () => {
    await bootstrapAdmin(users);
    const other = await users.accounts.create(
      { username: "ann", password: personPassword, groups: ["pronghorn_admin"] },
      adminCaller,
    );
    await users.accounts.delete("000000000000000000000000", { ...adminCaller, accountId: other._id });
    expect(await bootstrapAdmin(users)).toEqual({ created: false });
    expect(await store.count("accounts", { username: "admin" })).toBe(0);
  });
});

describe("secrets at rest", () => {
  it("are argon2id with the parameters of production", async () => {
    const hasher = createPasswordHasher();
    const hash = await hasher.hash("a-long-enough-password");
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,(?:t=2,p=1|p=1,t=2)\$/u);
    expect(await hasher.verify(hash, "a-long-enough-password")).toBe(true);
    expect(await hasher.verify(hash, "another password")).toBe(false);
  });

  it("keep the key of access tokens encrypted and the same for every node", async () => {
    const secretBox = createSecretBox({ current: Buffer.alloc(32, 7) });
    const options = { store, clock, identifiers: createIdentifiers(clock), secretBox };
    const claims = { accountId: "a", credentialsVersion: 3 };
    const tokens = await Promise.all([
      createAccessTokens(options).issue(claims),
      createAccessTokens(options).issue(claims),
    ]);
    for (const token of tokens) expect(await createAccessTokens(options).verify(token)).toEqual(claims);
    const [kept] = await store.find<{ key: string }>("secrets", {});
    expect(secretBox.isSealed(kept?.key ?? "")).toBe(true);
    const elsewhere = createAccessTokens({ ...options, signingKey: Buffer.alloc(32, 9) });
    expect(await elsewhere.verify(tokens[0] ?? "")).toBeUndefined();
  });
});
