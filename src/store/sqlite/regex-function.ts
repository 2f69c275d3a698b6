import type { Database } from "better-sqlite3";

const mostExpressions = 100;

/** Gives a connection `regex_matches(pattern, flags, text)`. Only for connections of threads that may be ended at any moment. */
export function registerRegexFunction(database: Database): void {
  const expressions = new Map<string, RegExp>();
  const compiled = (pattern: string, flags: string): RegExp => {
    const key = `${flags}/${pattern}`;
    const known = expressions.get(key);
    if (known) return known;
    if (expressions.size >= mostExpressions) expressions.clear();
    const expression = new RegExp(pattern, flags);
    expressions.set(key, expression);
    return expression;
  };
  database.function("regex_matches", { deterministic: true }, (pattern, flags, text) =>
    compiled(String(pattern), String(flags)).test(String(text)) ? 1 : 0,
  );
}
