export { delay, failAfter, failBefore, tear, type FaultPoint, type StoreFaults } from "./faults.ts";
export { collectionIndexes, type IndexDefinition } from "./indexes.ts";
export { hasRegex, type Condition } from "./query/condition.ts";
export { createDocumentFinder, type DocumentFinder } from "./document-finder.ts";
export { matches } from "./query/matches.ts";
export { parseQuery, type Query } from "./query.ts";
export { copyStore, CopyRefusedError, type CopiedPart, type CopyOptions, type CopyPhase } from "./copy-store.ts";
export { openStore, openStoreAt, type StoreParts } from "./create-store.ts";
export { inspectDatabaseServer, inspectSchema } from "./inspect-store.ts";
export { connectionsPerNode } from "./postgres/postgres-store.ts";
export type { ServerInspection } from "./postgres/inspect-server.ts";
export { isCurrent, type SchemaState } from "./schema-state.ts";
export { inspectFile, type FileInspection } from "./sqlite/inspect-file.ts";
export {
  configuredLocation,
  describeLocation,
  parseLocation,
  type StoreConfiguration,
  type StoreLocation,
} from "./store-location.ts";
export { createSqliteStore, type SqliteStoreOptions } from "./sqlite/sqlite-store.ts";
export {
  DuplicateKeyError,
  SequenceConflictError,
  StoreUnavailableError,
  VersionConflictError,
  type FindOptions,
  type JobEventRow,
  type JobLog,
  type LogPage,
  type Store,
  type Stored,
  type StoreChange,
  type WorkItem,
  type Write,
} from "./store.ts";
