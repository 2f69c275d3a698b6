import { lengthOf } from "./array-methods.ts";
import { checkTextLength, optionalNumber, textOf, toNumber, toText } from "./conversions.ts";
import { describeLibrary, type LibraryMethod, type MethodBody } from "./library-method.ts";
import { searchInText } from "./list-places.ts";

/** A method of a text alone. */
function ofText(compute: (text: string) => unknown, returns = "string"): MethodBody {
  return { arguments: ["text"], returns, run: ([text]) => compute(textOf(text)) };
}

/** A method that reads a text at an index. */
function readingAt(read: (text: string, index: number) => unknown, returns: string): MethodBody {
  return { arguments: ["text", "index?"], returns, run: ([text, index]) => read(textOf(text), toNumber(index ?? 0)) };
}

/** A method that cuts a part out of a text. */
function cutting(cut: (text: string, start: number, end: number | undefined) => string): MethodBody {
  return {
    arguments: ["text", "start", "end?"],
    returns: "string",
    run: ([text, start, end]) => cut(textOf(text), toNumber(start ?? 0), optionalNumber(end)),
  };
}

function padding(side: "padStart" | "padEnd"): MethodBody {
  return {
    arguments: ["text", "targetLength", "padText?"],
    returns: "string",
    run([text, targetLength, padText]) {
      const length = toNumber(targetLength);
      checkTextLength(length);
      return textOf(text)[side](length, padText === undefined ? " " : toText(padText));
    },
  };
}

/** Library String without the methods that take regular expressions. */
export const stringMethods: readonly LibraryMethod[] = describeLibrary("String", {
  "new String": {
    arguments: ["value?"],
    returns: "string",
    run: ([value]) => (value === undefined ? "" : toText(value)),
  },
  at: readingAt((text, index) => text.at(index), "string or undefined"),
  charAt: readingAt((text, index) => text.charAt(index), "string"),
  charCodeAt: readingAt((text, index) => text.charCodeAt(index), "number"),
  codePointAt: readingAt((text, index) => text.codePointAt(index), "number or undefined"),
  concat: { arguments: ["text", "part..."], returns: "string", run: ([text, ...parts]) => concat(textOf(text), parts) },
  endsWith: searchInText("boolean", (text, search, place) => text.endsWith(search, place)),
  fromCharCode: {
    arguments: ["code..."],
    returns: "string",
    run: (codes) => String.fromCharCode(...codes.map(toNumber)),
  },
  includes: searchInText("boolean", (text, search, place) => text.includes(search, place)),
  indexOf: searchInText("number", (text, search, place) => text.indexOf(search, place)),
  lastIndexOf: searchInText("number", (text, search, place) => text.lastIndexOf(search, place)),
  length: { arguments: ["text"], returns: "number", run: ([text]) => lengthOf(text) },
  localeCompare: {
    arguments: ["text", "other"],
    returns: "-1, 0 or 1",
    run: ([text, other]) => Math.sign(textOf(text).localeCompare(toText(other), "en")),
  },
  normalize: {
    arguments: ["text", "form?"],
    returns: "string",
    run: ([text, form]) => textOf(text).normalize(form === undefined ? "NFC" : toText(form)),
  },
  padEnd: padding("padEnd"),
  padStart: padding("padStart"),
  repeat: {
    arguments: ["text", "count"],
    returns: "string",
    run: ([text, count]) => repeat(textOf(text), toNumber(count)),
  },
  slice: cutting((text, start, end) => text.slice(start, end)),
  startsWith: searchInText("boolean", (text, search, place) => text.startsWith(search, place)),
  substr: cutting((text, start, length) => substr(text, start, length)),
  substring: cutting((text, start, end) => text.substring(start, end)),
  toLocaleLowerCase: ofText((text) => text.toLocaleLowerCase("en")),
  toLocaleUpperCase: ofText((text) => text.toLocaleUpperCase("en")),
  toLowerCase: ofText((text) => text.toLowerCase()),
  toString: ofText((text) => text),
  toUpperCase: ofText((text) => text.toUpperCase()),
  trim: ofText((text) => text.trim()),
  trimEnd: ofText((text) => text.trimEnd()),
  trimStart: ofText((text) => text.trimStart()),
  valueOf: ofText((text) => text),
});

function concat(text: string, parts: readonly unknown[]): string {
  let joined = text;
  for (const part of parts) joined += toText(part);
  return joined;
}

function repeat(text: string, count: number): string {
  checkTextLength(text.length * count);
  return text.repeat(count);
}

function substr(text: string, start: number, length: number | undefined): string {
  const from = start < 0 ? Math.max(0, text.length + start) : start;
  return text.slice(from, length === undefined ? undefined : from + Math.max(0, length));
}
