import { JinjaError, syntaxError } from "../errors.ts";
import { parseExpression, parseFilter } from "./parse-expression.ts";
import { parseTuple } from "./parse-primary.ts";
import { parseSignature, parseTarget, parseTargetName } from "./parse-target.ts";
import type { Expression, FilterExpression, If, OutputPart, Statement, Target } from "./syntax-tree.ts";
import type { TokenStream } from "./token-stream.ts";

/** What reading a statement may ask for: its tokens, and the statements inside it. */
export interface StatementContext {
  stream: TokenStream;
  /** The statements up to one of these tags, from the end of the opening tag on; the tag's name is next. */
  bodyUntil(...tags: readonly string[]): readonly Statement[];
  /** The same, and the tag is passed over. */
  bodyThrough(tag: string): readonly Statement[];
}

type ReadStatement = (context: StatementContext, line: number) => Statement;

/** How the statements are read that follow their tag's name. */
export const statementReaders: ReadonlyMap<string, ReadStatement> = new Map<string, ReadStatement>([
  ["for", readFor],
  ["if", readIf],
  ["block", readBlock],
  ["extends", ({ stream }, line) => ({ type: "extends", line, template: parseExpression(stream) })],
  ["print", readPrint],
  ["macro", readMacro],
  ["include", readInclude],
  ["from", readFromImport],
  ["import", readImport],
  ["set", readSet],
  ["with", readWith],
  ["autoescape", readAutoescape],
  ["call", readCallBlock],
  ["filter", readFilterBlock],
]);

function readFor(context: StatementContext, line: number): Statement {
  const { stream } = context;
  const target = parseTarget(stream, parseExpression, { endName: "in" });
  stream.expectName("in");
  const iterable = parseTuple(stream, parseExpression, { withCondition: false, endName: "recursive" });
  const test = stream.skipName("if") ? parseExpression(stream) : undefined;
  const isRecursive = stream.skipName("recursive");
  const body = context.bodyUntil("endfor", "else");
  const otherwise = stream.next().text === "else" ? context.bodyThrough("endfor") : [];
  return { type: "for", line, target, iterable, isRecursive, body, otherwise, ...(test && { test }) };
}

function readIf(context: StatementContext, line: number): Statement {
  const { stream } = context;
  const branches: If["branches"][number][] = [];
  let branchLine = line;
  for (;;) {
    const test = parseTuple(stream, parseExpression, { withCondition: false });
    branches.push({ line: branchLine, test, body: context.bodyUntil("elif", "else", "endif") });
    const { text } = stream.next();
    branchLine = stream.current.line;
    if (text === "elif") continue;
    return { type: "if", line, branches, otherwise: text === "else" ? context.bodyThrough("endif") : [] };
  }
}

function readBlock(context: StatementContext, line: number): Statement {
  const { stream } = context;
  const name = stream.expect("name").text;
  const isScoped = stream.skipName("scoped");
  const isRequired = stream.skipName("required");
  if (stream.is("-"))
    throw syntaxError(
      "Block names in Jinja have to be valid Python identifiers and may not contain hyphens, use an underscore instead.",
      stream.current.line,
    );
  const body = context.bodyThrough("endblock");
  if (isRequired && !body.every(isBlank))
    throw syntaxError("Required blocks can only contain comments or whitespace", stream.current.line);
  stream.skipName(name);
  return { type: "block", line, name, isScoped, isRequired, body };
}

function isBlank(statement: Statement): boolean {
  return (
    statement.type === "output" && statement.parts.every(({ part }) => typeof part === "string" && part.trim() === "")
  );
}

function readPrint({ stream }: StatementContext, line: number): Statement {
  const parts: { line: number; part: OutputPart }[] = [];
  while (!stream.is("block_end")) {
    if (parts.length > 0) stream.expect(",");
    parts.push({ line: stream.current.line, part: parseExpression(stream) });
  }
  return { type: "output", line, parts };
}

