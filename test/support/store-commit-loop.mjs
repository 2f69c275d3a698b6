// Commits without end until it is killed: node store-commit-loop.mjs <file> <thread> <prefix> <writers>.
// Prints "<job> <seq>" once the store has acknowledged that event of that job.
import { writeSync } from "node:fs";
import { createSqliteStore } from "../../dist/store/index.js";

const [file, thread, prefix, writers] = process.argv.slice(2);
const store = await createSqliteStore({ file, thread });

async function commitForever(jobId) {
  for (let seq = 1; ; seq++) {
    const previous = { kind: "complete", itemId: `${jobId}/${seq - 1}` };
    const item = { id: `${jobId}/${seq}`, kind: "step", payload: { seq }, runAt: seq };
    await store.commit([
      { kind: "appendEvent", jobId, seq, at: seq, delta: JSON.stringify({ seq }) },
      { kind: "put", collection: "jobs", document: { _id: jobId, seq, status: "running" } },
      previous,
      { kind: "enqueue", item },
    ]);
    writeSync(1, `${jobId} ${seq}\n`);
  }
}

await Promise.all(Array.from({ length: Number(writers) }, (_, index) => commitForever(`${prefix}${index}`)));
