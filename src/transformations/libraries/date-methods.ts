import { isObject, kindOf, toNumber, toPrimitive, toText } from "./conversions.ts";
import { parseTime, setFields, timeOfLocal, type DateField } from "./date-fields.ts";
import { describeLibrary, type LibraryMethod, type MethodBody, type MethodContext } from "./library-method.ts";
import { DateValue } from "./special-values.ts";

function ofDate(read: (date: DateValue) => unknown, returns: string): MethodBody {
  return { arguments: ["date"], returns, run: ([date], context) => read(dateOf(date, context)) };
}

/** Both forms of a getter: of local time and of UTC. */
function getters(field: DateField | "Day"): Record<string, MethodBody> {
  return {
    [`get${field}`]: ofDate((date) => date.local[`getUTC${field}`](), "number, local time"),
    [`getUTC${field}`]: ofDate((date) => new Date(date.time)[`getUTC${field}`](), "number, UTC"),
  };
}

/** Both forms of a setter. They answer the new date. */
function setters(field: DateField): Record<string, MethodBody> {
  const setter = (isUtc: boolean): MethodBody => ({
    arguments: ["date", "value", "next..."],
    returns: isUtc ? "new Date, by UTC" : "new Date, by local time",
    run: ([date, ...values], context) => setFields(dateOf(date, context), field, values.map(toNumber), isUtc),
  });
  return { [`set${field}`]: setter(false), [`setUTC${field}`]: setter(true) };
}

const now: MethodBody = {
  arguments: [],
  returns: "Date",
  run: (_, { startedAt, zone }) => new DateValue(startedAt, zone),
};
const oneValue: MethodBody = {
  arguments: ["value"],
  returns: "Date",
  run: ([value], context) => readDate(value, context),
};
const parts: MethodBody = {
  arguments: ["year", "month", "day?", "hours?", "minutes?", "seconds?", "milliseconds?"],
  returns: "Date, the parts being local time",
  run: (given, { zone }) => new DateValue(timeOfLocal(withoutUnset(given).map(toNumber), zone), zone),
};

/** Library Date. Local time is that of the run's time zone; a text or number in the place of a date is read as one. */
export const dateMethods: readonly LibraryMethod[] = describeLibrary("Date", {
  "new Date": {
    arguments: ["value or part..."],
    returns: "Date",
    run(given, context) {
      const count = withoutUnset(given).length;
      if (count === 0) return now.run(given, context);
      return (count === 1 ? oneValue : parts).run(given, context);
    },
  },
  "new Date#0": { ...now, polymorphIndex: 0 },
  "new Date#2": { ...oneValue, polymorphIndex: 2 },
  "new Date#3": { ...parts, polymorphIndex: 3 },
  now: { arguments: [], returns: "milliseconds", run: (_, { startedAt }) => startedAt },
  parse: { arguments: ["text"], returns: "milliseconds", run: ([text], { zone }) => parseTime(toText(text), zone) },
  ...getters("Date"),
  ...getters("Day"),
  ...getters("FullYear"),
  ...getters("Hours"),
  ...getters("Milliseconds"),
  ...getters("Minutes"),
  ...getters("Month"),
  ...getters("Seconds"),
  ...setters("Date"),
  ...setters("FullYear"),
  ...setters("Hours"),
  ...setters("Milliseconds"),
  ...setters("Minutes"),
  ...setters("Month"),
  ...setters("Seconds"),
  getTime: ofDate((date) => date.time, "milliseconds"),
  getTimezoneOffset: ofDate((date) => 0 - date.offset, "minutes that local time is behind UTC"),
  setTime: {
    arguments: ["date", "milliseconds"],
    returns: "new Date",
    run: ([date, time], context) => dateOf(date, context).at(toNumber(time)),
  },
  toDateString: ofDate((date) => wordsOf(date, 0, 4), "string, local time"),
  toISOString: ofDate((date) => new Date(date.time).toISOString(), "string, UTC"),
  toJSON: ofDate((date) => date.toJSON(), "string or null, UTC"),
  toLocaleDateString: localized((date, locale, options) => date.toLocaleDateString(locale, options)),
  toLocaleString: localized((date, locale, options) => date.toLocaleString(locale, options)),
  toLocaleTimeString: localized((date, locale, options) => date.toLocaleTimeString(locale, options)),
  toString: ofDate((date) => date.toString(), "string, local time"),
  toTimeString: ofDate((date) => wordsOf(date, 4), "string, local time"),
  toUTCString: ofDate((date) => new Date(date.time).toUTCString(), "string, UTC"),
  valueOf: ofDate((date) => date.time, "milliseconds"),
});

function wordsOf(date: DateValue, from: number, to?: number): string {
  const text = date.toString();
  return Number.isNaN(date.time) ? text : text.split(" ").slice(from, to).join(" ");
}

function withoutUnset(values: readonly unknown[]): readonly unknown[] {
  return values.slice(0, values.findLastIndex((value) => value !== undefined) + 1);
}

function readDate(value: unknown, { zone }: MethodContext): DateValue {
  if (value instanceof DateValue) return value;
  const primitive = toPrimitive(value);
  return new DateValue(typeof primitive === "string" ? parseTime(primitive, zone) : toNumber(primitive), zone);
}

function dateOf(value: unknown, context: MethodContext): DateValue {
  if (value instanceof DateValue) return value;
  if (typeof value === "string" || typeof value === "number") return readDate(value, context);
  throw new TypeError(`needs a date, not ${kindOf(value)}`);
}

type Localize = (date: Date, locale: string | undefined, options: Intl.DateTimeFormatOptions) => string;

function localized(write: Localize): MethodBody {
  return {
    arguments: ["date", "locale?", "options?"],
    returns: "string, local time",
    run([date, locale, options], context) {
      const given = isObject(options) ? (options as Intl.DateTimeFormatOptions) : {};
      const { local, time } = dateOf(date, context);
      const language = locale === undefined || locale === "" ? "en-US" : toText(locale);
      return given.timeZone === undefined
        ? write(local, language, { ...given, timeZone: "UTC" })
        : write(new Date(time), language, given);
    },
  };
}
