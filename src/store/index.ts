export { delay, failAfter, failBefore, tear, type FaultPoint, type StoreFaults } from "./faults.ts";
export { collectionIndexes, type IndexDefinition } from "./indexes.ts";
export { hasRegex, type Condition } from "./query/condition.ts";
export { matches } from "./query/matches.ts";
export { parseQuery, type Query } from "./query.ts";
export { createSqliteStore, type SqliteStoreOptions } from "./sqlite/sqlite-store.ts";
export {
  DuplicateKeyError,
  SequenceConflictError,
  StoreUnavailableError,
  VersionConflictError,
  type FindOptions,
  type JobEventRow,
  type JobLog,
  type Store,
  type Stored,
  type StoreChange,
  type WorkItem,
  type Write,
} from "./store.ts";
