import type { Store, WorkItem } from "../../../src/store/store.ts";
import type { WorkQueue, WorkRunner } from "../../../src/work-queue/work-queue.ts";

/** What the suite needs of an implementation; time may be a manual clock's or the machine's. */
export interface QueueHarness {
  store: Store;
  /** The queue of one more node on the store. */
  createQueue(options?: { concurrency?: number }): WorkQueue;
  now(): number;
  passTime(ms: number): Promise<void>;
  /** How far ahead the twin of a running item is kept. */
  leaseMs: number;
  /** Stops every queue and closes the store. */
  close(): Promise<void>;
}

/** A promise that the test resolves. */
export interface Gate {
  passed: Promise<void>;
  open(): void;
}

export function createGate(): Gate {
  let open: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

export function workItem(id: string, runAt: number): WorkItem {
  return { id, kind: "test", payload: { of: id }, runAt };
}

/** Commits items and tells the queue. */
export async function enqueue(store: Store, queue: WorkQueue, items: readonly WorkItem[]): Promise<void> {
  await store.commit(items.map((item) => queue.enqueue(item)));
  queue.committed(items);
}

/** Runs that were begun and ended, in order. */
export interface Recorder {
  begun: WorkItem[];
  ended: string[];
  /** Most runs at the same time, of all items and of any one. */
  most: number;
  mostOfOne: number;
  run: WorkRunner;
}

/** A runner that does `work`, then completes the item by its own commit. */
export function createRecorder(
  store: Store,
  work: (item: WorkItem) => Promise<void> = async () => undefined,
): Recorder {
  const active = new Map<string, number>();
  const recorder: Recorder = { begun: [], ended: [], most: 0, mostOfOne: 0, run };
  async function run(item: WorkItem): Promise<void> {
    recorder.begun.push(item);
    const ofThis = (active.get(item.id) ?? 0) + 1;
    active.set(item.id, ofThis);
    recorder.mostOfOne = Math.max(recorder.mostOfOne, ofThis);
    recorder.most = Math.max(
      recorder.most,
      [...active.values()].reduce((sum, count) => sum + count, 0),
    );
    try {
      await work(item);
      await store.commit([{ kind: "complete", itemId: item.id }]);
      recorder.ended.push(item.id);
    } finally {
      active.set(item.id, (active.get(item.id) ?? 1) - 1);
    }
  }
  return recorder;
}

/** Lets time pass until the check holds; fails after two minutes of it. */
export async function eventually(harness: QueueHarness, check: () => boolean): Promise<void> {
  const until = harness.now() + 120_000;
  while (!check()) {
    if (harness.now() > until) throw new Error("it has not happened within two minutes");
    await harness.passTime(harness.leaseMs / 10);
  }
}
