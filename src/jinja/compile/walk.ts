import type { Arguments, Expression, Macro, Statement, Target } from "../syntax/syntax-tree.ts";

/** Is told of a name that is read, or given a value. */
export type NameVisitor = (name: string, isStored: boolean) => void;

/** Tells of the names that an expression reads. */
export function eachNameRead(expression: Expression | undefined, visit: NameVisitor): void {
  if (!expression) return;
  switch (expression.type) {
    case "name":
      return visit(expression.name, false);
    case "attribute":
      return eachNameRead(expression.owner, visit);
    case "item":
      return eachNameOfAll([expression.owner, expression.key], visit);
    case "call":
      eachNameRead(expression.callee, visit);
      return eachNameOfArguments(expression, visit);
    case "filter":
    case "test":
      eachNameRead(expression.value, visit);
      return eachNameOfArguments(expression, visit);
    case "tuple":
    case "list":
    case "dict":
    case "slice":
      return eachNameOfDisplay(expression, visit);
    default:
      return eachNameOfOperands(expression, visit);
  }
}

type Display = Extract<Expression, { type: "tuple" | "list" | "dict" | "slice" }>;

function eachNameOfDisplay(expression: Display, visit: NameVisitor): void {
  if (expression.type === "slice") return eachNameOfAll([expression.start, expression.stop, expression.step], visit);
  if (expression.type !== "dict") return eachNameOfAll(expression.items, visit);
  for (const member of expression.members) eachNameOfAll(member, visit);
}

type Constant = Extract<Expression, { type: "constant" }>;
type Operation = Extract<Expression, { type: "unary" | "binary" | "logic" | "concat" | "compare" | "condition" }>;

function eachNameOfOperands(expression: Operation | Constant, visit: NameVisitor): void {
  switch (expression.type) {
    case "constant":
      return;
    case "unary":
      return eachNameRead(expression.value, visit);
    case "binary":
    case "logic":
      eachNameRead(expression.left, visit);
      return eachNameRead(expression.right, visit);
    case "concat":
      return eachNameOfAll(expression.parts, visit);
    case "compare":
      eachNameRead(expression.first, visit);
      for (const { value } of expression.rest) eachNameRead(value, visit);
      return;
    case "condition":
      return eachNameOfAll([expression.test, expression.then, expression.otherwise], visit);
  }
}

function eachNameOfAll(expressions: readonly (Expression | undefined)[], visit: NameVisitor): void {
  for (const expression of expressions) eachNameRead(expression, visit);
}

function eachNameOfArguments({ args, keywords, moreArgs, moreKeywords }: Arguments, visit: NameVisitor): void {
  eachNameOfAll(args, visit);
  for (const [, value] of keywords) eachNameRead(value, visit);
  eachNameRead(moreArgs, visit);
  eachNameRead(moreKeywords, visit);
}

/** Tells of the names that a target gives values to; those of namespaces are read. */
export function eachNameOfTarget(target: Target, visit: NameVisitor): void {
  if (target.type === "target-tuple") for (const item of target.items) eachNameOfTarget(item, visit);
  else visit(target.name, target.type === "name");
}

/** The names that a target gives values to. */
export function namesStored(target: Target): readonly string[] {
  const names: string[] = [];
  eachNameOfTarget(target, (name, isStored) => isStored && names.push(name));
  return names;
}

/** All statements, those inside others too. */
export function* allStatements(statements: readonly Statement[]): Generator<Statement> {
  for (const statement of statements) {
    yield statement;
    for (const body of bodiesOf(statement)) yield* allStatements(body);
  }
}

function bodiesOf(statement: Statement): readonly (readonly Statement[])[] {
  switch (statement.type) {
    case "for":
      return [statement.body, statement.otherwise];
    case "if":
      return [...statement.branches.map(({ body }) => body), statement.otherwise];
    case "macro":
    case "call-block":
      return [statement.macro.body];
    case "block":
    case "filter-block":
    case "set-block":
    case "with":
    case "autoescape":
      return [statement.body];
    default:
      return [];
  }
}

/** Which of these names the statements read before they store them. Blocks are not looked into. */
export function namesNeeded(statements: readonly Statement[], wanted: readonly string[]): ReadonlySet<string> {
  const open = new Set(wanted);
  const needed = new Set<string>();
  eachName(statements, (name, isStored) => {
    if (!open.has(name)) return;
    if (isStored) open.delete(name);
    else needed.add(name);
  });
  return needed;
}

/** Tells of every name of statements in their order, without those of blocks. */
export function eachName(statements: readonly Statement[], visit: NameVisitor): void {
  for (const statement of statements) {
    switch (statement.type) {
      case "block":
        break;
      case "for":
      case "with":
      case "set-block":
        eachNameOfScoped(statement, visit);
        break;
      case "macro":
        eachNameOfMacro(statement.macro, visit);
        break;
      case "call-block":
        eachNameRead(statement.call, visit);
        eachNameOfMacro(statement.macro, visit);
        break;
      case "if":
        for (const { test, body } of statement.branches) {
          eachNameRead(test, visit);
          eachName(body, visit);
        }
        eachName(statement.otherwise, visit);
        break;
      default:
        eachNameOfSimple(statement, visit);
    }
  }
}

function eachNameOfMacro({ parameters, defaults, body }: Macro, visit: NameVisitor): void {
  for (const name of parameters) visit(name, true);
  eachNameOfAll(defaults, visit);
  eachName(body, visit);
}

type Scoped = Extract<Statement, { type: "for" | "with" | "set-block" }>;

function eachNameOfScoped(statement: Scoped, visit: NameVisitor): void {
  if (statement.type === "for") {
    eachNameOfTarget(statement.target, visit);
    eachNameRead(statement.iterable, visit);
    eachName(statement.body, visit);
    eachName(statement.otherwise, visit);
    return eachNameRead(statement.test, visit);
  }
  for (const target of statement.type === "with" ? statement.targets : [statement.target])
    eachNameOfTarget(target, visit);
  eachNameOfAll(statement.type === "with" ? statement.values : [statement.filter], visit);
  eachName(statement.body, visit);
}

type Simple = Exclude<Statement, Scoped | { type: "if" | "macro" | "call-block" | "block" }>;

function eachNameOfSimple(statement: Simple, visit: NameVisitor): void {
  if (statement.type === "output") {
    for (const { part } of statement.parts) if (typeof part !== "string") eachNameRead(part, visit);
  } else if (statement.type === "set") {
    eachNameOfTarget(statement.target, visit);
    eachNameRead(statement.value, visit);
  } else if (statement.type === "filter-block" || statement.type === "autoescape") {
    eachName(statement.body, visit);
    eachNameRead(statement.type === "filter-block" ? statement.filter : statement.value, visit);
  } else eachNameRead(statement.template, visit);
}
