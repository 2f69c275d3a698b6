import { callDefinition, byName } from "../runtime/define.ts";
import type { Definition, Runtime } from "../runtime/runtime.ts";
import { Dict } from "../values/dict.ts";
import { Undefined } from "../values/undefined.ts";
import {
  Callable,
  Markup,
  PythonObject,
  Range,
  Tuple,
  isNumber,
  isText,
  typeNameOf,
  type Keywords,
  type Value,
} from "../values/value.ts";
import { dictMethods } from "./dict-methods.ts";
import { listMethods, sequenceMethods } from "./list-methods.ts";
import { markupMethods } from "./markup-methods.ts";
import { floatMethods, integerMethods, numberAttribute } from "./number-attributes.ts";
import { rangeMethods } from "./range-methods.ts";
import { textQuestionMethods } from "./text-questions.ts";
import { textSearchMethods } from "./text-search.ts";
import { textShapeMethods } from "./text-shape.ts";

const textTable = byName([...textSearchMethods, ...textShapeMethods, ...textQuestionMethods]);
const markupTable = byName([...textTable.values(), ...markupMethods]);
const listTable = byName([...sequenceMethods, ...listMethods]);
const tupleTable = byName(sequenceMethods);
const dictTable = byName(dictMethods);
const integerTable = byName(integerMethods);
const floatTable = byName(floatMethods);
const rangeTable = byName(rangeMethods);

/** A method together with the value it belongs to. */
class BoundMethod extends Callable {
  readonly typeName = "builtin_function_or_method";
  readonly #runtime: Runtime;
  readonly #definition: Definition;
  readonly #self: Value;

  constructor(runtime: Runtime, definition: Definition, self: Value) {
    super();
    this.#runtime = runtime;
    this.#definition = definition;
    this.#self = self;
  }

  call(args: readonly Value[], keywords: Keywords): Value {
    return callDefinition(this.#runtime, this.#definition, this.#self, { args, keywords });
  }

  override repr(): string {
    return `<built-in method ${this.#definition.name} of ${typeNameOf(this.#self)} object>`;
  }
}

/** Python's `getattr`: what is in these tables, and what our own objects tell. Nothing of JavaScript is reached. */
export function attributeOf(runtime: Runtime, owner: Value, name: string): Value | undefined {
  const method = tableOf(owner)?.get(name);
  if (method) return new BoundMethod(runtime, method, owner);
  if (owner instanceof Dict) return undefined;
  if (isNumber(owner)) return numberAttribute(owner, name);
  if (owner instanceof Undefined) throw owner.error();
  return owner instanceof PythonObject ? owner.attribute(name) : undefined;
}

function tableOf(owner: Value): ReadonlyMap<string, Definition> | undefined {
  if (owner instanceof Dict) return dictTable;
  if (Array.isArray(owner)) return listTable;
  if (owner instanceof Markup) return markupTable;
  if (isText(owner)) return textTable;
  if (owner instanceof Tuple) return tupleTable;
  if (owner instanceof Range) return rangeTable;
  if (typeof owner === "number") return floatTable;
  return isNumber(owner) ? integerTable : undefined;
}
