import { countsOf, type Collections, type IndexDefinition } from "./indexes.ts";

/** The schema of a store, compared with the one this release works with. */
export interface SchemaState {
  /** 0: nothing is there yet. */
  version: number;
  /** The version a release must know to work with it. */
  needed: number;
  /** The version this release brings it to. */
  latest: number;
  /** Tables and indexes of collections that this release would make, by name. */
  missing: readonly string[];
  /** Indexes of collections that this release would drop, by name. */
  unknown: readonly string[];
}

/** Can this release open the store, and would that leave its schema as it is? */
export function isCurrent({ version, needed, latest, missing, unknown }: SchemaState): boolean {
  return needed <= latest && version >= latest && missing.length === 0 && unknown.length === 0;
}

/** Tables and indexes of a database, by name. */
export interface SchemaNames {
  tables: readonly string[];
  indexes: readonly string[];
}

/** What is there against what is wanted. Tables of no collection, and their indexes, are left alone. */
export function compareNames(
  collections: Collections,
  indexName: (collection: string, index: IndexDefinition) => string,
  found: SchemaNames,
): Pick<SchemaState, "missing" | "unknown"> {
  const wanted = Object.entries(collections).flatMap(([collection, indexes]) =>
    indexes.map((index) => indexName(collection, index)),
  );
  const tables = Object.entries(collections).flatMap(([name, indexes]) => [
    name,
    ...countsOf(name, indexes).map(({ table }) => table),
  ]);
  const isOurs = (name: string): boolean => Object.hasOwn(collections, name.slice(0, name.indexOf(".")));
  return {
    missing: [
      ...tables.filter((name) => !found.tables.includes(name)),
      ...wanted.filter((name) => !found.indexes.includes(name)),
    ],
    unknown: found.indexes.filter((name) => isOurs(name) && !wanted.includes(name)),
  };
}
