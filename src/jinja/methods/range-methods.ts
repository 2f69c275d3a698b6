import { typeError, valueError } from "../errors.ts";
import { define, positional } from "../runtime/define.ts";
import type { Definition } from "../runtime/runtime.ts";
import { contains } from "../values/compare.ts";
import { asInteger, Range, type Value } from "../values/value.ts";

/** Methods of ranges. */
export const rangeMethods: readonly Definition[] = [
  define("count", [positional("value")], ({ budget }, self, [value = null]) =>
    contains(budget, self, value) ? 1n : 0n,
  ),
  define("index", [positional("value")], ({ budget }, self, [value = null]) => {
    if (!contains(budget, self, value)) throw valueError("value is not in range");
    const { start, step } = requireRange(self);
    return ((asInteger(value) ?? BigInt(Number(value))) - start) / step;
  }),
];

function requireRange(value: Value): Range {
  if (value instanceof Range) return value;
  throw typeError("not a range");
}
