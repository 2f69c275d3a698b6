import { describe, expect, it } from "vitest";
import { judgeClock } from "../../../src/cli/doctor/clock-checks.ts";
import { checkConfiguration } from "../../../src/cli/doctor/configuration-checks.ts";
import { judgeMode, judgeSpace } from "../../../src/cli/doctor/data-folder-checks.ts";
import { checkStoredSecrets, judgeKeyMode } from "../../../src/cli/doctor/encryption-key-checks.ts";
import { checkLatency } from "../../../src/cli/doctor/latency-checks.ts";
import { checkNodeVersion, judgeNodeVersion } from "../../../src/cli/doctor/machine-checks.ts";
import { judgeNodes } from "../../../src/cli/doctor/node-checks.ts";
import { judgeServer } from "../../../src/cli/doctor/postgres-checks.ts";
import { judgeFile } from "../../../src/cli/doctor/sqlite-checks.ts";
import { judgeSchema } from "../../../src/cli/doctor/store-checks.ts";
import { judgeWork, surveyWork } from "../../../src/cli/doctor/work-checks.ts";
import { createSecretBox } from "../../../src/core/secret-box.ts";
import type { NodeView } from "../../../src/nodes/index.ts";
import type { ServerInspection, Store } from "../../../src/store/index.ts";
import { createTemporaryStore } from "../../support/store-sqlite.ts";

const states = (findings: readonly { state: string }[]): string => findings.map(({ state }) => state).join(" ");

async function withStore(act: (store: Store) => Promise<void>): Promise<void> {
  const store = await createTemporaryStore();
  try {
    await act(store);
  } finally {
    await store.close();
  }
}

describe("the doctor judges the machine", () => {
  it.each([
    ["v20.19.0", "ok"],
    ["v20.18.9", "fail"],
    ["v18.20.4", "fail"],
    ["v22.0.0", "ok"],
    ["v24.1.0", "ok"],
  ])("Node.js %s: %s", (running, state) => {
    expect(judgeNodeVersion(running, "20.19").state).toBe(state);
    expect(checkNodeVersion(running).state).toBe(state);
  });

  it.each([
    [0o40700, "ok"],
    [0o40500, "ok"],
    [0o40750, "warn"],
    [0o40755, "warn"],
  ])("data folder with mode %o: %s", (mode, state) => {
    expect(judgeMode("/data", mode).state).toBe(state);
  });

  it("a key that others may read is a failure", () => {
    expect(judgeKeyMode("/data/encryption.key", 0o100600)).toEqual([]);
    expect(judgeKeyMode("/data/encryption.key", 0o100640)).toMatchObject([
      { state: "fail", advice: "chmod 600 /data/encryption.key" },
    ]);
  });

  it("a disk is short below 1 GB and full below 100 MB", () => {
    expect([2e9, 1e9, 999e6, 100e6, 99e6, 0].map((bytes) => judgeSpace(bytes).state)).toEqual(
      "ok ok warn warn fail fail".split(" "),
    );
  });

  it("clocks may differ by half a second, and by what cannot be measured", () => {
    const judge = (aheadMs: number, uncertainMs = 0) => judgeClock("x", aheadMs, uncertainMs).state;
    expect([judge(0), judge(500), judge(-501), judge(1_600), judge(-1_600)].join(" ")).toBe("ok ok warn fail fail");
    expect([judge(1_400, 1_000), judge(-1_600, 1_000)].join(" ")).toBe("ok warn");
    expect(judgeClock("the clock of r1", -1_600, 0).message).toBe("the clock of r1 is 1600 ms behind this machine");
  });
});

