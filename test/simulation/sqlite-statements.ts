import Database from "better-sqlite3";
import type { OnStatement } from "./statement-names.ts";

type Execute = (...parameters: unknown[]) => unknown;
type Hooked = Record<"run" | "get" | "all", Execute>;

/**
 * From now on every statement on any SQLite database of this process is told of. The driver itself is
 * changed, so this is for processes that exist for nothing else.
 */
export function hookSqliteStatements(onStatement: OnStatement): void {
  const around = <Result>(text: string, execute: () => Result): Result => {
    onStatement({ phase: "before", text });
    const result = execute();
    onStatement({ phase: "after", text });
    return result;
  };
  const { prototype } = Database as unknown as { prototype: Database.Database };
  const { prepare, exec } = prototype;
  prototype.prepare = function prepareHooked(this: Database.Database, text: string) {
    const statement = prepare.call(this, text);
    const hooked = statement as unknown as Hooked;
    for (const name of ["run", "get", "all"] as const) {
      const execute = hooked[name].bind(statement);
      hooked[name] = (...parameters) => around(text, () => execute(...parameters));
    }
    return statement;
  } as typeof prepare;
  prototype.exec = function execHooked(this: Database.Database, text: string) {
    return around(text, () => exec.call(this, text));
  };
}
