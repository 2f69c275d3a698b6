/** A moment around one statement. */
export interface StatementPoint {
  phase: "before" | "after";
  text: string;
}

/** Told of every statement of a process. To throw makes the statement fail; `after`: once it was executed. */
export type OnStatement = (point: StatementPoint) => void;

/** Statements of PostgreSQL that do much at once, by what they hold. */
const known: readonly { has: RegExp; name: string }[] = [
  { has: /^WITH due\b/iu, name: "claim of work" },
  { has: /^WITH\b.*INSERT INTO job_snapshots/iu, name: "commit with snapshots" },
  { has: /^WITH\b.*INSERT INTO job_events/iu, name: "commit with events" },
  { has: /^WITH\b.*work_items/iu, name: "commit of work items" },
  { has: /^WITH\b/iu, name: "commit of documents" },
  { has: /pg_notify/iu, name: "NOTIFY" },
  { has: /advisory/iu, name: "lock of the schema" },
  { has: /current_setting/iu, name: "question for the version" },
  { has: /pg_terminate_backend/iu, name: "end of an abandoned connection" },
];
const control = /^(BEGIN|COMMIT|SAVEPOINT|RELEASE|ROLLBACK|LISTEN|SET|CREATE|ALTER)\b/iu;
const tables = /\b(INSERT INTO|UPDATE|DELETE FROM|FROM|JOIN)\s+(?!unnest|LATERAL)"?(\w+)"?/iu;

/** A short name for a statement: what it does to which table, e.g. `INSERT job_events`. */
export function statementName(text: string): string {
  const words = text.trim().replaceAll(/\s+/gu, " ");
  const named = known.find(({ has }) => has.test(words));
  if (named) return named.name;
  const [, controlled] = control.exec(words) ?? [];
  if (controlled) return controlled.toUpperCase();
  const [, verb = "", table] = tables.exec(words) ?? [];
  if (table === undefined) return words.slice(0, 30);
  return `${/FROM|JOIN/iu.test(verb) && !/DELETE/iu.test(verb) ? "SELECT" : verb.split(" ")[0]?.toUpperCase()} ${table}`;
}
