import type { Dialect } from "../sql/dialect.ts";
import type { ValueTest } from "../sql/value-tests.ts";
import { compileIndexedTest } from "./compile-indexed-test.ts";
import { compileValueTest } from "./compile-value-test.ts";
import { jsonPath } from "./json-path.ts";
import type { SqlParameters } from "./sql-parameters.ts";

/** A JSON value in SQL. */
export interface SqliteValue {
  /** Its `json_type`; NULL when missing. */
  type: string;
  /** Its SQL value. */
  value: string;
  /** Itself as JSON; NULL when missing. */
  json: string;
  /** The arguments by which JSON functions read it as an array. */
  array: string;
  /** The JSON object that it is; NULL when it is none. */
  object: string;
  /** Where it was found: a path from this JSON. */
  from: { json: string; path: string };
}

/** Conditions over the text column `doc`. A `regex` calls the function `regex_matches(pattern, flags, text)`, which the connection must have. */
export class SqliteDialect implements Dialect<SqliteValue> {
  readonly always = "1";
  readonly never = "0";
  readonly document: SqliteValue;
  readonly #parameters: SqlParameters;
  readonly #limited: ReadonlySet<string>;

  /** `limited`: columns that the condition limits from below and from above. */
  constructor(parameters: SqlParameters, limited: ReadonlySet<string> = new Set()) {
    this.#parameters = parameters;
    this.#limited = limited;
    this.document = { ...this.#valueAt("doc", "$"), object: "doc" };
  }

  member({ object }: SqliteValue, name: string, test: (value: SqliteValue) => string): string {
    return test(this.#valueAt(object, jsonPath([name])));
  }

  elementAt({ from }: SqliteValue, index: string, test: (element: SqliteValue) => string): string {
    return test(this.#valueAt(from.json, `${from.path}[${index}]`));
  }

  /** A table with the elements, or of one row with the value itself. */
  spread({ type, json }: SqliteValue, member: string | undefined, test: (value: SqliteValue) => string): string {
    const alias = this.#parameters.alias();
    const element = elementOf(alias);
    const leadsOn =
      member === undefined
        ? `${alias}.type = 'object'`
        : `json_type(${element.object}, ${this.#parameters.bind(jsonPath([member]))}) IS NOT NULL`;
    const elements = `json_each(CASE ${type} WHEN 'array' THEN ${json} ELSE '[' || coalesce(${json}, 'null') || ']' END)`;
    return `EXISTS (SELECT 1 FROM ${elements} AS ${alias} WHERE (${type} IS NOT 'array' OR ${leadsOn}) AND ${test(element)})`;
  }

  someElement({ type, array }: SqliteValue, test: (element: SqliteValue) => string): string {
    const alias = this.#parameters.alias();
    return `(${type} = 'array' AND EXISTS (SELECT 1 FROM json_each(${array}) AS ${alias} WHERE ${test(elementOf(alias))}))`;
  }

  someMember({ object }: SqliteValue, test: (value: SqliteValue) => string): string {
    const alias = this.#parameters.alias();
    return `EXISTS (SELECT 1 FROM json_each(${object}) AS ${alias} WHERE ${test(elementOf(alias))})`;
  }

  exists({ type }: SqliteValue): string {
    return `${type} IS NOT NULL`;
  }

  hasSize({ type, array }: SqliteValue, size: number): string {
    return `(${type} = 'array' AND json_array_length(${array}) = ${this.#parameters.bind(size)})`;
  }

  passes(test: ValueTest, value: SqliteValue): string {
    return compileValueTest(test, value, this.#parameters);
  }

  indexedPasses(test: ValueTest, column: string): string | undefined {
    return compileIndexedTest(test, column, this.#parameters, this.#limited.has(column));
  }

  #valueAt(json: string, path: string): SqliteValue {
    const at = this.#parameters.bind(path);
    const type = `json_type(${json}, ${at})`;
    const found = `${json} -> ${at}`;
    return {
      type,
      value: `json_extract(${json}, ${at})`,
      json: found,
      array: `${json}, ${at}`,
      object: `CASE ${type} WHEN 'object' THEN ${found} END`,
      from: { json, path },
    };
  }
}

function elementOf(alias: string): SqliteValue {
  const within = (type: string): string => `CASE ${alias}.type WHEN '${type}' THEN ${alias}.value END`;
  const value = `${alias}.value`;
  const array = within("array");
  const from = { json: array, path: "$" };
  return { type: `${alias}.type`, value, json: value, array, object: within("object"), from };
}
