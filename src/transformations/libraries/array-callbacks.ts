import { callbackOf, checkListLength, listOf, textsOf, toNumber } from "./conversions.ts";
import { describeLibrary, type Callback, type LibraryMethod, type MethodBody } from "./library-method.ts";

type Elements = (list: readonly unknown[], visit: (element: unknown, index: number) => unknown) => unknown;

/** Methods whose function is called with (element, index, array, constants…). */
function eachElement(returns: string, over: Elements): MethodBody {
  return {
    arguments: ["array", "function", "constant..."],
    returns,
    constantsFrom: 2,
    run([array, given]) {
      const list = listOf(array);
      const callback = callbackOf(given);
      return over(list, (element, index) => callback([element, index, list]));
    },
  };
}

/** Methods whose function is called with (accumulator, currentValue, index, array, constants…). */
function folding(direction: "reduce" | "reduceRight"): MethodBody {
  return {
    arguments: ["array", "function", "initial?", "constant..."],
    returns: "accumulator",
    constantsFrom: 3,
    run([array, given, ...initial]) {
      const list = listOf(array);
      const callback = callbackOf(given);
      const step = (accumulator: unknown, value: unknown, index: number) => callback([accumulator, value, index, list]);
      return initial.length > 0 ? list[direction](step, initial[0]) : list[direction](step);
    },
  };
}

/** Methods of the library Array that call a function of the document. */
export const arrayCallbackMethods: readonly LibraryMethod[] = describeLibrary("Array", {
  every: eachElement("boolean", (list, visit) => list.every((element, index) => Boolean(visit(element, index)))),
  filter: eachElement("new array", (list, visit) => list.filter((element, index) => Boolean(visit(element, index)))),
  find: eachElement("element or undefined", (list, visit) =>
    list.find((element, index) => Boolean(visit(element, index))),
  ),
  findIndex: eachElement("number", (list, visit) => list.findIndex((element, index) => Boolean(visit(element, index)))),
  findLast: eachElement("element or undefined", (list, visit) =>
    list.findLast((element, index) => Boolean(visit(element, index))),
  ),
  findLastIndex: eachElement("number", (list, visit) =>
    list.findLastIndex((element, index) => Boolean(visit(element, index))),
  ),
  flatMap: eachElement("new array", flatMap),
  map: eachElement("new array", (list, visit) => list.map((element, index) => visit(element, index))),
  some: eachElement("boolean", (list, visit) => list.some((element, index) => Boolean(visit(element, index)))),
  reduce: folding("reduce"),
  reduceRight: folding("reduceRight"),
  sort: {
    arguments: ["array", "function?", "constant..."],
    returns: "new array",
    constantsFrom: 2,
    run: ([array, given], { charge }) =>
      given === undefined ? sortByText(listOf(array), charge) : sortBy(listOf(array), callbackOf(given)),
  },
});

function flatMap(list: readonly unknown[], visit: (element: unknown, index: number) => unknown): unknown[] {
  const flat: unknown[] = [];
  list.forEach((element, index) => {
    const value = visit(element, index);
    for (const part of Array.isArray(value) ? value : [value]) flat.push(part);
    checkListLength(flat.length);
  });
  return flat;
}

function sortBy(list: readonly unknown[], callback: Callback): unknown[] {
  return list.slice().sort((first, second) => toNumber(callback([first, second])));
}

/** The order of JavaScript without a comparison: by text, undefined last. */
function sortByText(list: readonly unknown[], charge: (cells: number) => void): unknown[] {
  const elements = list.filter((element) => element !== undefined);
  const texts = textsOf(elements, charge);
  const keyed = elements.map((element, index) => ({ element, text: texts[index] ?? "" }));
  keyed.sort((first, second) => compareTexts(first.text, second.text));
  const sorted: unknown[] = keyed.map(({ element }) => element);
  sorted.length = list.length;
  return sorted;
}

function compareTexts(first: string, second: string): number {
  if (first === second) return 0;
  return first < second ? -1 : 1;
}
