import { DuplicateKeyError, VersionConflictError, type Store, type Stored, type Write } from "../../store/store.ts";
import { rowKey, type ProjectedRow } from "./fold-log.ts";

/** A row that is not as its log says. */
export interface RowDifference {
  collection: string;
  id: string;
  difference: "missing" | "different" | "superfluous";
}

/** A difference with the write that ends it. */
interface Correction {
  difference: RowDifference;
  write: Write;
}

/** Names a row. */
export type RowName = Pick<ProjectedRow, "collection" | "id">;

/** Reads rows of any read model; those that are not there are left out. */
export async function readRows(store: Store, names: Iterable<RowName>): Promise<Map<string, StoredRow>> {
  const found = new Map<string, StoredRow>();
  const read = async ({ collection, id }: RowName): Promise<void> => {
    const stored = await store.read<object>(collection, id);
    if (stored) found.set(rowKey(collection, id), { collection, id, stored });
  };
  await Promise.all([...names].map(read));
  return found;
}

/** A row as the store has it. */
export interface StoredRow extends RowName {
  stored: Stored<object>;
}

/** What is wrong with rows, and how it is put right. */
export function correctionsOf(
  expected: ReadonlyMap<string, ProjectedRow>,
  actual: ReadonlyMap<string, StoredRow>,
): Correction[] {
  const corrections: Correction[] = [];
  for (const [key, { collection, id, document }] of expected) {
    const row = actual.get(key);
    if (!row) {
      const write = { kind: "insert", collection, document } as const;
      corrections.push({ difference: { collection, id, difference: "missing" }, write });
    } else if (!isSame(row.stored.document, document)) {
      const write = { kind: "replace", collection, document, version: row.stored.version } as const;
      corrections.push({ difference: { collection, id, difference: "different" }, write });
    }
  }
  for (const [key, { collection, id }] of actual) {
    if (expected.has(key)) continue;
    corrections.push({
      difference: { collection, id, difference: "superfluous" },
      write: { kind: "remove", collection, id },
    });
  }
  return corrections;
}

/** Equal to the byte, order of members included. */
export function isSame(left: object, right: object): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** False when a row was written by somebody else since it was read. */
export async function isWritten(store: Store, corrections: readonly Correction[]): Promise<boolean> {
  try {
    await store.commit(corrections.map(({ write }) => write));
    return true;
  } catch (error) {
    if (error instanceof VersionConflictError || error instanceof DuplicateKeyError) return false;
    throw error;
  }
}
