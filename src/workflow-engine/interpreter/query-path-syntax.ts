import { TaskError } from "../../core/task.ts";
import { splitBracket, skipBracket } from "./query-path-bracket.ts";
import { readConditions, type Condition } from "./query-path-condition.ts";
import type { PatternAllowance } from "./regular-expression.ts";

/** A key written out, or the query in braces that yields it. */
export type KeySource = string | { query: ParsedQuery };

/** One step of a query; each works on what the step before has found. */
export type QueryStep =
  | { step: "member"; key: KeySource }
  | { step: "pluck"; key: string }
  | { step: "values"; isDeep: boolean }
  | { step: "filter"; isMultiple: boolean; anyOf: readonly (readonly Condition[])[] }
  | { step: "helper"; name: HelperName; keys: readonly string[] }
  | { step: "search"; rest: readonly QueryStep[] };

/** Alternatives in their order; the first that finds something is the answer. */
export type ParsedQuery = readonly (readonly QueryStep[])[];

const helperNames = ["get", "select"] as const;
type HelperName = (typeof helperNames)[number];

const longestQuery = 4000;
const deepestQuery = 8;

/** Reads a query into its steps. Malformed: TaskError that names the position, counted from 0. */
export function parseQuery(text: string, allowance: PatternAllowance = "each", depth = 0): ParsedQuery {
  if (text.length > longestQuery) throw new TaskError(`Invalid query: longer than ${longestQuery} characters`);
  if (depth > deepestQuery) throw new TaskError(`Invalid query: queries in braces nested deeper than ${deepestQuery}`);
  const reader = new QueryReader(text, allowance, depth);
  const alternatives = [reader.readSteps()];
  while (reader.take("|")) alternatives.push(reader.readSteps());
  return alternatives;
}

class QueryReader {
  readonly #text: string;
  readonly #allowance: PatternAllowance;
  readonly #depth: number;
  #at = 0;

  constructor(text: string, allowance: PatternAllowance, depth: number) {
    this.#text = text;
    this.#allowance = allowance;
    this.#depth = depth;
  }

  take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  /** Steps up to the next `|` or the end. Empty places between dots mean nothing: `.a`, `a.[0]`. */
  readSteps(): QueryStep[] {
    const steps: QueryStep[] = [];
    while (this.#at < this.#text.length && this.#text[this.#at] !== "|") {
      if (this.take(".")) continue;
      const step = this.#readStep();
      if (step) steps.push(step);
    }
    return steps;
  }

  #readStep(): QueryStep | undefined {
    const character = this.#text[this.#at];
    if (character === "[") return this.#readBracket();
    if (character === "]") this.#fail(`"]" without "["`, this.#at);
    return this.#readHelper() ?? this.#readKey();
  }

  #readKey(): QueryStep | undefined {
    const start = this.#at++;
    while (this.#at < this.#text.length && !this.#isKeyEnd()) this.#at++;
    const key = this.#text.slice(start, this.#at).trim();
    return key === "" ? undefined : { step: "member", key };
  }

  #isKeyEnd(): boolean {
    return ".[]|".includes(this.#text[this.#at] ?? "") || this.#helperAt() !== undefined;
  }

  /** `:name(` begins a helper; any other colon belongs to the key, as in `soap:Body`. */
  #helperAt(): RegExpExecArray | undefined {
    if (this.#text[this.#at] !== ":") return undefined;
    return /^:\s*(\w+)\s*\(/u.exec(this.#text.slice(this.#at, this.#at + 40)) ?? undefined;
  }

  #readHelper(): QueryStep | undefined {
    const head = this.#helperAt();
    if (!head) return undefined;
    const name = helperNames.find((known) => known === head[1]);
    if (!name) this.#fail(`unknown helper "${head[1]}"`, this.#at);
    const open = this.#at + head[0].length;
    const close = closingParenthesis(this.#text, open);
    if (close < 0) this.#fail(`missing ")" for the "("`, open - 1);
    this.#at = close + 1;
    const content = this.#text.slice(open, close);
    const keys = name === "get" ? [content] : content.split(",");
    return { step: "helper", name, keys: keys.map((key) => unquote(key.trim())) };
  }

  #readBracket(): QueryStep {
    const open = this.#at;
    const close = skipBracket(this.#text, open);
    if (close < 0) this.#fail(`missing "]" for the "["`, open);
    this.#at = close + 1;
    const content = this.#text.slice(open + 1, close).trim();
    if (content === "") return { step: "search", rest: this.readSteps() };
    if (content === "*" || content === "**") return { step: "values", isDeep: content === "**" };
    return this.#readSelection(content, open);
  }

  #readSelection(content: string, open: number): QueryStep {
    const isMultiple = content.startsWith("*");
    const selection = isMultiple ? content.slice(1).trim() : content;
    const inner = this.#innerQuery(selection);
    if (inner && !isMultiple) return { step: "member", key: { query: inner } };
    const anyOf = isQuoted(selection) ? undefined : this.#conditions(selection, open);
    if (anyOf) return { step: "filter", isMultiple, anyOf };
    const key = unquote(selection);
    return isMultiple ? { step: "pluck", key } : { step: "member", key };
  }

  #conditions(selection: string, open: number): Condition[][] | undefined {
    try {
      return readConditions(splitBracket(selection), {
        inner: (text) => this.#innerQuery(text),
        allowance: this.#allowance,
      });
    } catch (thrown) {
      return this.#fail(thrown instanceof Error ? thrown.message : String(thrown), open);
    }
  }

  /** `{page.id}`: a query on the whole value, whose result stands in the place of the braces. */
  #innerQuery(text: string): ParsedQuery | undefined {
    if (!text.startsWith("{") || !text.endsWith("}")) return undefined;
    return parseQuery(text.slice(1, -1), this.#allowance, this.#depth + 1);
  }

  #fail(problem: string, position: number): never {
    throw new TaskError(`Invalid query "${this.#text.slice(0, 200)}": ${problem} at position ${position}`);
  }
}

/** Index of the `)` that closes an argument list which begins at `start`; −1 when there is none. */
function closingParenthesis(text: string, start: number): number {
  let depth = 1;
  for (let at = start; at < text.length; at++) {
    if (text[at] === "(") depth++;
    else if (text[at] === ")" && --depth === 0) return at;
  }
  return -1;
}

/** `["a=b"]`: quotes make a key of what would read as a condition. */
function isQuoted(text: string): boolean {
  return /^(?:"[^"]*"|'[^']*')$/u.test(text);
}

function unquote(text: string): string {
  return isQuoted(text) ? text.slice(1, -1) : text;
}
