import { kindOf, optionalNumber, toNumber, toPrimitive, toText } from "./conversions.ts";
import { describeLibrary, type LibraryMethod, type MethodBody } from "./library-method.ts";

/** A function of one number, that converts its operand as JavaScript does. */
function ofOne(compute: (a: number) => number): MethodBody {
  return { arguments: ["a"], returns: "number", run: ([a]) => compute(toNumber(a)) };
}

function ofTwo(compute: (a: number, b: number) => number): MethodBody {
  return { arguments: ["a", "b"], returns: "number", run: ([a, b]) => compute(toNumber(a), toNumber(b)) };
}

/** Library Math: the functions and the arithmetic operators of JavaScript. */
export const mathMethods: readonly LibraryMethod[] = describeLibrary("Math", {
  add: { arguments: ["a", "b"], returns: "a + b", run: ([a, b]) => add(a, b) },
  subtract: ofTwo((a, b) => a - b),
  multiply: ofTwo((a, b) => a * b),
  divide: ofTwo((a, b) => a / b),
  remainder: ofTwo((a, b) => a % b),
  exponentiation: ofTwo((a, b) => a ** b),
  pow: ofTwo((a, b) => a ** b),
  abs: ofOne(Math.abs),
  cbrt: ofOne(Math.cbrt),
  ceil: ofOne(Math.ceil),
  exp: ofOne(Math.exp),
  floor: ofOne(Math.floor),
  log: ofOne(Math.log),
  log10: ofOne(Math.log10),
  log2: ofOne(Math.log2),
  max: { arguments: ["a", "b..."], returns: "number", run: (numbers) => Math.max(...numbers.map(toNumber)) },
  min: { arguments: ["a", "b..."], returns: "number", run: (numbers) => Math.min(...numbers.map(toNumber)) },
  random: { arguments: [], returns: "0 ≤ x < 1", run: (_, { random }) => random() },
  round: ofOne(Math.round),
  sign: ofOne(Math.sign),
  sqrt: ofOne(Math.sqrt),
  trunc: ofOne(Math.trunc),
});

/** Adds numbers; joins where one operand is a text. */
function add(a: unknown, b: unknown): string | number {
  const [first, second] = [toPrimitive(a), toPrimitive(b)];
  return typeof first === "string" || typeof second === "string"
    ? `${toText(first)}${toText(second)}`
    : Number(first) + Number(second);
}

/** A method that writes out a number with so many digits. */
function written(argument: string, write: (number: number, digits: number | undefined) => string): MethodBody {
  return {
    arguments: ["number", `${argument}?`],
    returns: "string",
    run: ([number, digits]) => write(numberOf(number), optionalNumber(digits)),
  };
}

/** Library Number. `isInteger` and its kind do not convert. */
export const numberMethods: readonly LibraryMethod[] = describeLibrary("Number", {
  "new Number": {
    arguments: ["value?"],
    returns: "number",
    run: ([value]) => (value === undefined ? 0 : toNumber(value)),
  },
  isFinite: { arguments: ["value"], returns: "boolean", run: ([value]) => Number.isFinite(value) },
  isInteger: { arguments: ["value"], returns: "boolean", run: ([value]) => Number.isInteger(value) },
  isNaN: { arguments: ["value"], returns: "boolean", run: ([value]) => Number.isNaN(value) },
  isSafeInteger: { arguments: ["value"], returns: "boolean", run: ([value]) => Number.isSafeInteger(value) },
  parseFloat: { arguments: ["text"], returns: "number", run: ([text]) => Number.parseFloat(toText(text)) },
  parseInt: {
    arguments: ["text", "radix?"],
    returns: "number",
    run: ([text, radix]) => Number.parseInt(toText(text), optionalNumber(radix)),
  },
  toExponential: written("digits", (number, digits) => number.toExponential(digits)),
  toFixed: written("digits", (number, digits) => number.toFixed(digits)),
  toPrecision: written("digits", (number, digits) => number.toPrecision(digits)),
  toString: {
    arguments: ["number", "radix?"],
    returns: "string",
    run: ([number, radix]: readonly unknown[]) =>
      typeof number === "number" ? number.toString(optionalNumber(radix)) : toText(somethingOf(number)),
  },
  valueOf: { arguments: ["number"], returns: "number", run: ([number]: readonly unknown[]) => numberOf(number) },
});

function numberOf(value: unknown): number {
  if (typeof value === "number") return value;
  throw new TypeError(`needs a number, not ${kindOf(value)}`);
}

function somethingOf(value: unknown): unknown {
  if (value === undefined || value === null) throw new TypeError(`needs a number, not ${kindOf(value)}`);
  return value;
}

/** Libraries Boolean and Null: a primitive by its truthiness (`""` is false, `"0"` is true), and null. */
export const primitiveDeclarations: readonly LibraryMethod[] = [
  ...describeLibrary("Boolean", {
    "new Boolean": { arguments: ["value?"], returns: "boolean", run: ([value]) => Boolean(value) },
    toString: {
      arguments: ["boolean"],
      returns: "string",
      run: ([value]: readonly unknown[]) => toText(somethingOf(value)),
    },
  }),
  ...describeLibrary("Null", { "new Null": { arguments: [], returns: "null", run: () => null } }),
];
