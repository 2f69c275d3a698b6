import { isObject, toNumber, toPrimitive, type Primitive } from "./conversions.ts";
import { deepEquals } from "./deep-equals.ts";
import { describeLibrary, type LibraryMethod } from "./library-method.ts";
import { Poison } from "../poison.ts";

const two = ["a", "b"] as const;

/** Library Equality. Two objects are never the same one, as every wire copies; `deepEquals` compares what they hold. */
export const equalityMethods: readonly LibraryMethod[] = describeLibrary("Equality", {
  deepEquals: { arguments: two, returns: "boolean", run: ([a, b], { charge }) => deepEquals(a, b, charge) },
  equality: { arguments: two, returns: "boolean, by ==", run: ([a, b]) => areLooselyEqual(a, b) },
  identity: { arguments: two, returns: "boolean, by ===", run: ([a, b]) => areIdentical(a, b) },
  inequality: { arguments: two, returns: "boolean, by !=", run: ([a, b]) => !areLooselyEqual(a, b) },
  nonidentity: { arguments: two, returns: "boolean, by !==", run: ([a, b]) => !areIdentical(a, b) },
});

type Order = (a: string | number, b: string | number) => boolean;

const comparing = (order: Order) => ({
  arguments: two,
  returns: "boolean",
  run: ([a, b]: readonly unknown[]) => compare(a, b, order),
});
const greaterOrEqual = comparing((a, b) => a >= b);
const lessOrEqual = comparing((a, b) => a <= b);

/** Library Relational: the operators of JavaScript, two texts by their characters, anything else as numbers. */
export const relationalMethods: readonly LibraryMethod[] = describeLibrary("Relational", {
  greaterThan: comparing((a, b) => a > b),
  greaterThanEq: greaterOrEqual,
  greaterThanOrEqual: greaterOrEqual,
  lessThan: comparing((a, b) => a < b),
  lessThanEq: lessOrEqual,
  lessThanOrEqual: lessOrEqual,
});

/** Library Logical: they answer an operand, as in JavaScript; one that is not chosen may have failed. */
export const logicalMethods: readonly LibraryMethod[] = describeLibrary("Logical", {
  and: { arguments: two, returns: "a && b", isLazy: true, run: ([a, b]) => (isFailed(a) || !a ? a : b) },
  not: { arguments: ["a"], returns: "boolean", run: ([a]) => !a },
  nullish: { arguments: two, returns: "a ?? b", isLazy: true, run: ([a, b]) => a ?? b },
  or: { arguments: two, returns: "a || b", isLazy: true, run: ([a, b]) => (isFailed(a) || a ? a : b) },
});

/** Library Conditional without contexts. */
export const conditionalMethods: readonly LibraryMethod[] = describeLibrary("Conditional", {
  ternary: {
    arguments: ["condition", "ifTrue", "ifFalse"],
    returns: "chosen value",
    isLazy: true,
    run: ([condition, ifTrue, ifFalse]) => (isFailed(condition) ? condition : choose(condition, ifTrue, ifFalse)),
  },
});

function choose(condition: unknown, ifTrue: unknown, ifFalse: unknown): unknown {
  return condition ? ifTrue : ifFalse;
}

function isFailed(value: unknown): boolean {
  return value instanceof Poison;
}

function areIdentical(a: unknown, b: unknown): boolean {
  return !isObject(a) && a === b;
}

/** `==` of JavaScript, except that an object equals no other. */
function areLooselyEqual(a: unknown, b: unknown): boolean {
  if (isObject(a) && isObject(b)) return false;
  if (isNothing(a) || isNothing(b)) return isNothing(a) && isNothing(b);
  const [first, second] = [toPrimitive(a), toPrimitive(b)];
  return typeof first === typeof second ? first === second : Number(first) === Number(second);
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null;
}

function compare(a: unknown, b: unknown, order: Order): boolean {
  const [first, second]: [Primitive, Primitive] = [toPrimitive(a, "number"), toPrimitive(b, "number")];
  return typeof first === "string" && typeof second === "string"
    ? order(first, second)
    : order(toNumber(first), toNumber(second));
}
