import { JinjaError, typeError, valueError } from "../errors.ts";
import { Namespace } from "../runtime/namespace.ts";
import type { Target } from "../syntax/syntax-tree.ts";
import { elementsOf } from "../values/iterate.ts";
import { typeNameOf, type Value } from "../values/value.ts";
import type { Frame } from "./frame.ts";
import { scopeAt, type Scope } from "./scope.ts";
import type { Place } from "./symbols.ts";
import { eachNameOfTarget } from "./walk.ts";

/** Gives a value to a target. */
export type Assign = (scope: Scope, value: Value) => void;

/** What gives a value to a target: to one name, to each of a tuple, or to attributes of namespaces. */
export function compileTarget(target: Target, frame: Frame): Assign {
  if (target.type === "target-tuple") return compileTuple(target.items.map((item) => compileTarget(item, frame)));
  const place = frame.symbols.find(target.name);
  if (!place) throw new JinjaError("RuntimeError", `the name ${target.name} was not seen`);
  const { hops, slot } = place;
  if (target.type === "namespace-attribute") {
    const { attribute } = target;
    return (scope, value) => namespaceAt(scope, hops, slot).set(attribute, value);
  }
  return (scope, value) => {
    const owner = scopeAt(scope, hops);
    if (owner) owner.slots[slot] = value;
  };
}

function namespaceAt(scope: Scope, hops: number, slot: number): Namespace {
  const value = scopeAt(scope, hops)?.slots[slot];
  if (value instanceof Namespace) return value;
  throw new JinjaError("TemplateRuntimeError", "cannot assign attribute on non-namespace object");
}

/** Fails, before the value is computed, where the target sets attributes of what is no namespace. */
export function compileTargetCheck(target: Target, frame: Frame): (scope: Scope) => void {
  const places: Place[] = [];
  eachNameOfTarget(target, (name, isStored) => {
    const place = isStored ? undefined : frame.symbols.find(name);
    if (place) places.push(place);
  });
  return (scope) => {
    for (const { hops, slot } of places) namespaceAt(scope, hops, slot);
  };
}

function compileTuple(parts: readonly Assign[]): Assign {
  return (scope, value) => {
    const elements = elementsOf(value);
    if (!elements) throw typeError(`cannot unpack non-iterable ${typeNameOf(value)} object`);
    const values: Value[] = [];
    for (const element of elements) {
      if (values.length === parts.length) throw valueError(`too many values to unpack (expected ${parts.length})`);
      values.push(element);
    }
    if (values.length < parts.length)
      throw valueError(`not enough values to unpack (expected ${parts.length}, got ${values.length})`);
    for (const [index, part] of parts.entries()) part(scope, values[index] ?? null);
  };
}
