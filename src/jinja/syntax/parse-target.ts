import { JinjaError, syntaxError } from "../errors.ts";
import { isTupleEnd, parsePrimary, type ReadExpression } from "./parse-primary.ts";
import type { Expression, NameExpression, Signature, Target } from "./syntax-tree.ts";
import type { TokenStream } from "./token-stream.ts";

const notAssignable = new Set(["true", "false", "none", "True", "False", "None"]);

/** Names to which a value is given: one, or a tuple of them; with namespaces also `ns.name`. */
export function parseTarget(
  stream: TokenStream,
  read: ReadExpression,
  { endName, withNamespace = false }: { endName?: string; withNamespace?: boolean } = {},
): Target {
  const { line } = stream.current;
  const items: Target[] = [];
  let isTuple = false;
  for (;;) {
    if (items.length > 0) stream.expect(",");
    if (isTupleEnd(stream, endName)) break;
    items.push(parsePart(stream, read, withNamespace));
    if (!stream.is(",")) break;
    isTuple = true;
  }
  const [first] = items;
  if (!isTuple && first) return first;
  if (!isTuple)
    throw syntaxError(`Expected an expression, got '${stream.current.text || "end of statement block"}'`, line);
  return { type: "target-tuple", items };
}

function parsePart(stream: TokenStream, read: ReadExpression, withNamespace: boolean): Target {
  const token = stream.current;
  if (token.kind === "name" && !notAssignable.has(token.text)) {
    stream.next();
    if (!withNamespace || !stream.skip(".")) return { type: "name", name: token.text, line: token.line };
    return { type: "namespace-attribute", name: token.text, attribute: stream.expect("name").text };
  }
  return toTarget(parsePrimary(stream, read), token.line);
}

/** What was read as an expression in parentheses, as a target. */
function toTarget(expression: Expression, line: number): Target {
  if (expression.type === "name") return expression;
  if (expression.type === "tuple")
    return { type: "target-tuple", items: expression.items.map((item) => toTarget(item, line)) };
  const shown = expression.type === "constant" ? "const" : expression.type;
  throw syntaxError(`can't assign to '${shown}'`, line);
}

/** One name, as macros and imports have it. */
export function parseTargetName(stream: TokenStream): NameExpression {
  const { text, line } = stream.expect("name");
  if (notAssignable.has(text)) throw syntaxError("can't assign to 'name'", line);
  return { type: "name", name: text, line };
}

/** Parameters with their defaults, in parentheses. */
export function parseSignature(stream: TokenStream, read: ReadExpression): Signature {
  stream.expect("(");
  const parameters: string[] = [];
  const defaults: Expression[] = [];
  while (!stream.is(")")) {
    if (parameters.length > 0) stream.expect(",");
    const { name, line } = parseTargetName(stream);
    if (parameters.includes(name))
      throw new JinjaError("TemplateSyntaxError", `duplicate argument '${name}' in macro definition`, line);
    if (stream.skip("=")) defaults.push(read(stream));
    else if (defaults.length > 0)
      throw syntaxError("non-default argument follows default argument", stream.current.line);
    parameters.push(name);
  }
  stream.expect(")");
  return { parameters, defaults };
}
