import { byName } from "../runtime/define.ts";
import type { Definition } from "../runtime/runtime.ts";
import { htmlFilters } from "./html-filters.ts";
import { numberFilters } from "./number-filters.ts";
import { selectionFilters } from "./selection-filters.ts";
import { sequenceFilters } from "./sequence-filters.ts";
import { textFilters } from "./text-filters.ts";
import { valueFilters } from "./value-filters.ts";

/** Every filter of Jinja 3.1 by its name. */
export const filters: ReadonlyMap<string, Definition> = byName([
  ...valueFilters,
  ...textFilters,
  ...numberFilters,
  ...sequenceFilters,
  ...selectionFilters,
  ...htmlFilters,
]);
