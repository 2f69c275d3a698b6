import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createSqliteStore } from "../../../src/store/sqlite/sqlite-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { createTemporaryFolder } from "../../support/store-files.ts";

const script = fileURLToPath(new URL("../../support/store-commit-loop.mjs", import.meta.url));
const writers = 8;
const rounds = 5;
const mostAcknowledged = 600;

/** Runs the commit loop and kills it after that many acknowledgements; gives the last acknowledged event of each job. */
async function commitUntilKilled(
  file: string,
  thread: string,
  prefix: string,
  acknowledgements: number,
): Promise<Map<string, number>> {
  const child = spawn(process.execPath, [script, file, thread, prefix, String(writers)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const acknowledged = new Map<string, number>();
  let count = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const [jobId = "", seq] = line.split(" ");
    acknowledged.set(jobId, Number(seq));
    count += 1;
    if (count === acknowledgements) child.kill("SIGKILL");
  }
  await ended;
  expect(count).toBeGreaterThanOrEqual(acknowledgements);
  return acknowledged;
}

async function expectWhole(store: Store, jobId: string, acknowledgedSeq: number): Promise<void> {
  const { events } = await store.readLog(jobId);
  const seqs = events.map(({ seq }) => seq);
  const last = seqs.at(-1) ?? 0;
  expect(last).toBeGreaterThanOrEqual(acknowledgedSeq);
  expect(seqs).toEqual(Array.from({ length: last }, (_, index) => index + 1));
  expect(await store.read("jobs", jobId)).toEqual(
    last === 0 ? undefined : { document: { _id: jobId, seq: last, status: "running" }, version: last },
  );
}

describe.each(["inline", "worker"])("a process that commits (%s) and is killed at any moment", (thread) => {
  it(`has lost nothing acknowledged and left nothing half-written, ${rounds} times`, { timeout: 60_000 }, async () => {
    const folder = await createTemporaryFolder();
    const file = folder.file("store.db");
    for (let round = 0; round < rounds; round++) {
      const prefix = `r${round}w`;
      const acknowledged = await commitUntilKilled(
        file,
        thread,
        prefix,
        1 + Math.floor(Math.random() * mostAcknowledged),
      );
      const store = await createSqliteStore({ file, thread: "inline" });
      for (let writer = 0; writer < writers; writer++) {
        await expectWhole(store, `${prefix}${writer}`, acknowledged.get(`${prefix}${writer}`) ?? 0);
      }
      const open = (await store.workItems("", 10_000)).map(({ id }) => id).sort();
      const jobs = await store.find<{ _id: string; seq: number }>("jobs", {});
      expect(open).toEqual(jobs.map(({ _id, seq }) => `${_id}/${seq}`).sort());
      await store.close();
    }
    await folder.remove();
  });
});
