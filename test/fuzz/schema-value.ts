import { hostileValue } from "./hostile-values.ts";
import type { KnownValues } from "./known-values.ts";
import type { Random } from "./random.ts";

/** A JSON schema as TypeBox writes it. */
export type Schema = Readonly<Record<string, unknown>>;

export interface Wishes {
  random: Random;
  known: KnownValues;
  /** How likely a known value is taken where there is one. */
  knownChance: number;
}

const words = ["alpha", "beta", "Gamma 3", "x", "0123456789abcdef01234567", "a-b_c.d", "Ä", "success"];

/** A value that the schema accepts, as far as a small generator can tell. `name` is the member it is for. */
export function valueOf(schema: Schema, wishes: Wishes, name = "", depth = 0): unknown {
  const { random, known, knownChance } = wishes;
  if ("const" in schema) return schema["const"];
  const choices = schema["anyOf"] ?? schema["oneOf"] ?? schema["enum"];
  if (Array.isArray(choices)) {
    const chosen: unknown = random.pick(choices);
    return schema["enum"] ? chosen : valueOf(chosen as Schema, wishes, name, depth);
  }
  if (Array.isArray(schema["allOf"])) return mergedValue(schema["allOf"] as Schema[], wishes, depth);
  const existing = schema["type"] === "string" ? known.find(name) : [];
  if (existing.length > 0 && random.chance(knownChance)) return random.pick(existing);
  return typedValue(schema, wishes, name, depth);
}

function typedValue(schema: Schema, wishes: Wishes, name: string, depth: number): unknown {
  const { random } = wishes;
  switch (schema["type"]) {
    case "string":
      return textOf(schema, wishes, name);
    case "integer":
    case "number":
      return numberOf(schema, random);
    case "boolean":
      return random.chance(0.5);
    case "null":
      return null;
    case "array":
      return listOf(schema, wishes, name, depth);
    case "object":
      return objectOf(schema, wishes, depth);
    default:
      return hostileValue(random);
  }
}

function mergedValue(schemas: readonly Schema[], wishes: Wishes, depth: number): unknown {
  return Object.assign({}, ...schemas.map((schema) => valueOf(schema, wishes, "", depth)));
}

function textOf(schema: Schema, { random }: Wishes, name: string): string {
  const {
    minLength = 0,
    maxLength = 1_000,
    pattern,
  } = schema as { minLength?: number; maxLength?: number; pattern?: string };
  const fits = (text: string) =>
    text.length >= minLength &&
    text.length <= maxLength &&
    (pattern === undefined || new RegExp(pattern, "u").test(text));
  const own = `${name} ${random.below(1_000)}`;
  const fitting = [own, own.replaceAll(" ", "-"), ...words, "x".repeat(minLength)].filter(fits);
  return fitting.length > 0 ? random.pick(fitting) : own;
}

function numberOf(schema: Schema, random: Random): number {
  const { minimum = -5, maximum = minimum + 10_000 } = schema as { minimum?: number; maximum?: number };
  const number = random.pick([minimum, maximum, minimum + random.next() * (maximum - minimum)]);
  return schema["type"] === "integer" ? Math.round(number) : number;
}

function listOf(schema: Schema, wishes: Wishes, name: string, depth: number): unknown[] {
  const { minItems = 0, items = {} } = schema as { minItems?: number; items?: Schema };
  const length = depth > 6 ? minItems : minItems + wishes.random.below(3);
  return Array.from({ length }, () => valueOf(items, wishes, name.replace(/s$/u, ""), depth + 1));
}

function objectOf(schema: Schema, wishes: Wishes, depth: number): Record<string, unknown> {
  const {
    properties = {},
    required = [],
    patternProperties,
  } = schema as {
    properties?: Record<string, Schema>;
    required?: string[];
    patternProperties?: Record<string, Schema>;
  };
  const object: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(properties)) {
    const isWanted = required.includes(name) || wishes.random.chance(depth > 4 ? 0.1 : 0.5);
    if (isWanted) object[name] = valueOf(member, wishes, name, depth + 1);
  }
  const [free] = Object.values(patternProperties ?? {});
  for (let extra = free && depth < 6 ? wishes.random.below(3) : 0; extra > 0; extra--)
    object[wishes.random.pick(words)] = valueOf(free as Schema, wishes, "", depth + 1);
  return object;
}
