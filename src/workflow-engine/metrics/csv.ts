/** One line of a table (RFC 4180), with its end. Texts that a spreadsheet would take for a formula get an apostrophe in front. */
export function csvLine(values: readonly (string | number)[]): string {
  return `${values.map(cell).join(",")}\r\n`;
}

function cell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/u.test(value) ? `'${value}` : value;
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