function readMacro(context: StatementContext, line: number): Statement {
  const { name } = parseTargetName(context.stream);
  const signature = parseSignature(context.stream, parseExpression);
  return { type: "macro", line, macro: { name, ...signature, body: context.bodyThrough("endmacro"), line } };
}

function readCallBlock(context: StatementContext, line: number): Statement {
  const { stream } = context;
  const signature = stream.is("(") ? parseSignature(stream, parseExpression) : { parameters: [], defaults: [] };
  const call = parseExpression(stream);
  if (call.type !== "call") throw syntaxError("expected call", line);
  return {
    type: "call-block",
    line,
    call,
    macro: { name: undefined, ...signature, body: context.bodyThrough("endcall"), line },
  };
}

function readFilterBlock(context: StatementContext, line: number): Statement {
  const filter = parseFilterChain(context.stream, parseFilter(context.stream, undefined));
  return { type: "filter-block", line, filter, body: context.bodyThrough("endfilter") };
}

/** Further filters after the first one. */
function parseFilterChain(stream: TokenStream, first: FilterExpression): FilterExpression {
  let filter = first;
  while (stream.skip("|")) filter = parseFilter(stream, filter);
  return filter;
}

function readSet(context: StatementContext, line: number): Statement {
  const { stream } = context;
  const target = parseTarget(stream, parseExpression, { withNamespace: true });
  if (stream.skip("=")) return { type: "set", line, target, value: parseTuple(stream, parseExpression) };
  const filter = stream.skip("|") ? parseFilterChain(stream, parseFilter(stream, undefined)) : undefined;
  return { type: "set-block", line, target, body: context.bodyThrough("endset"), ...(filter && { filter }) };
}

function readWith(context: StatementContext, line: number): Statement {
  const { stream } = context;
  const targets: Target[] = [];
  const values: Expression[] = [];
  while (!stream.is("block_end")) {
    if (targets.length > 0) stream.expect(",");
    targets.push(parseTarget(stream, parseExpression));
    stream.expect("=");
    values.push(parseExpression(stream));
  }
  return { type: "with", line, targets, values, body: context.bodyThrough("endwith") };
}

function readAutoescape(context: StatementContext, line: number): Statement {
  const value = parseExpression(context.stream);
  return { type: "autoescape", line, value, body: context.bodyThrough("endautoescape") };
}

function readInclude({ stream }: StatementContext, line: number): Statement {
  const template = parseExpression(stream);
  const ignoreMissing = stream.isName("ignore") && stream.following.text === "missing";
  if (ignoreMissing) {
    stream.next();
    stream.next();
  }
  return { type: "include", line, template, ignoreMissing, withContext: readContext(stream) ?? true };
}

function readImport({ stream }: StatementContext, line: number): Statement {
  const template = parseExpression(stream);
  stream.expectName("as");
  const { name: target } = parseTargetName(stream);
  return { type: "import", line, template, target, withContext: readContext(stream) ?? false };
}

/** `with context` or `without context`; undefined where neither is said. */
function readContext(stream: TokenStream): boolean | undefined {
  if (!stream.isOneOf(["with", "without"]) || stream.following.text !== "context") return undefined;
  const withContext = stream.next().text === "with";
  stream.next();
  return withContext;
}

function readFromImport({ stream }: StatementContext, line: number): Statement {
  const template = parseExpression(stream);
  stream.expectName("import");
  const names: [string, string][] = [];
  let withContext: boolean | undefined;
  for (;;) {
    if (names.length > 0) stream.expect(",");
    if (!stream.is("name")) stream.expect("name");
    withContext = readContext(stream);
    if (withContext !== undefined) break;
    names.push(readImportedName(stream));
    withContext = readContext(stream);
    if (withContext !== undefined || !stream.is(",")) break;
  }
  return { type: "from-import", line, template, names, withContext: withContext ?? false };
}

function readImportedName(stream: TokenStream): [string, string] {
  const { name, line } = parseTargetName(stream);
  if (name.startsWith("_"))
    throw new JinjaError("TemplateAssertionError", "names starting with an underline can not be imported", line);
  return [name, stream.skipName("as") ? parseTargetName(stream).name : name];
}
