import { largeValueMarker } from "../../core/stored-value.ts";
import { placeParts } from "./large-parts.ts";
import type { LargeValueEncoder } from "./large-value-encoder.ts";

/** A value as read models show it: a marker stands for each large value. */
export type Shorten = (value: unknown) => unknown;

/** Shortens values just as logs do, so that what is rebuilt from a log is the same. */
export function shortening(encoder: LargeValueEncoder): Shorten {
  return (value) => {
    const { text, parts } = encoder.encodeValue(value);
    if (parts.length === 0) return value;
    const whole = parts.find(({ at }) => at.length === 0);
    if (whole) return largeValueMarker(whole);
    const shortened = JSON.parse(text) as object;
    placeParts(shortened, parts, largeValueMarker);
    return shortened;
  };
}
