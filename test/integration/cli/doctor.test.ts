import Database from "better-sqlite3";
import { once } from "node:events";
import { chmod, open, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createOperatorBench, startOn, type OperatorBench } from "./operator-bench.ts";

describe("linewright doctor", () => {
  let bench: OperatorBench;
  beforeEach(async () => {
    bench = await createOperatorBench();
  });
  afterEach(() => bench.close());

  it("finds a machine ready for the first start", async () => {
    const { code, bad, findings } = await bench.examine();
    expect({ code, bad: bad.map(({ check, state }) => `${state} ${check}`) }).toEqual({
      code: 0,
      bad: ["warn data folder", "warn encryption key"],
    });
    expect(findings).toContainEqual({ check: "schema", state: "ok", message: "empty: the first start makes it" });
  });

  it("finds nothing wrong with a used store, and changes nothing in it", async () => {
    await bench.makeUsedData();
    const { code, bad, findings } = await bench.examine();
    expect({ code, bad }).toEqual({ code: 0, bad: [] });
    expect(findings.map(({ message }) => message)).toContain("the database file is sound");
    expect(findings.some(({ message }) => /opens the \d+ stored secrets/u.test(message))).toBe(true);
    const database = new Database(bench.file, { readonly: true });
    expect(database.prepare("SELECT count(*) FROM work_items").pluck().get()).toBe(0);
    database.close();
  });

  it("finds folder and key open to others, a wrong key, overdue work, a lost node, and says what to do", async () => {
    await bench.makeUsedData();
    await chmod(bench.dataDir, 0o755);
    await chmod(`${bench.dataDir}/encryption.key`, 0o644);
    const node = { _id: "n", host: "gone", pid: 1, version: "0.0.9", startedAt: 1, heardAt: Date.now() - 60_000 };
    await bench.write(
      { kind: "enqueue", item: { id: "late", kind: "timer", payload: {}, runAt: Date.now() - 120_000 } },
      { kind: "put", collection: "nodes", document: { ...node, status: "running" } },
    );
    const first = await bench.examine();
    expect(first.code).toBe(1);
    expect(first.bad).toMatchObject([
      { check: "folder mode", state: "warn", advice: `chmod 700 ${bench.dataDir}` },
      { check: "encryption key", state: "fail", advice: `chmod 600 ${bench.dataDir}/encryption.key` },
      { check: "nodes", state: "warn", message: "1 no longer heard of: gone (process 1)" },
      { check: "work", state: "warn", message: "1 of 1 items are due for more than a minute: timer late" },
    ]);
    await chmod(bench.dataDir, 0o700);
    const wrongKey = "ab".repeat(32);
    const second = await bench.examine({ LINEWRIGHT_ENCRYPTION_KEY: wrongKey });
    expect(second.code).toBe(1);
    expect(second.bad[0]).toMatchObject({ check: "encryption key", state: "fail" });
    expect(second.bad[0]?.message).toMatch(/^does not open the secrets of devices \w+$/u);
    expect(second.out).not.toMatch(/abababab|device-secret|sealed:/u);
  });

  it("finds a lock whose holder has ended", async () => {
    await bench.makeUsedData();
    const lock = { _id: "device:edge-1", holder: { job: "gone", task: "a1", iteration: 1 }, queue: [] };
    await bench.write({ kind: "put", collection: "locks", document: lock });
    const { code, bad } = await bench.examine();
    expect({ code, bad }).toMatchObject({
      code: 0,
      bad: [
        {
          check: "locks",
          message: "1 locks are held, 0 tasks wait for them; the jobs that hold device:edge-1 have ended",
        },
      ],
    });
  });

  it("finds a platform on its port, and another program", async () => {
    const platform = await startOn(bench.folder.file("other"));
    const port = new URL(platform.url).port;
    const ours = await bench.examine({ LINEWRIGHT_PORT: port });
    expect(ours.findings).toContainEqual({
      check: "port",
      state: "ok",
      message: `a platform answers on 127.0.0.1:${port}`,
    });
    await platform.stop();
    const other = createServer((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}")).listen(
      0,
      "127.0.0.1",
    );
    await once(other, "listening");
    const address = other.address() as { port: number };
    const theirs = await bench.examine({ LINEWRIGHT_PORT: String(address.port) });
    other.close();
    expect(theirs.bad).toMatchObject([{ check: "port", state: "warn" }, {}, {}]);
  });

  it("finds a damaged database and one of a newer release", async () => {
    await bench.makeUsedData();
    const { file } = bench;
    const database = new Database(file);
    database.exec("INSERT INTO schema_version (version) VALUES (99)");
    database.close();
    const newer = await bench.examine();
    expect(newer.code).toBe(1);
    expect(newer.bad).toMatchObject([
      { check: "schema", state: "fail", advice: "Use the newer release, or restore an older backup." },
    ]);
    const damaged = await open(file, "r+");
    await damaged.write(Buffer.alloc(4_096 * 40, 0xa5), 0, 4_096 * 40, 4_096 * 20);
    await damaged.close();
    const damage = (await bench.examine()).bad.find(({ message }) => /damaged|malformed/u.test(message));
    expect(damage).toMatchObject({ state: "fail" });
    await writeFile(file, "this is no database at all, whatever its name says");
    expect((await bench.examine()).bad).toMatchObject([{ check: "store", state: "fail" }]);
  });

  it("says what is wrong with the bench.settings, and shows no secret", async () => {
    const wrong = await bench.examine({ LINEWRIGHT_PORT: "x", LINEWRIGHT_DATABASE_URL: "mysql://u:hidden@h/d" });
    expect(wrong.code).toBe(1);
    expect(wrong.bad).toMatchObject([{ check: "configuration", state: "fail" }]);
    const away = await bench.examine({ LINEWRIGHT_DATABASE_URL: "postgres://u:hidden@127.0.0.1:9/d?password=hidden" });
    expect(away.code).toBe(1);
    expect(away.bad.at(-1)).toMatchObject({ check: "store", state: "fail" });
    expect(away.bad.at(-1)?.message).toContain("postgres://u:***@127.0.0.1:9/d?password=***");
    expect(wrong.out + away.out).not.toContain("hidden");
  });

  it("writes a line for each check where people read", async () => {
    const { out } = await bench.doctor({}, false);
    const lines = out.trim().split("\n");
    expect(lines.at(-1)).toMatch(/^ok: \d+, warnings: 2, failures: 0$/u);
    expect(lines.slice(0, -1).every((line) => /^(ok {2}|warn|fail) {2}\S/u.test(line))).toBe(true);
  });
});
