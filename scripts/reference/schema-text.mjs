/** A schema in a few words: `string`, `integer 1–100`, `list of object`, `"a"` or `"b"`. */
export function typeText(schema) {
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum) return schema.enum.map((value) => code(JSON.stringify(value))).join(" or ");
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return [...new Set(options.map(typeText))].join(" or ");
  if (schema.allOf) return schema.allOf.map(typeText).join(" and ");
  if (schema.type === "array") return schema.items ? `list of ${typeText(schema.items)}` : "list";
  if (schema.type === "object") return objectText(schema);
  if (Array.isArray(schema.type)) return schema.type.join(" or ");
  return `${schema.type ?? "any value"}${limitsText(schema)}`;
}

function objectText({ properties, patternProperties, additionalProperties }) {
  const [pattern] = Object.values(patternProperties ?? {});
  if (!properties && pattern) return `object of ${typeText(pattern)}`;
  const names = Object.keys(properties ?? {});
  const open = additionalProperties === true ? ", …" : "";
  return names.length === 0 ? "object" : `object {${names.join(", ")}${open}}`;
}

function limitsText({ minimum, maximum, minLength, maxLength, format, pattern }) {
  if (format) return ` (${format})`;
  if (pattern) return ` matching ${code(pattern)}`;
  if (minimum !== undefined || maximum !== undefined) return ` ${rangeText(minimum, maximum)}`;
  if (minLength !== undefined || maxLength !== undefined) return ` of ${rangeText(minLength, maxLength)} characters`;
  return "";
}

function rangeText(least, most) {
  if (most === undefined) return `${least} or more`;
  return least === undefined ? `up to ${most}` : `${least}–${most}`;
}

/** Rows of the members of an object schema; those of a union's objects one after the other. */
export function memberRows(schema) {
  const options = schema?.anyOf ?? schema?.oneOf ?? schema?.allOf;
  if (options) return options.flatMap(memberRows);
  const required = new Set(schema?.required ?? []);
  return Object.entries(schema?.properties ?? {}).map(([name, member]) => [
    code(name),
    typeText(member),
    required.has(name) ? "yes" : "no",
    member.description ?? "",
  ]);
}

export function code(text) {
  return text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``;
}

/** A Markdown table; empty when there are no rows. */
export function table(headings, rows) {
  if (rows.length === 0) return "";
  const line = (cells) =>
    `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
  return [line(headings), line(headings.map(() => "---")), ...rows.map(line)].join("\n");
}

/** A page of its non-empty parts. */
export function page(...parts) {
  return `${parts
    .flat(Infinity)
    .filter((part) => part !== "")
    .join("\n\n")}\n`;
}
