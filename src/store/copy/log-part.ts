import type { JobEventRow, Store, Write } from "../store.ts";
import type { SizedWrite } from "./batch-writer.ts";
import type { PartRow, StorePart } from "./store-part.ts";

const jobsPerPage = 500;
/** Logs that are read at a time: a database at the end of a line answers others meanwhile. */
const readsAtOnce = 8;

interface WholeLog {
  events: JobEventRow[];
  snapshot: { seq: number; state: string } | undefined;
}

/** The logs of all jobs: every event, and the newest snapshot. */
export const logPart: StorePart = {
  name: "job logs",
  rows: readLogs,
  async lastKey(store) {
    let last: string | undefined;
    for await (const jobId of readJobIds(store)) last = jobId;
    return last;
  },
  isEmpty: async (store) => (await store.jobIds("", 1)).length === 0,
  async rest(target, { key, writes }) {
    const { length } = await target.wholeLog(key);
    return writes.filter(({ write }) => write.kind !== "appendEvent" || write.seq > length);
  },
};

async function* readJobIds(store: Store): AsyncGenerator<string> {
  let after = "";
  for (;;) {
    const page = await store.jobIds(after, jobsPerPage);
    yield* page;
    if (page.length < jobsPerPage) return;
    after = page.at(-1) ?? after;
  }
}

async function* readLogs(store: Store): AsyncGenerator<PartRow> {
  let waiting: string[] = [];
  for await (const jobId of readJobIds(store)) {
    waiting.push(jobId);
    if (waiting.length < readsAtOnce) continue;
    yield* await Promise.all(waiting.map((id) => readRow(store, id)));
    waiting = [];
  }
  yield* await Promise.all(waiting.map((id) => readRow(store, id)));
}

async function readRow(store: Store, jobId: string): Promise<PartRow> {
  const log = await readWhole(store, jobId);
  return { key: jobId, content: contentOf(log), size: log.events.length, writes: writesOf(jobId, log) };
}

async function readWhole(store: Store, jobId: string): Promise<WholeLog> {
  const { snapshot, events } = await store.readLog(jobId);
  return { snapshot, events: snapshot ? await store.wholeLog(jobId) : events };
}

/** Values in a fixed order: members may come in another one from another store. */
function contentOf({ events, snapshot }: WholeLog): string {
  return JSON.stringify([snapshot?.seq, snapshot?.state, events.map(({ seq, at, delta }) => [seq, at, delta])]);
}

function writesOf(jobId: string, { events, snapshot }: WholeLog): SizedWrite[] {
  const writes = events.map(({ seq, at, delta }) => sized({ kind: "appendEvent", jobId, seq, at, delta }, delta));
  if (snapshot) writes.push(sized({ kind: "putSnapshot", jobId, ...snapshot }, snapshot.state));
  return writes;
}

function sized(write: Write, text: string): SizedWrite {
  return { write, characters: text.length };
}
