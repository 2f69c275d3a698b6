import { createPostgresStore } from "../../src/store/postgres/postgres-store.ts";
import { createSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import type { Store } from "../../src/store/store.ts";
import type { StorePlace } from "./node-messages.ts";
import type { Reach } from "./points.ts";
import { hookSqliteStatements } from "./sqlite-statements.ts";
import { statementName, type OnStatement } from "./statement-names.ts";
import { createFaultyPostgres, createFaultySqlite, type FaultyStatements } from "./statement-faults.ts";

/** The store of a node process, with every statement told of and able to fail. */
export interface NodeStore {
  store: Store;
  faulty: FaultyStatements;
}

/** Opens the store. */
export async function openNodeStore(place: StorePlace, reach: Reach): Promise<NodeStore> {
  const faulty = place.kind === "sqlite" ? createFaultySqlite() : createFaultyPostgres();
  const onStatement: OnStatement = (point) => {
    reach(`${point.phase} ${statementName(point.text)}`);
    faulty.onStatement(point);
  };
  if (place.kind === "postgres") {
    return { store: await createPostgresStore({ url: place.url, statementFaults: onStatement }), faulty };
  }
  hookSqliteStatements(onStatement);
  const { file, thread } = place;
  return { store: await createSqliteStore({ file, thread }), faulty };
}
