/** A text literal of SQL. Only for what the program itself defines, such as its indexes; everything else is bound. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A quoted name of a table, a column or an index. */
export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