describe("the doctor judges the configuration", () => {
  it("names what cannot be used, and never shows a value", () => {
    const { findings, configuration } = checkConfiguration({
      LINEWRIGHT_PORT: "99999",
      LINEWRIGHT_DATABASE_URL: "mysql://u:s3cret@h/d",
    });
    expect(configuration).toBeUndefined();
    expect(findings).toMatchObject([{ state: "fail" }]);
    expect(findings[0]?.message).toMatch(/LINEWRIGHT_PORT: .*LINEWRIGHT_DATABASE_URL: /u);
    expect(JSON.stringify(findings)).not.toContain("s3cret");
  });

  it("tells of names that are no settings", () => {
    const environment = { LINEWRIGHT_DATABSE_URL: "postgres://u:s3cret@h/d", LINEWRIGHT_TOKEN: "s3cret", PATH: "/bin" };
    const { findings, configuration } = checkConfiguration(environment);
    expect(configuration).toMatchObject({ databaseUrl: undefined });
    expect(states(findings)).toBe("ok warn");
    expect(findings[1]?.message).toBe("no such setting: LINEWRIGHT_DATABSE_URL");
  });
});

describe("the doctor judges PostgreSQL", () => {
  const sound: ServerInspection = {
    version: "17.2",
    versionNumber: 170_002,
    encoding: "UTF8",
    maxConnections: 100,
    reservedConnections: 3,
    usedConnections: 12,
    synchronousCommit: "on",
    isFsyncOn: true,
    isStandby: false,
    databaseBytes: 1,
    clockAheadMs: 0,
    roundTripMs: 1,
  };

  it.each<[Partial<ServerInspection>, string, string]>([
    [{}, "ok ok ok", ""],
    [{ versionNumber: 140_010, version: "14.10" }, "fail ok ok", "15 or newer"],
    [{ encoding: "SQL_ASCII" }, "ok fail ok ok", "ENCODING 'UTF8'"],
    [{ isStandby: true }, "ok fail ok ok", "the primary"],
    [{ isFsyncOn: false }, "ok fail ok", "fsync = on"],
    [{ synchronousCommit: "off" }, "ok fail ok", "synchronous_commit = on"],
    [{ synchronousCommit: "remote_apply" }, "ok ok ok", ""],
    [{ maxConnections: 20 }, "ok ok warn", "max_connections to 21"],
  ])("%o: %s", (different, expected, advice) => {
    const findings = judgeServer({ ...sound, ...different }, 3, 6);
    expect(states(findings)).toBe(expected);
    expect(findings.map((finding) => finding.advice ?? "").join("")).toContain(advice);
  });
});

