import pc from "picocolors";
import { readConfiguration, type Environment } from "../configuration.ts";
import {
  configuredLocation,
  describeLocation,
  isCurrent,
  type SchemaState,
  type StoreLocation,
} from "../store/index.ts";
import { CommandError } from "./api-client.ts";
import { schemaOf, withNewStore } from "./operated-store.ts";
import { showResult, type Output } from "./output.ts";

export interface MigrateOptions {
  /** Settings that name the store. */
  environment: Environment;
  isCheck: boolean;
}

/** What `linewright migrate` tells. */
interface MigrateReport {
  store: string;
  from: number;
  to: number;
  /** Tables and indexes that were made, or with `--check` would be. */
  made: readonly string[];
  dropped: readonly string[];
  isCurrent: boolean;
}

/**
 * `linewright migrate`: brings the schema of the configured store up to date, as the start of a node does.
 * With `--check` it only looks; exit code 1 when there is something to do.
 */
export async function migrate(output: Output, { environment, isCheck }: MigrateOptions): Promise<number> {
  const location = configuredLocation(readConfiguration(environment));
  const before = await schemaOf(location);
  if (before.needed > before.latest) throw newerSchema(before);
  if (isCheck || isCurrent(before)) {
    showResult(output, reportOf(location, before), isCheck ? checkText : currentText);
    return isCheck && !isCurrent(before) ? 1 : 0;
  }
  await withNewStore(location, async () => undefined);
  showResult(output, { ...reportOf(location, before), isCurrent: true }, doneText);
  return 0;
}

function newerSchema({ version, latest }: SchemaState): CommandError {
  return new CommandError(
    `The store was written by a newer release: its schema has version ${version}, this release knows up to ${latest}.`,
    "Use the newer release, or restore an older backup.",
  );
}

function reportOf(location: StoreLocation, state: SchemaState): MigrateReport {
  return {
    store: describeLocation(location),
    from: state.version,
    to: Math.max(state.version, state.latest),
    made: state.missing,
    dropped: state.unknown,
    isCurrent: isCurrent(state),
  };
}

function currentText({ store, to }: MigrateReport): string {
  return `${store}: the schema is up to date (version ${to}).`;
}

function checkText(report: MigrateReport): string {
  if (report.isCurrent) return currentText(report);
  return pc.yellow(`${report.store}: the schema is behind: ${change(report)}. Run linewright migrate.`);
}

function doneText(report: MigrateReport): string {
  return pc.green(`${report.store}: the schema was brought up to date: ${change(report)}.`);
}

function change({ from, to, made, dropped }: MigrateReport): string {
  const parts = [from === to ? `version ${to}` : `version ${from} → ${to}`];
  if (made.length > 0) parts.push(`${made.length} tables and indexes new`);
  if (dropped.length > 0) parts.push(`${dropped.length} indexes dropped`);
  return parts.join(", ");
}
