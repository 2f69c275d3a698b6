import type { Test } from "../query/condition.ts";
import type { ValueTest } from "./value-tests.ts";

/**
 * How one database writes the tests that conditions are made of, each as a boolean expression; NULL is
 * as good as false. `Value` is what a dialect knows about a JSON value or a missing one. Compiled text
 * holds no text of users: values and paths are bound.
 */
export interface Dialect<Value> {
  readonly always: string;
  readonly never: string;
  /** The whole document. */
  readonly document: Value;
  /** A test of the value of a member; what is not an object has none, and then the value is missing. */
  member(object: Value, name: string, test: (value: Value) => string): string;
  /** A test of one element of an array, by its index in digits; of what is not an array it is missing. */
  elementAt(array: Value, index: string, test: (element: Value) => string): string;
  /** A test of the objects in an array, of which one must pass; of any other value itself. With `member` only of objects that have it. */
  spread(value: Value, member: string | undefined, test: (value: Value) => string): string;
  /** A test of the elements of an array, of which one must pass; never true of another value. */
  someElement(value: Value, test: (element: Value) => string): string;
  /** A test of the values of an object's members, of which one must pass; never true of another value. */
  someMember(value: Value, test: (value: Value) => string): string;
  exists(value: Value): string;
  /** Is it an array of this length? */
  hasSize(value: Value, size: number): string;
  passes(test: ValueTest, value: Value): string;
  /** The same for an indexed field, so that the index answers; undefined where the document must be asked. */
  indexedPasses(test: ValueTest, column: string): string | undefined;
  /** A quick test of the whole document that is true wherever some value in it passes; undefined where there is none. */
  precondition?(test: Test): string | undefined;
}
