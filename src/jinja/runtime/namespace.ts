import { PythonObject, type Value } from "../values/value.ts";

/** An object whose attributes templates can set. */
export class Namespace extends PythonObject {
  readonly typeName = "Namespace";
  readonly qualifiedName = "jinja2.utils.Namespace";
  readonly #attributes: Map<string, Value>;

  constructor(attributes: Iterable<readonly [string, Value]>) {
    super();
    this.#attributes = new Map(attributes);
  }

  set(name: string, value: Value): void {
    this.#attributes.set(name, value);
  }

  override attribute(name: string): Value | undefined {
    return this.#attributes.get(name);
  }

  override repr(show: (value: Value) => string): string {
    const members = [...this.#attributes].map(([name, value]) => `${show(name)}: ${show(value)}`);
    return `<Namespace {${members.join(", ")}}>`;
  }
}
