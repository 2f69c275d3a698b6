import { typeError } from "../errors.ts";
import { charactersOf, isText, type Keywords, type Value } from "../values/value.ts";
import type { Definition, Parameter, Run, Runtime } from "./runtime.ts";

/** A parameter that must be given. */
export function required(name: string): Parameter {
  return { name };
}

/** A parameter that must be given, in its place. */
export function positional(name: string): Parameter {
  return { name, isPositional: true };
}

/** A parameter that need not be given. */
export function optional(name: string, value: Value): Parameter {
  return { name, default: value };
}

/** A parameter that need not be given, and only in its place. */
export function optionalPositional(name: string, value: Value): Parameter {
  return { name, default: value, isPositional: true };
}

/** A filter, test, method or function with fixed parameters. */
export function define(name: string, parameters: readonly Parameter[], run: Run): Definition {
  return { name, parameters, run };
}

/** Definitions by their names. */
export function byName(definitions: readonly Definition[]): ReadonlyMap<string, Definition> {
  return new Map(definitions.map((definition) => [definition.name, definition]));
}

const noKeywords: Keywords = new Map();

/** Calls it with the arguments a template gives. TypeError when they are not those it takes. */
export function callDefinition(
  runtime: Runtime,
  definition: Definition,
  self: Value,
  { args, keywords = noKeywords }: { args: readonly Value[]; keywords?: Keywords },
): Value {
  const { parameters, takesMore = false, takesKeywords = false, run, name } = definition;
  runtime.budget.charge(1);
  if (isText(self)) runtime.budget.chargeScan(charactersOf(self).length);
  if (args.length === parameters.length && keywords.size === 0) return run(runtime, self, args, keywords);
  if (args.length > parameters.length && !takesMore)
    throw typeError(`${name}() takes at most ${parameters.length} arguments (${args.length} given)`);
  if (keywords.size === 0) return run(runtime, self, withStandards(definition, args), keywords);
  const { bound, rest } = withNamed(definition, args, keywords);
  const [unknown] = rest.keys();
  if (unknown !== undefined && !takesKeywords)
    throw typeError(`${name}() got an unexpected keyword argument '${unknown}'`);
  return run(runtime, self, bound, rest);
}

function withStandards({ name, parameters }: Definition, args: readonly Value[]): readonly Value[] {
  const bound = args.slice();
  for (const parameter of parameters.slice(args.length)) bound.push(standardOf(name, parameter));
  return bound;
}

function withNamed({ name, parameters }: Definition, args: readonly Value[], keywords: Keywords) {
  const [bound, rest] = [args.slice(), new Map(keywords)];
  for (const [index, parameter] of parameters.entries()) bindOne(name, { parameter, index, bound, rest });
  return { bound, rest };
}

function standardOf(name: string, parameter: Parameter): Value {
  if (parameter.default === undefined) throw typeError(`${name}() missing a required argument: '${parameter.name}'`);
  return parameter.default;
}

interface Binding {
  parameter: Parameter;
  index: number;
  bound: Value[];
  rest: Map<string, Value>;
}

function bindOne(name: string, { parameter, index, bound, rest }: Binding): void {
  const named = parameter.isPositional ? undefined : rest.get(parameter.name);
  if (index < bound.length) {
    if (named !== undefined) throw typeError(`${name}() got multiple values for argument '${parameter.name}'`);
    return;
  }
  bound.push(named === undefined ? standardOf(name, parameter) : named);
  if (!parameter.isPositional) rest.delete(parameter.name);
}
