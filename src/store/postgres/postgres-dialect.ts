import type { Test } from "../query/condition.ts";
import type { Dialect } from "../sql/dialect.ts";
import type { ValueTest } from "../sql/value-tests.ts";
import { compileIndexedTest } from "./compile-indexed-test.ts";
import { compilePrecondition } from "./compile-precondition.ts";
import { compileValueTest } from "./compile-value-test.ts";
import type { PostgresParameters } from "./postgres-parameters.ts";
import { readableText } from "./readable-text.ts";

/**
 * Conditions over the tables of collections. A value is a `json` expression that is cheap to repeat, NULL
 * when missing. The server may evaluate parts of AND in any order, so only CASE keeps functions from values
 * they would refuse. OFFSET 0 keeps the server from writing an expression out in each place of its use.
 */
export class PostgresDialect implements Dialect<string> {
  readonly always = "true";
  readonly never = "false";
  readonly document = "coalesce(readable, doc)";
  readonly #parameters: PostgresParameters;

  constructor(parameters: PostgresParameters) {
    this.#parameters = parameters;
  }

  /** Of all values only objects have members by name, and only arrays elements by number. */
  member(object: string, name: string, test: (value: string) => string): string {
    return this.#once(this.#member(object, name), test);
  }

  elementAt(array: string, index: string, test: (element: string) => string): string {
    return this.#once(`${array} -> ${index}`, test);
  }

  /** A table with the elements, or of one row with the value itself. */
  spread(value: string, member: string | undefined, test: (value: string) => string): string {
    const alias = this.#parameters.alias();
    const element = `${alias}.v`;
    const leadsOn =
      member === undefined ? `json_typeof(${element}) = 'object'` : `${this.#member(element, member)} IS NOT NULL`;
    const elements = `json_array_elements(CASE json_typeof(${value}) WHEN 'array' THEN ${value} ELSE json_build_array(${value}) END)`;
    return `EXISTS (SELECT 1 FROM ${elements} AS ${alias}(v) WHERE (json_typeof(${value}) IS DISTINCT FROM 'array' OR ${leadsOn}) AND ${test(element)})`;
  }

  someElement(value: string, test: (element: string) => string): string {
    const alias = this.#parameters.alias();
    return `CASE json_typeof(${value}) WHEN 'array' THEN EXISTS (SELECT 1 FROM json_array_elements(${value}) AS ${alias}(v) WHERE ${test(`${alias}.v`)}) END`;
  }

  someMember(value: string, test: (value: string) => string): string {
    const alias = this.#parameters.alias();
    return `CASE json_typeof(${value}) WHEN 'object' THEN EXISTS (SELECT 1 FROM json_each(${value}) AS ${alias}(k, v) WHERE ${test(`${alias}.v`)}) END`;
  }

  exists(value: string): string {
    return `${value} IS NOT NULL`;
  }

  hasSize(value: string, size: number): string {
    return `CASE json_typeof(${value}) WHEN 'array' THEN json_array_length(${value}) = ${this.#parameters.bind(size, "bigint")} END`;
  }

  passes(test: ValueTest, value: string): string {
    return compileValueTest(test, value, this.#parameters);
  }

  indexedPasses(test: ValueTest, column: string): string | undefined {
    return compileIndexedTest(test, column, this.#parameters);
  }

  precondition(test: Test): string | undefined {
    return compilePrecondition(test, this.document, this.#parameters);
  }

  #member(object: string, name: string): string {
    return `${object} -> ${this.#parameters.bind(readableText(name), "text")}`;
  }

  #once(value: string, test: (value: string) => string): string {
    const alias = this.#parameters.alias();
    return `(SELECT ${test(`${alias}.v`)} FROM (SELECT ${value} AS v OFFSET 0) AS ${alias})`;
  }
}
