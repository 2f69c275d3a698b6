import type { Budget } from "../limits.ts";
import { sortBy } from "../values/compare.ts";
import { Dict } from "../values/dict.ts";
import { quote } from "../values/quote.ts";
import { reprOf } from "../values/repr.ts";
import { PythonObject, Tuple, typeNameOf, type Value } from "../values/value.ts";
import { linesOf } from "./white-space.ts";

const width = 80;

/** Where a value is put: after so many characters, and before so many that close what is around it. */
interface Place {
  indent: number;
  allowance: number;
  depth: number;
}

/** Python's `pprint.pformat`: on one line where it fits into 80 characters, members sorted. */
export function prettyPrint(budget: Budget, value: Value): string {
  return new PrettyPrinter(budget).format(value, { indent: 0, allowance: 0, depth: 1 });
}

class PrettyPrinter {
  readonly #budget: Budget;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  format(value: Value, place: Place): string {
    const line = this.#repr(value);
    this.#budget.charge(line.length >> 2);
    if (line.length <= width - place.indent - place.allowance) return line;
    return this.#budget.inValue(() => this.#long(value, place, line));
  }

  #long(value: Value, place: Place, line: string): string {
    if (value instanceof Dict && value.size > 0) return `{${this.#members(value, place)}}`;
    if (Array.isArray(value)) return `[${this.#items(value, { ...place, allowance: place.allowance + 1 })}]`;
    if (value instanceof Tuple) {
      const end = value.items.length === 1 ? "," : "";
      return `(${this.#items(value.items, { ...place, allowance: place.allowance + end.length + 1 })}${end})`;
    }
    return typeof value === "string" ? longText(value, place) : line;
  }

  #items(items: readonly Value[], place: Place): string {
    const indent = place.indent + 1;
    const parts = items.map((item, index) => {
      const allowance = index === items.length - 1 ? place.allowance : 1;
      return this.format(item, { indent, allowance, depth: place.depth + 1 });
    });
    return parts.join(`,\n${" ".repeat(indent)}`);
  }

  #members(dict: Dict, place: Place): string {
    const indent = place.indent + 1;
    const members = this.#sorted(dict);
    const parts = members.map(([key, value], index) => {
      const shown = this.#repr(key);
      const allowance = index === members.length - 1 ? place.allowance + 1 : 1;
      return `${shown}: ${this.format(value, { indent: indent + shown.length + 2, allowance, depth: place.depth + 1 })}`;
    });
    return parts.join(`,\n${" ".repeat(indent)}`);
  }

  /** By their keys; keys that have no order are sorted by type. */
  #sorted(dict: Dict): readonly (readonly [Value, Value])[] {
    const members = [...dict.entries()];
    const types = new Set(members.map(([key]) => typeNameOf(key)));
    const hasOrder = types.size <= 1 || [...types].every((type) => ["int", "float", "bool"].includes(type));
    const keyOf = ([key]: readonly [Value, Value]): Value =>
      hasOrder ? key : new Tuple([`<class '${typeNameOf(key)}'>`, this.#repr(key)]);
    const keyed = members.map((member) => new Tuple([keyOf(member), member[0], member[1]]));
    const sorted = sortBy(this.#budget, keyed, (item) => (item as Tuple).items[0] ?? null, false);
    return sorted.map((item) => [(item as Tuple).items[1] ?? null, (item as Tuple).items[2] ?? null]);
  }

  /** Like `repr`, but with sorted members. */
  #repr(value: Value): string {
    // Lists and dicts in each other cost more than what is in them.
    this.#budget.charge(typeof value === "object" && value !== null ? 20 : 1);
    if (value instanceof Dict)
      return this.#budget.inValue(
        () =>
          `{${this.#sorted(value)
            .map(([key, member]) => `${this.#repr(key)}: ${this.#repr(member)}`)
            .join(", ")}}`,
      );
    if (Array.isArray(value))
      return this.#budget.inValue(() => `[${value.map((item) => this.#repr(item)).join(", ")}]`);
    if (value instanceof Tuple && value instanceof PythonObject) {
      const end = value.items.length === 1 ? "," : "";
      return this.#budget.inValue(() => `(${value.items.map((item) => this.#repr(item)).join(", ")}${end})`);
    }
    return reprOf(this.#budget, value);
  }
}

/** A long text as several, each on a line of its own. */
function longText(text: string, { indent, allowance, depth }: Place): string {
  if (text === "") return "''";
  const isOutermost = depth === 1;
  const left = isOutermost ? indent + 1 : indent;
  const right = isOutermost ? allowance + 1 : allowance;
  const chunks: string[] = [];
  const lines = linesOf(text, true);
  for (const [index, line] of lines.entries()) {
    const isLast = index === lines.length - 1;
    const room = isLast ? width - left - right : width - left;
    if (quote(line).length <= room) chunks.push(quote(line));
    else chunks.push(...wordChunks(line, { left, last: isLast ? right : 0 }));
  }
  if (chunks.length === 1) return chunks[0] ?? "";
  const joined = chunks.join(`\n${" ".repeat(left)}`);
  return isOutermost ? `(${joined})` : joined;
}

function wordChunks(line: string, { left, last }: { left: number; last: number }): string[] {
  const parts = line.match(/[^ \t\n\r\v\f]*[ \t\n\r\v\f]*/gu)?.filter((part) => part !== "") ?? [];
  const chunks: string[] = [];
  let current = "";
  for (const [index, part] of parts.entries()) {
    const room = width - left - (index === parts.length - 1 ? last : 0);
    const candidate = current + part;
    if (quote(candidate).length > room) {
      if (current !== "") chunks.push(quote(current));
      current = part;
    } else current = candidate;
  }
  if (current !== "") chunks.push(quote(current));
  return chunks;
}
