import type { Expression, Statement, Target } from "../syntax/syntax-tree.ts";
import type { Symbols } from "./symbols.ts";
import { eachNameOfTarget, eachNameRead } from "./walk.ts";

/** Makes known what statements of one scope read and store. Scopes inside them look for themselves. */
export function analyse(symbols: Symbols, statements: readonly Statement[]): void {
  for (const statement of statements) analyseStatement(symbols, statement);
}

/** Makes known what an expression reads. */
export function analyseExpression(symbols: Symbols, ...expressions: readonly (Expression | undefined)[]): void {
  for (const expression of expressions) eachNameRead(expression, (name) => symbols.load(name));
}

/** Makes known what is assigned to: as names of the scope, or as those that come from outside. */
export function analyseTarget(symbols: Symbols, target: Target, isParameter = false): void {
  eachNameOfTarget(target, (name, isStored) => {
    if (!isStored) symbols.load(name);
    else if (isParameter) symbols.declare(name);
    else symbols.store(name);
  });
}

function analyseStatement(symbols: Symbols, statement: Statement): void {
  switch (statement.type) {
    case "output":
      for (const { part } of statement.parts) if (typeof part !== "string") analyseExpression(symbols, part);
      return undefined;
    case "if":
      return analyseIf(symbols, statement.branches, statement.otherwise);
    case "for":
      return analyseExpression(symbols, statement.iterable);
    case "call-block":
      return analyseExpression(symbols, statement.call);
    case "filter-block":
      return analyseExpression(symbols, statement.filter);
    case "with":
      return analyseExpression(symbols, ...statement.values);
    case "macro":
      return symbols.store(statement.macro.name ?? "");
    case "block":
      return undefined;
    default:
      return analyseOther(symbols, statement);
  }
}

type Other = Extract<
  Statement,
  { type: "autoescape" | "set" | "set-block" | "include" | "import" | "from-import" | "extends" }
>;

function analyseOther(symbols: Symbols, statement: Other): void {
  if (statement.type === "autoescape") return analyseExpression(symbols, statement.value);
  if (statement.type === "set" || statement.type === "set-block") return analyseSet(symbols, statement);
  return analyseImport(symbols, statement);
}

function analyseSet(symbols: Symbols, statement: Extract<Statement, { type: "set" | "set-block" }>): void {
  analyseExpression(symbols, statement.type === "set" ? statement.value : statement.filter);
  analyseTarget(symbols, statement.target);
}

function analyseImport(
  symbols: Symbols,
  statement: Extract<Statement, { type: "include" | "import" | "from-import" | "extends" }>,
): void {
  analyseExpression(symbols, statement.template);
  if (statement.type === "import") symbols.store(statement.target);
  if (statement.type === "from-import") for (const [, alias] of statement.names) symbols.store(alias);
}

type If = Extract<Statement, { type: "if" }>;

function analyseIf(symbols: Symbols, [first, ...others]: If["branches"], otherwise: readonly Statement[]): void {
  analyseExpression(symbols, first?.test);
  const branches = [branchOf(symbols, (body) => analyse(body, first?.body ?? []))];
  if (others.length > 0)
    branches.push(
      branchOf(symbols, (elifs) => {
        for (const branch of others) analyseIf(elifs, [branch], []);
      }),
    );
  if (otherwise.length > 0) branches.push(branchOf(symbols, (rest) => analyse(rest, otherwise)));
  symbols.join(branches);
}

function branchOf(symbols: Symbols, analyseBranch: (branch: Symbols) => void): Symbols {
  const branch = symbols.branch();
  analyseBranch(branch);
  return branch;
}
