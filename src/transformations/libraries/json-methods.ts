import { checkTextLength, textsOf, toText } from "./conversions.ts";
import { describeLibrary, type Callback, type LibraryMethod, type MethodContext } from "./library-method.ts";
import { sizeOf } from "./value-size.ts";

/** Library JSON, and the library WorkFlowEngine, whose only method is the query of the field. */
export const dataMethods: readonly LibraryMethod[] = [
  ...describeLibrary("JSON", {
    parse: {
      arguments: ["text", "reviver?"],
      returns: "value",
      constantsFrom: 2,
      run: ([text, reviver], context) => parse(text, reviver, context),
    },
    stringify: {
      arguments: ["value", "replacer?", "space?"],
      returns: "string",
      constantsFrom: 3,
      run: (args, context) => stringify(args, context),
    },
    "type of": { arguments: ["value"], returns: "string, by typeof", run: ([value]) => typeof value },
  }),
  ...describeLibrary("WorkFlowEngine", {
    query: {
      arguments: ["passOnNull", "query", "object"],
      returns: "value, null where nothing is found",
      run: ([, query, object], context) => runQuery(query, object, context),
    },
  }),
];

function parse(text: unknown, reviver: unknown, { charge }: MethodContext): unknown {
  const json = toText(text);
  charge(json.length / 2);
  if (typeof reviver !== "function") return JSON.parse(json) as unknown;
  const call = reviver as Callback;
  return JSON.parse(json, (key, value: unknown) => call([key, value])) as unknown;
}

function stringify([value, replacer, space]: readonly unknown[], { charge }: MethodContext): string | undefined {
  charge(sizeOf(value));
  const text = JSON.stringify(value, replacerOf(replacer, charge), spaceOf(space)) as string | undefined;
  checkTextLength(text?.length ?? 0);
  return text;
}

/** A function of the document, or the members to keep. */
function replacerOf(
  replacer: unknown,
  charge: (cells: number) => void,
): ((key: string, value: unknown) => unknown) | undefined {
  if (typeof replacer === "function") {
    const call = replacer as Callback;
    return (key, value) => call([key, value]);
  }
  if (!Array.isArray(replacer)) return undefined;
  const kept = new Set(textsOf(replacer, charge));
  return function keep(this: unknown, key, value) {
    return key === "" || Array.isArray(this) || kept.has(key) ? value : undefined;
  };
}

function spaceOf(space: unknown): string | number | undefined {
  return typeof space === "string" || typeof space === "number" ? space : undefined;
}

function runQuery(query: unknown, object: unknown, context: MethodContext): unknown {
  context.charge(sizeOf(object) / 64);
  const { found, value } = context.query(query === undefined || query === null ? "" : toText(query), object);
  return found ? value : null;
}
