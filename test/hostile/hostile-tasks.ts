/** A task that hostile text can reach, and its arguments for one text. */
export interface TaskSink {
  name: string;
  task: string;
  /** Export name of its application; default WorkFlowEngine. */
  app?: string;
  incoming(text: string): Record<string, unknown>;
  /** See `HostileSink`. */
  loadsMs?: number;
}

const data = (text: string) => ({ a: { b: text }, n: text, list: [{ n: text }, { n: "x" }], [text]: { b: 1 } });
const comparison = (text: string) => [
  { evaluations: [{ operand_1: text, operator: "contains", operand_2: text, query: "", rightQuery: "" }] },
  { evaluations: [{ operand_1: data(text), operator: "==", operand_2: data(text), query: text, rightQuery: text }] },
];

/** Tasks that texts reach which try to get out of their language. */
export const escapeTasks: readonly TaskSink[] = [
  {
    name: "evaluation",
    task: "evaluation",
    incoming: (text) => ({ all_true_flag: false, evaluation_groups: comparison(text) }),
  },
  { name: "query", task: "query", incoming: (query) => ({ pass_on_null: true, query, obj: data(query) }) },
  {
    name: "modify",
    task: "modify",
    incoming: (query) => ({ object_to_update: data(query), query, new_value: { polluted: 1 } }),
  },
  {
    name: "set a key",
    task: "setObjectKey",
    incoming: (text) => ({ obj: {}, path: [text, "prototype", "polluted"], value: 1 }),
  },
  { name: "merge", task: "merge", incoming: (key) => ({ data_to_merge: [{ key, value: { polluted: 1 } }] }) },
  {
    name: "deepmerge",
    task: "deepmerge",
    incoming: (text) => ({ data_to_merge: [{ key: "a", value: { [text]: { polluted: 1 } } }] }),
  },
  {
    name: "makeData",
    task: "makeData",
    incoming: (text) => ({ input: `<!x!>${text}<!${text}!>`, outputType: "string", variables: { x: text } }),
  },
  { name: "parse", task: "parse", incoming: (text) => ({ text }) },
  { name: "csv", task: "csvStringToJson", incoming: (input) => ({ input }) },
  {
    name: "excel text",
    task: "excelToJson",
    incoming: (text) => ({ input: Buffer.from(text).toString("base64") }),
    loadsMs: 3_000,
  },
  {
    name: "json schema reference",
    task: "validateJsonSchema",
    incoming: (text) => ({ schema: { $ref: text }, jsonData: data(text) }),
  },
  {
    name: "json schema",
    task: "validateJsonSchema",
    incoming: (text) => ({
      schema: { type: "object", properties: { [text]: { pattern: text } } },
      jsonData: data(text),
    }),
  },
];

const hard = `${"a".repeat(60)}!`;
/** Tasks that patterns of users reach. */
export const patternTasks: readonly TaskSink[] = [
  { name: "pattern of match", task: "match", incoming: (regExp) => ({ str: hard, regExp, flags: "g" }) },
  { name: "pattern of search", task: "search", incoming: (regexp) => ({ str: hard, regexp }) },
  {
    name: "pattern of replace",
    task: "replace",
    incoming: (regExp) => ({ str: hard, regExp, flags: "g", newSubstr: "$&$1" }),
  },
  {
    name: "pattern of query",
    task: "query",
    incoming: (text) => ({ pass_on_null: true, query: `[*n~/${text}/]`, obj: [{ n: hard }] }),
  },
  {
    name: "pattern of evaluation",
    task: "evaluation",
    incoming: (text) => ({
      all_true_flag: false,
      evaluation_groups: [{ evaluations: [{ operand_1: hard, operator: "contains", operand_2: text }] }],
    }),
  },
];