describe("the doctor judges the store", () => {
  it("a damaged file fails, a log that grows without end warns", () => {
    expect(states(judgeFile({ problems: [], fileBytes: 5e6, logBytes: 64e6 }))).toBe("ok ok");
    expect(states(judgeFile({ problems: ["row 3 missing from index jobs.name"], fileBytes: 1, logBytes: 300e6 }))).toBe(
      "fail warn",
    );
  });

  it("a schema is up to date, behind, of a newer release, or not there", () => {
    const schema = { version: 3, needed: 2, latest: 3, missing: [], unknown: [] };
    const judge = (different: Partial<Parameters<typeof judgeSchema>[0]>) =>
      judgeSchema({ ...schema, ...different }).state;
    expect([
      judge({}),
      judge({ version: 2 }),
      judge({ missing: ["nodes"] }),
      judge({ unknown: ["jobs.old"] }),
      judge({ version: 4, needed: 3 }),
      judge({ version: 4, needed: 4 }),
      judge({ version: 0, missing: ["nodes"] }),
    ]).toEqual(["ok", "warn", "warn", "warn", "ok", "fail", "ok"]);
  });

  it("measures commits and reads, and leaves nothing behind", () =>
    withStore(async (store) => {
      let time = 0;
      // Two looks at the time make one measurement: each takes 30 ms here, and 200 ms for every commit below.
      const findings = await checkLatency(store, () => (time += 30));
      expect(findings.map(({ message }) => message)).toEqual([
        "a commit takes 30.00 ms (median of 20)",
        "a read takes 30.00 ms (median of 20)",
      ]);
      expect(states(await checkLatency(store, () => (time += 200)))).toBe("warn warn");
      expect(await store.workItems("", 10)).toEqual([]);
    }));

  it("finds work that is overdue or fails again and again", () =>
    withStore(async (store) => {
      const now = 1_000_000;
      expect(judgeWork(await surveyWork(store, now))).toMatchObject([
        { state: "ok", message: "0 items wait, none is overdue" },
      ]);
      const items = Array.from({ length: 2_500 }, (_, index) => ({
        id: `w${String(index).padStart(4, "0")}`,
        kind: "timer",
        payload: {},
        runAt: index < 5 ? now - 60_001 : now - 60_000,
        ...(index === 2_499 && { attempts: 10 }),
      }));
      await store.commit(items.map((item) => ({ kind: "enqueue", item })));
      const findings = judgeWork(await surveyWork(store, now));
      expect(findings.map(({ state, message }) => [state, message])).toEqual([
        ["warn", "5 of 2500 items are due for more than a minute: timer w0000, timer w0001, timer w0002, …"],
        ["warn", "1 of 2500 items failed 10 times and more: timer w2499"],
      ]);
    }));

  it("opens stored secrets with the right key only", () =>
    withStore(async (store) => {
      const box = createSecretBox({ current: new Uint8Array(32).fill(1) });
      const other = createSecretBox({ current: new Uint8Array(32).fill(2) });
      expect((await checkStoredSecrets(store, undefined)).message).toBe("the store holds no secrets yet");
      const password = box.seal("device-password", "devices/d1/password");
      const community = box.seal("community", "devices/d1/variables/snmp/0");
      const key = box.seal("signing", "secrets/oauth-signing-key");
      await store.commit([
        {
          kind: "put",
          collection: "devices",
          document: { _id: "d1", name: "r1", password, variables: { snmp: [community] } },
        },
        { kind: "put", collection: "secrets", document: { _id: "oauth-signing-key", key } },
      ]);
      expect(await checkStoredSecrets(store, box)).toMatchObject({
        state: "ok",
        message: "opens the 3 stored secrets that were tried",
      });
      for (const wrong of [other, undefined])
        expect(await checkStoredSecrets(store, wrong)).toMatchObject({
          state: "fail",
          message: "does not open the secrets of secrets oauth-signing-key, devices d1",
        });
      const moved = { _id: "d2", name: "r2", password };
      await store.commit([{ kind: "put", collection: "devices", document: moved }]);
      expect(await checkStoredSecrets(store, box)).toMatchObject({
        state: "fail",
        message: "does not open the secrets of devices d2",
      });
    }));
});

describe("the doctor judges the other nodes", () => {
  const now = 1_000_000;
  const node = (different: Partial<NodeView> = {}): NodeView => ({
    id: "n",
    host: "h1",
    pid: 7,
    version: "1.0.0",
    startedAt: 0,
    heardAt: now - 400,
    clockOffMs: 0,
    status: "running",
    isThis: false,
    ...different,
  });

  it.each<[NodeView[], string]>([
    [[], "ok"],
    [[node(), node({ host: "h2", status: "draining" })], "ok"],
    [[node(), node({ host: "h2", status: "lost", heardAt: 0 })], "ok warn"],
    [[node({ startedAt: 9 }), node({ pid: 8, status: "lost", heardAt: 8 })], "ok"],
    [[node({ startedAt: 9, host: "h2" }), node({ pid: 8, status: "lost", heardAt: 8 })], "ok warn"],
    [[node({ status: "stopped", version: "0.9.0", heardAt: 0 })], "ok"],
    [[node(), node({ version: "0.9.0" })], "ok warn"],
    [[node({ clockOffMs: -3_600_000 })], "ok warn"],
    [[node({ heardAt: now + 400 })], "ok"],
    [[node({ heardAt: now + 1_200 })], "ok warn"],
    [[node({ heardAt: now + 3_000 })], "ok fail"],
    [[node({ heardAt: now - 3_500 })], "ok fail"],
  ])("%o: %s", (nodes, expected) => {
    expect(states(judgeNodes(nodes, "1.0.0", now))).toBe(expected);
  });
});
