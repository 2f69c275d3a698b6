/** What a template is once it is read. Every statement knows its line. */

export type Expression =
  | { type: "constant"; value: null | boolean | bigint | number | string }
  | NameExpression
  | { type: "tuple" | "list"; items: readonly Expression[] }
  | { type: "dict"; members: readonly (readonly [Expression, Expression])[] }
  | { type: "attribute"; owner: Expression; name: string }
  | { type: "item"; owner: Expression; key: Expression }
  | { type: "slice"; start?: Expression; stop?: Expression; step?: Expression }
  | CallExpression
  | FilterExpression
  | ({ type: "test"; value: Expression; name: string; line: number } & Arguments)
  | { type: "unary"; operator: "+" | "-" | "not"; value: Expression }
  | { type: "binary"; operator: BinaryOperator; left: Expression; right: Expression }
  | { type: "logic"; operator: "and" | "or"; left: Expression; right: Expression }
  | { type: "concat"; parts: readonly Expression[] }
  | { type: "compare"; first: Expression; rest: readonly Comparison[] }
  | { type: "condition"; test: Expression; then: Expression; otherwise?: Expression; line: number };

export type BinaryOperator = "+" | "-" | "*" | "/" | "//" | "%" | "**";

export interface NameExpression {
  type: "name";
  name: string;
  line: number;
}

export interface Comparison {
  operator: "==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "not in";
  value: Expression;
}

/** What stands between the parentheses of a call. */
export interface Arguments {
  args: readonly Expression[];
  keywords: readonly (readonly [string, Expression])[];
  moreArgs?: Expression;
  moreKeywords?: Expression;
}

export type CallExpression = { type: "call"; callee: Expression; line: number } & Arguments;

/** A filter; without value it works on the text of its block. */
export type FilterExpression = { type: "filter"; value?: Expression; name: string; line: number } & Arguments;

/** What is assigned to. `attribute` is one of a namespace. */
export type Target =
  | NameExpression
  | { type: "target-tuple"; items: readonly Target[] }
  | { type: "namespace-attribute"; name: string; attribute: string };

/** Parameters of a macro or caller. The defaults belong to the last ones. */
export interface Signature {
  parameters: readonly string[];
  defaults: readonly Expression[];
}

export interface Macro extends Signature {
  /** Undefined for the body of a call block. */
  name: string | undefined;
  body: readonly Statement[];
  line: number;
}

export interface For {
  type: "for";
  line: number;
  target: Target;
  iterable: Expression;
  test?: Expression;
  isRecursive: boolean;
  body: readonly Statement[];
  otherwise: readonly Statement[];
}

export interface If {
  type: "if";
  line: number;
  branches: readonly { line: number; test: Expression; body: readonly Statement[] }[];
  otherwise: readonly Statement[];
}

export interface Block {
  type: "block";
  line: number;
  name: string;
  isScoped: boolean;
  isRequired: boolean;
  body: readonly Statement[];
}

interface TemplateReference {
  line: number;
  template: Expression;
  withContext: boolean;
}

export type Include = TemplateReference & { type: "include"; ignoreMissing: boolean };
export type Import = TemplateReference & { type: "import"; target: string };
export type FromImport = TemplateReference & { type: "from-import"; names: readonly (readonly [string, string])[] };

/** A piece of an output: text as it stands, or an expression. */
export type OutputPart = string | Expression;

export type Statement =
  | { type: "output"; line: number; parts: readonly { line: number; part: OutputPart }[] }
  | For
  | If
  | Block
  | Include
  | Import
  | FromImport
  | { type: "macro"; line: number; macro: Macro }
  | { type: "call-block"; line: number; call: CallExpression; macro: Macro }
  | { type: "filter-block"; line: number; filter: FilterExpression; body: readonly Statement[] }
  | { type: "set"; line: number; target: Target; value: Expression }
  | { type: "set-block"; line: number; target: Target; filter?: FilterExpression; body: readonly Statement[] }
  | {
      type: "with";
      line: number;
      targets: readonly Target[];
      values: readonly Expression[];
      body: readonly Statement[];
    }
  | { type: "autoescape"; line: number; value: Expression; body: readonly Statement[] }
  | { type: "extends"; line: number; template: Expression };
