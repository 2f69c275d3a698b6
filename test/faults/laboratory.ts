import { buildNode } from "../simulation/build-node.ts";
import { startNode } from "../simulation/node-process.ts";
import { startPostgresServer, type PostgresServer } from "../support/postgres-server.ts";
import { keepsCommitTimes } from "../support/commit-times.ts";
import { checkRun, expectedOutcomes, type CheckReport, type ExpectedOutcomes } from "./checker.ts";
import { checkSwept } from "./audit-leftovers.ts";
import type { EffectRules } from "./audit-effects.ts";
import { Findings } from "./findings.ts";
import { createPremises, type Premises, type PremisesOptions, type StoreKind } from "./premises.ts";
import type { RunRecord } from "./run-record.ts";
import { shapes } from "./shapes.ts";

/** How often a point is reached while every shape runs once. */
export type PointCounts = Readonly<Record<string, number>>;

/** Everything programmes share: the node to start, and how jobs end when nothing goes wrong. */
export interface Laboratory {
  /** Entry of the node process. */
  main: string;
  /** What a whole server is started with to be killed on its way. */
  startHook: string;
  /** Where premises of a kind are made. The PostgreSQL server is started when it is first asked for. */
  premisesOf(kind: StoreKind): Promise<PremisesOptions>;
  /** Runs every shape without faults, the first time it is asked for with this kind of store. */
  rehearse(options: PremisesOptions): Promise<Rehearsal>;
  close(): Promise<void>;
}

/** A run without faults. */
export interface Rehearsal {
  expected: ExpectedOutcomes;
  points: PointCounts;
}

/** Of work of a node that died. Short, so that others need not wait long for it. */
export const leaseMs = 400;
const longestRehearsalMs = 60_000;

/** Builds the node process. */
export async function openLaboratory(): Promise<Laboratory> {
  const built = await buildNode();
  let postgres: Promise<PostgresServer> | undefined;
  const rehearsals = new Map<StoreKind, Promise<Rehearsal>>();
  return {
    main: built.main,
    startHook: built.startHook,
    async premisesOf(kind) {
      if (kind === "sqlite") return { kind };
      postgres ??= startPostgresServer({ settings: keepsCommitTimes });
      return { kind, server: await postgres };
    },
    rehearse(options) {
      const rehearsal = rehearsals.get(options.kind) ?? rehearse(built.main, options);
      rehearsals.set(options.kind, rehearsal);
      return rehearsal;
    },
    async close() {
      await (await postgres)?.stop();
      await built.remove();
    },
  };
}

async function rehearse(main: string, options: PremisesOptions): Promise<Rehearsal> {
  const premises = await createPremises(options);
  try {
    const node = await startNode(main, { ...premises.settings, life: "rehearsal", leaseMs }, () => undefined);
    node.send({
      do: "start",
      jobs: shapes.map(({ workflow: { name } }) => ({ workflow: name, description: name })),
    });
    node.send({ do: "settle", withinMs: longestRehearsalMs });
    const { unfinished } = await node.next("settled");
    if (unfinished > 0) throw new Error(`${unfinished} jobs or work items are left after a run without faults`);
    node.send({ do: "count" });
    const { points } = await node.next("counted");
    await node.stop();
    return { points, expected: await withStore(premises, expectedOutcomes) };
  } finally {
    await premises.remove();
  }
}

/** Checks what a run left behind once no node works on it any more. */
export async function checkPremises(
  premises: Premises,
  record: RunRecord,
  expected: ExpectedOutcomes,
  effectRules?: EffectRules,
): Promise<CheckReport> {
  const commitTimes = await premises.commitTimes();
  return withStore(premises, (store) =>
    checkRun({
      store,
      expected,
      asked: record.asked,
      acknowledged: record.acknowledged,
      finished: record.finished,
      ledger: premises.ledger(),
      commitTimes,
      ...(effectRules ? { effectRules } : {}),
    }),
  );
}

/** Looks for what is left hours after all jobs have ended. */
export async function checkAfterSweep(premises: Premises): Promise<Findings> {
  const findings = new Findings();
  await withStore(premises, (store) => checkSwept(store, findings));
  return findings;
}

type OpenStore = Awaited<ReturnType<Premises["openStore"]>>;

/** Opens the store of premises where no node works any more, and closes it afterwards. */
export async function withStore<Result>(
  premises: Premises,
  use: (store: OpenStore) => Promise<Result>,
): Promise<Result> {
  const store = await premises.openStore();
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}
