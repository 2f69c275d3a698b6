import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPostgresStore } from "../../src/store/postgres/postgres-store.ts";
import { createSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { StoreUnavailableError, type Store } from "../../src/store/store.ts";
import { readLedger, type LedgerEntry } from "../simulation/effects-ledger.ts";
import type { NodeSettings, StorePlace } from "../simulation/node-messages.ts";
import { readCommitTimes, type CommitTimes } from "../support/commit-times.ts";
import type { PostgresServer } from "../support/postgres-server.ts";

/** The kinds of store the laboratory has. */
export const storeKinds = ["sqlite", "postgres"] as const;
export type StoreKind = (typeof storeKinds)[number];

/** Where the data of one run lies: store, and memory of the outside. */
export interface Premises {
  settings: Pick<NodeSettings, "store" | "ledger" | "published">;
  /** Everything of the run that is no database. */
  folder: string;
  /** The store, for the checker. */
  openStore(): Promise<Store>;
  ledger(): LedgerEntry[];
  /** When events were committed, where the store tells it. */
  commitTimes(): Promise<CommitTimes | undefined>;
  remove(): Promise<void>;
}

/** Where premises are made: in a SQLite file, or in a database of a PostgreSQL server that is given. */
export type PremisesOptions =
  /** `thread`: on which thread of a node commits run. Default: `inline`. */
  { kind: "sqlite"; thread?: "inline" | "worker" } | { kind: "postgres"; server: PostgresServer };

/** New, empty premises. */
export async function createPremises(options: PremisesOptions): Promise<Premises> {
  const folder = await mkdtemp(join(tmpdir(), "linewright-faults-"));
  const ledger = join(folder, "effects");
  const place =
    options.kind === "sqlite"
      ? sqlitePlace(join(folder, "linewright.db"), options.thread)
      : await postgresPlace(options.server);
  return {
    folder,
    settings: { store: place.store, ledger, published: join(folder, "published") },
    openStore: place.open,
    ledger: () => readLedger(ledger),
    commitTimes: async () => (place.store.kind === "postgres" ? readCommitTimes(place.store.url) : undefined),
    async remove() {
      await place.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Place {
  store: StorePlace;
  open(): Promise<Store>;
  remove(): Promise<void>;
}

function sqlitePlace(file: string, thread: "inline" | "worker" = "inline"): Place {
  return {
    store: { kind: "sqlite", file, thread },
    open: () => createSqliteStore({ file, thread: "inline" }),
    remove: async () => undefined,
  };
}

async function postgresPlace(server: PostgresServer): Promise<Place> {
  const { url, remove } = await server.createDatabase();
  return { store: { kind: "postgres", url }, open: () => openPatiently(url), remove };
}

const mostTries = 5;

/** The laboratory may be so busy that it hears an answer late: that is no fault of the store. */
async function openPatiently(url: string): Promise<Store> {
  for (let tried = 1; ; tried++) {
    try {
      return await createPostgresStore({ url });
    } catch (error) {
      if (!(error instanceof StoreUnavailableError) || tried === mostTries) throw error;
    }
  }
}
