import { syntaxError } from "../errors.ts";
import { parseCallArguments, parsePrimary, parseSubscript } from "./parse-primary.ts";
import type { BinaryOperator, Comparison, Expression, FilterExpression } from "./syntax-tree.ts";
import type { TokenKind } from "./token.ts";
import type { TokenStream } from "./token-stream.ts";

/** An expression; without conditions, `if` ends it. */
export function parseExpression(stream: TokenStream, withCondition = true): Expression {
  return stream.inside(() => (withCondition ? parseCondition(stream) : parseOr(stream)));
}

function parseCondition(stream: TokenStream): Expression {
  let { line } = stream.current;
  let then = parseOr(stream);
  while (stream.skipName("if")) {
    const test = parseOr(stream);
    const otherwise = stream.skipName("else") ? stream.inside(() => parseCondition(stream)) : undefined;
    then = { type: "condition", test, then, line, ...(otherwise && { otherwise }) };
    ({ line } = stream.current);
  }
  return then;
}

function parseOr(stream: TokenStream): Expression {
  let left = parseAnd(stream);
  while (stream.skipName("or")) left = { type: "logic", operator: "or", left, right: parseAnd(stream) };
  return left;
}

function parseAnd(stream: TokenStream): Expression {
  let left = parseNot(stream);
  while (stream.skipName("and")) left = { type: "logic", operator: "and", left, right: parseNot(stream) };
  return left;
}

function parseNot(stream: TokenStream): Expression {
  if (!stream.skipName("not")) return parseCompare(stream);
  return { type: "unary", operator: "not", value: stream.inside(() => parseNot(stream)) };
}

const comparisons = new Set<TokenKind>(["==", "!=", "<", "<=", ">", ">="]);

function parseCompare(stream: TokenStream): Expression {
  const first = parseSum(stream);
  let operator = comparisonAt(stream);
  if (operator === undefined) return first;
  const rest: Comparison[] = [];
  for (; operator !== undefined; operator = comparisonAt(stream)) rest.push({ operator, value: parseSum(stream) });
  return { type: "compare", first, rest };
}

function comparisonAt(stream: TokenStream): Comparison["operator"] | undefined {
  if (comparisons.has(stream.current.kind)) return stream.next().kind as Comparison["operator"];
  if (stream.skipName("in")) return "in";
  if (!stream.isName("not") || stream.following.kind !== "name" || stream.following.text !== "in") return undefined;
  stream.next();
  stream.next();
  return "not in";
}

const [sums, products, powers] = [new Set(["+", "-"]), new Set(["*", "/", "//", "%"]), new Set(["**"])];

function parseSum(stream: TokenStream): Expression {
  return parseBinary(stream, sums, parseConcat);
}

function parseConcat(stream: TokenStream): Expression {
  const first = parseProduct(stream);
  if (!stream.is("~")) return first;
  const parts = [first];
  while (stream.skip("~")) parts.push(parseProduct(stream));
  return { type: "concat", parts };
}

function parseProduct(stream: TokenStream): Expression {
  return parseBinary(stream, products, parsePower);
}

function parsePower(stream: TokenStream): Expression {
  return parseBinary(stream, powers, parseOperand);
}

function parseOperand(stream: TokenStream): Expression {
  return parseUnary(stream, true);
}

function parseBinary(
  stream: TokenStream,
  operators: ReadonlySet<string>,
  parsePart: (stream: TokenStream) => Expression,
): Expression {
  let left = parsePart(stream);
  while (operators.has(stream.current.kind)) {
    const operator = stream.next().kind as BinaryOperator;
    left = { type: "binary", operator, left, right: parsePart(stream) };
  }
  return left;
}

function parseUnary(stream: TokenStream, withFilter: boolean): Expression {
  const { kind } = stream.current;
  let value: Expression;
  if (kind === "-" || kind === "+") {
    stream.next();
    value = { type: "unary", operator: kind, value: stream.inside(() => parseUnary(stream, false)) };
  } else value = parsePrimary(stream, parseExpression);
  value = parsePostfix(stream, value);
  return withFilter ? parseFilters(stream, value) : value;
}

/** Attributes, items and calls after a value. */
function parsePostfix(stream: TokenStream, start: Expression): Expression {
  let value = start;
  for (;;) {
    if (stream.is(".") || stream.is("[")) value = parseSubscript(stream, value, parseExpression);
    else if (stream.is("(")) value = parseCall(stream, value);
    else return value;
  }
}

function parseCall(stream: TokenStream, callee: Expression): Expression {
  const { line } = stream.current;
  return { type: "call", callee, line, ...parseCallArguments(stream, parseExpression) };
}

function parseFilters(stream: TokenStream, start: Expression): Expression {
  let value = start;
  for (;;) {
    if (stream.skip("|")) value = parseFilter(stream, value);
    else if (stream.isName("is")) value = parseTest(stream, value);
    else if (stream.is("(")) value = parseCall(stream, value);
    else return value;
  }
}

/** A filter's name and arguments, after the bar. */
export function parseFilter(stream: TokenStream, value: Expression | undefined): FilterExpression {
  const { line, name } = parseDottedName(stream);
  const given = stream.is("(") ? parseCallArguments(stream, parseExpression) : { args: [], keywords: [] };
  return { type: "filter", name, line, ...given, ...(value && { value }) };
}

function parseDottedName(stream: TokenStream): { name: string; line: number } {
  const { text, line } = stream.expect("name");
  let name = text;
  while (stream.skip(".")) name += `.${stream.expect("name").text}`;
  return { name, line };
}

const argumentKinds = new Set<TokenKind>(["name", "string", "integer", "float", "(", "[", "{"]);

function parseTest(stream: TokenStream, value: Expression): Expression {
  const { line } = stream.next();
  const isNegated = stream.skipName("not");
  const { name } = parseDottedName(stream);
  const test: Expression = { type: "test", value, name, line, ...parseTestArguments(stream) };
  return isNegated ? { type: "unary", operator: "not", value: test } : test;
}

function parseTestArguments(stream: TokenStream): Pick<FilterExpression, "args" | "keywords"> {
  if (stream.is("(")) return parseCallArguments(stream, parseExpression);
  if (!argumentKinds.has(stream.current.kind) || stream.isOneOf(["else", "or", "and"]))
    return { args: [], keywords: [] };
  if (stream.isName("is")) throw syntaxError("You cannot chain multiple tests with is", stream.current.line);
  return { args: [parsePostfix(stream, parsePrimary(stream, parseExpression))], keywords: [] };
}
