import { randomUUID } from "node:crypto";
import type { Store } from "../../store/index.ts";
import { ok, warning, type Finding } from "./finding.ts";

const rounds = 20;
const slowCommitMs = 100;
const slowReadMs = 50;
/** Never due, should it be left behind. */
const never = 8.64e15;

/** Medians of small commits and reads, one after the other. What is written is removed again. */
export async function checkLatency(store: Store, now: () => number = () => performance.now()): Promise<Finding[]> {
  const id = `doctor-${randomUUID()}`;
  const item = { id, kind: "doctor", payload: {}, runAt: never };
  try {
    const commitMs = await medianMs(now, () => store.commit([{ kind: "enqueue", item }]));
    const readMs = await medianMs(now, () => store.read("roles", id));
    return [judge("commit", commitMs, slowCommitMs), judge("read", readMs, slowReadMs)];
  } finally {
    await store.commit([{ kind: "complete", itemId: id }]);
  }
}

async function medianMs(now: () => number, act: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const begin = now();
    await act();
    times.push(now() - begin);
  }
  return times.toSorted((left, right) => left - right)[rounds / 2] ?? 0;
}

function judge(what: "commit" | "read", ms: number, slowMs: number): Finding {
  const message = `a ${what} takes ${ms.toFixed(2)} ms (median of ${rounds})`;
  if (ms <= slowMs) return ok("store", message);
  return warning("store", message, "Look at the disk of the store, at its load, and at the network between.");
}
