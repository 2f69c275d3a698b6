import { chargeSearch, isObject, listOf, optionalNumber, textOf, toText } from "./conversions.ts";
import type { MethodBody } from "./library-method.ts";

type TextSearch = (text: string, search: string, place: number | undefined) => unknown;
type ListSearch = (list: readonly unknown[], value: unknown, from: number | undefined) => unknown;

/** A method that looks for a text in a text, at or from a place. */
export function searchInText(returns: string, find: TextSearch): MethodBody {
  return {
    arguments: ["text", "search", "place?"],
    returns,
    run([target, search, place], { charge }) {
      const [text, searched] = [textOf(target), toText(search)];
      chargeSearch(searched, text, charge);
      return find(text, searched, optionalNumber(place));
    },
  };
}

/**
 * A method that looks for a value in a list, or in a text for a part of it. An object equals no element: every
 * wire copies its value, so that no two of them are the same.
 */
export function searchInList(absent: false | -1, inList: ListSearch, inText: TextSearch): MethodBody {
  const returns = typeof absent;
  const textMethod = searchInText(returns, inText);
  return {
    arguments: ["array", "value", "from?"],
    returns,
    run([target, value, from], context) {
      if (typeof target === "string") return textMethod.run([target, value, from], context);
      const list = listOf(target);
      if (isObject(value)) return absent;
      chargeSearch(value, list, context.charge);
      return inList(list, value, optionalNumber(from));
    },
  };
}
