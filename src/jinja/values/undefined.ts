import { JinjaError } from "../errors.ts";
import { PythonObject, typeNameOf, type Value } from "./value.ts";
import { quote } from "./quote.ts";

interface Origin {
  /** The whole message, where it is not about a name. */
  hint?: string;
  /** What was asked for it; absent for a variable. */
  owner?: Value;
  name?: Value;
}

/** What a name without value stands for: prints as nothing, is empty and false; anything else with it is an error. */
export class Undefined extends PythonObject {
  readonly typeName = "Undefined";
  readonly #origin: Origin;

  constructor(origin: Origin) {
    super();
    this.#origin = origin;
  }

  override repr(): string {
    return "Undefined";
  }

  /** The error of whoever uses it as a value. */
  error(): JinjaError {
    return new JinjaError("UndefinedError", this.#message());
  }

  #message(): string {
    const { hint, owner, name } = this.#origin;
    if (hint !== undefined) return hint;
    const shown = typeof name === "string" ? quote(name) : shownKey(name);
    if (owner === undefined) return `${shown} is undefined`;
    const type = ownerName(owner);
    return typeof name === "string" ? `${quote(type)} has no attribute ${shown}` : `${type} has no element ${shown}`;
  }
}

function ownerName(owner: Value): string {
  if (owner === null) return "None";
  if (owner instanceof PythonObject && "qualifiedName" in owner) return `${String(owner.qualifiedName)} object`;
  return `${typeNameOf(owner)} object`;
}

function shownKey(name: Value | undefined): string {
  if (name instanceof PythonObject || Array.isArray(name)) return typeNameOf(name);
  return String(name);
}
