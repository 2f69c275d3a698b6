import { Type, type TSchema } from "@sinclair/typebox";
import { isJsonObject } from "../core/json.ts";
import { TaskError, type TaskArgument } from "../core/task.ts";

/** What an incoming variable may be. `Value` is the type its task computes with. */
export interface ArgumentKind<Value> {
  schema: TSchema;
  /** For the refusal: "an array". */
  expected: string;
  accepts(value: unknown): boolean;
  isOptional?: boolean;
  /** True where `""` is a value of an optional argument and not "not given". */
  keepsEmptyText?: boolean;
  /** Never present; carries the type. */
  readonly value?: Value;
}

/** Incoming variables by name, in the order of the arguments. */
export type ArgumentKinds = Readonly<Record<string, ArgumentKind<unknown>>>;

/** Values of the arguments as the task's computation sees them. */
export type ArgumentValues<Kinds extends ArgumentKinds> = {
  [Name in keyof Kinds]: Kinds[Name] extends ArgumentKind<infer Value> ? Value : never;
};

function kind<Value>(expected: string, schema: TSchema, accepts: (value: unknown) => boolean): ArgumentKind<Value> {
  return { expected, schema, accepts };
}

export const anything = kind<unknown>("any value", Type.Unknown(), () => true);
export const text = kind<string>("text", Type.String(), (value) => typeof value === "string");
export const number = kind<number>("a number", Type.Number(), (value) => typeof value === "number");
export const boolean = kind<boolean>("true or false", Type.Boolean(), (value) => typeof value === "boolean");
export const list = kind<readonly unknown[]>("an array", Type.Array(Type.Unknown()), (value) => Array.isArray(value));
export const object = kind<Readonly<Record<string, unknown>>>(
  "an object",
  Type.Object({}, { additionalProperties: true }),
  isJsonObject,
);
export const radix = kind<number>(
  "a whole number from 2 to 36",
  Type.Integer({ minimum: 2, maximum: 36 }),
  (value) => Number.isInteger(value) && Number(value) >= 2 && Number(value) <= 36,
);
export const count = kind<number>(
  "a whole number from 0 on",
  Type.Integer({ minimum: 0 }),
  (value) => Number.isInteger(value) && Number(value) >= 0,
);
export const listOfTexts = kind<readonly string[]>("an array of texts", Type.Array(Type.String()), isListOf(isText));
export const textOrTexts = kind<string | readonly string[]>(
  "text or an array of texts",
  Type.Union([Type.String(), Type.Array(Type.String())]),
  (value) => isText(value) || isListOf(isText)(value),
);
/** Text, or a number or boolean that stands for its text. */
export const scalar = kind<string | number | boolean>(
  "text, a number or a boolean",
  Type.Union([Type.String(), Type.Number(), Type.Boolean()]),
  isScalar,
);
export const scalarOrScalars = kind<string | number | boolean | readonly (string | number | boolean)[]>(
  "text or an array of texts",
  Type.Union([scalar.schema, Type.Array(scalar.schema)]),
  (value) => isScalar(value) || isListOf(isScalar)(value),
);
const longestPath = 500;
export const path = kind<readonly (string | number)[]>(
  `an array of 1 to ${longestPath} keys`,
  Type.Array(Type.Union([Type.String(), Type.Number()]), { minItems: 1, maxItems: longestPath }),
  (value) => isListOf(isKey)(value) && (value as unknown[]).length > 0 && (value as unknown[]).length <= longestPath,
);

/** One of these texts. */
export function oneOf<Value extends string>(...values: readonly Value[]): ArgumentKind<Value> {
  const schema = Type.Union(values.map((value) => Type.Literal(value)));
  return kind(`one of ${values.join(", ")}`, schema, (value) => values.some((allowed) => allowed === value));
}

/** `""`, null and absent mean "not given" (tasks-and-transformations.md §1.1.1). */
export function optional<Value>(given: ArgumentKind<Value>): ArgumentKind<Value | undefined> {
  return { schema: given.schema, expected: given.expected, accepts: given.accepts, isOptional: true };
}

/** Only null and absent mean "not given"; `""` is a value. */
export function optionalEvenEmpty<Value>(given: ArgumentKind<Value>): ArgumentKind<Value | undefined> {
  return { ...optional(given), keepsEmptyText: true };
}

/** The arguments as the model of a task lists them. */
export function describeArguments(kinds: ArgumentKinds): TaskArgument[] {
  return Object.entries(kinds).map(([name, { schema, isOptional }]) => ({
    name,
    schema,
    ...(isOptional ? { isOptional } : {}),
  }));
}

/** Reads and checks the arguments of one call. A wrong type: TaskError that names the argument. */
export function readArgument(
  name: string,
  { accepts, expected, isOptional, keepsEmptyText }: ArgumentKind<unknown>,
  value: unknown,
): unknown {
  if (isOptional && (value === null || value === undefined || (value === "" && !keepsEmptyText))) return undefined;
  if (accepts(value)) return value ?? null;
  throw new TaskError(`Schema validation failed on ${name}: expected ${expected}, got ${nameType(value)}`);
}

function nameType(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return (
    { string: "text", number: "a number", boolean: "a boolean", object: "an object" }[typeof value as string] ??
    typeof value
  );
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isKey(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number";
}

function isScalar(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function isListOf(isElement: (value: unknown) => boolean): (value: unknown) => boolean {
  return (value) => Array.isArray(value) && value.every(isElement);
}
