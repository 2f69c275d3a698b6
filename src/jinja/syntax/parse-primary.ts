import { syntaxError } from "../errors.ts";
import type { Arguments, Expression } from "./syntax-tree.ts";
import { describeToken, type TokenKind } from "./token.ts";
import type { TokenStream } from "./token-stream.ts";

/** Reads a whole expression: what lies between brackets. */
export type ReadExpression = (stream: TokenStream, withCondition?: boolean) => Expression;

const constants: ReadonlyMap<string, null | boolean> = new Map([
  ["true", true],
  ["True", true],
  ["false", false],
  ["False", false],
  ["none", null],
  ["None", null],
]);

/** A name, literal or something in brackets. */
export function parsePrimary(stream: TokenStream, read: ReadExpression): Expression {
  const token = stream.current;
  switch (token.kind) {
    case "name": {
      stream.next();
      const constant = constants.get(token.text);
      if (constant !== undefined) return { type: "constant", value: constant };
      return { type: "name", name: token.text, line: token.line };
    }
    case "string":
      return parseStrings(stream);
    case "integer":
    case "float":
      stream.next();
      return { type: "constant", value: numberOf(token.kind, token.text.replaceAll("_", "")) };
    case "(": {
      stream.next();
      const value = parseTuple(stream, read, { isInParentheses: true });
      stream.expect(")");
      return value;
    }
    case "[":
      return parseList(stream, read);
    case "{":
      return parseDict(stream, read);
    default:
      throw syntaxError(`unexpected '${describeToken(token)}'`, token.line);
  }
}

function parseStrings(stream: TokenStream): Expression {
  let value = "";
  while (stream.is("string")) value += stream.next().text;
  return { type: "constant", value };
}

function numberOf(kind: "integer" | "float", text: string): bigint | number {
  return kind === "float" ? Number(text) : BigInt(text);
}

export interface TupleOptions {
  withCondition?: boolean;
  /** A name that ends the tuple, as `in` does. */
  endName?: string;
  isInParentheses?: boolean;
}

/** One expression, or several with commas between them: a tuple. */
export function parseTuple(stream: TokenStream, read: ReadExpression, options: TupleOptions = {}): Expression {
  const { withCondition = true, isInParentheses = false } = options;
  const items: Expression[] = [];
  let isTuple = false;
  for (;;) {
    if (items.length > 0) stream.expect(",");
    if (isTupleEnd(stream, options.endName)) break;
    items.push(read(stream, withCondition));
    if (!stream.is(",")) break;
    isTuple = true;
  }
  const [first] = items;
  if (!isTuple && first) return first;
  if (!isTuple && !isInParentheses)
    throw syntaxError(`Expected an expression, got '${describeToken(stream.current)}'`, stream.current.line);
  return { type: "tuple", items };
}

const tupleEnds = new Set<TokenKind>(["variable_end", "block_end", ")"]);

/** Does the tuple end here? */
export function isTupleEnd(stream: TokenStream, endName: string | undefined): boolean {
  return tupleEnds.has(stream.current.kind) || (endName !== undefined && stream.isName(endName));
}

function parseList(stream: TokenStream, read: ReadExpression): Expression {
  stream.expect("[");
  const items: Expression[] = [];
  while (!stream.is("]")) {
    if (items.length > 0) stream.expect(",");
    if (stream.is("]")) break;
    items.push(read(stream));
  }
  stream.expect("]");
  return { type: "list", items };
}

function parseDict(stream: TokenStream, read: ReadExpression): Expression {
  stream.expect("{");
  const members: [Expression, Expression][] = [];
  while (!stream.is("}")) {
    if (members.length > 0) stream.expect(",");
    if (stream.is("}")) break;
    const key = read(stream);
    stream.expect(":");
    members.push([key, read(stream)]);
  }
  stream.expect("}");
  return { type: "dict", members };
}

/** `.name`, `.0` or `[…]` after a value. */
export function parseSubscript(stream: TokenStream, owner: Expression, read: ReadExpression): Expression {
  if (stream.next().kind === ".") {
    const token = stream.next();
    if (token.kind === "name") return { type: "attribute", owner, name: token.text };
    if (token.kind !== "integer") throw syntaxError("expected name or number", token.line);
    return { type: "item", owner, key: { type: "constant", value: BigInt(token.text.replaceAll("_", "")) } };
  }
  const keys: Expression[] = [];
  while (!stream.is("]")) {
    if (keys.length > 0) stream.expect(",");
    keys.push(parseKey(stream, read));
  }
  stream.expect("]");
  const [only] = keys;
  return { type: "item", owner, key: keys.length === 1 && only ? only : { type: "tuple", items: keys } };
}

function parseKey(stream: TokenStream, read: ReadExpression): Expression {
  const start = stream.is(":") ? undefined : read(stream);
  if (!stream.skip(":")) return start ?? read(stream);
  const stop = isSlicePartEnd(stream) ? undefined : read(stream);
  const step = stream.skip(":") && !isSlicePartEnd(stream) ? read(stream) : undefined;
  return { type: "slice", ...(start && { start }), ...(stop && { stop }), ...(step && { step }) };
}

function isSlicePartEnd(stream: TokenStream): boolean {
  return stream.is(":") || stream.is("]") || stream.is(",");
}

/** The arguments of a call, with their parentheses. */
export function parseCallArguments(stream: TokenStream, read: ReadExpression): Arguments {
  const { line } = stream.expect("(");
  const given: { -readonly [K in keyof Arguments]: Arguments[K] } = { args: [], keywords: [] };
  const args: Expression[] = [];
  const keywords = new Map<string, Expression>();
  const require = (isValid: boolean): void => {
    if (!isValid) throw syntaxError("invalid syntax for function call expression", line);
  };
  for (let isFirst = true; !stream.is(")"); isFirst = false) {
    if (!isFirst) {
      stream.expect(",");
      if (stream.is(")")) break;
    }
    if (stream.skip("*")) {
      require(!given.moreArgs && !given.moreKeywords);
      given.moreArgs = read(stream);
    } else if (stream.skip("**")) {
      require(!given.moreKeywords);
      given.moreKeywords = read(stream);
    } else if (stream.is("name") && stream.following.kind === "=") {
      require(!given.moreKeywords);
      parseKeyword(stream, keywords, read);
    } else {
      require(!given.moreArgs && !given.moreKeywords && keywords.size === 0);
      args.push(read(stream));
    }
  }
  stream.expect(")");
  return { ...given, args, keywords: [...keywords] };
}

function parseKeyword(stream: TokenStream, keywords: Map<string, Expression>, read: ReadExpression): void {
  const { text, line } = stream.next();
  stream.next();
  if (keywords.has(text)) throw syntaxError(`keyword argument repeated: ${text}`, line);
  keywords.set(text, read(stream));
}
