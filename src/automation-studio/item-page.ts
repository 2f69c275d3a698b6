import { Type, type TSchema } from "@sinclair/typebox";
import type { ListSelection } from "../core/list-query.ts";

/** Reply of the lists of workflows and templates (spec: workflow-engine.md §9.3). `next` and `previous` are paths. */
export function ItemPage<Item extends TSchema>(item: Item) {
  return Type.Object({
    items: Type.Array(item),
    count: Type.Integer({ description: "Items of this page." }),
    end: Type.Integer({ description: "Position after the last item of this page." }),
    limit: Type.Integer(),
    next: Type.Union([Type.String(), Type.Null()]),
    previous: Type.Union([Type.String(), Type.Null()]),
    skip: Type.Integer(),
    total: Type.Integer({ description: "All matches (decision 6)." }),
  });
}

/** One page of the list at `path`. */
export function itemPage<T>(
  path: string,
  { skip, limit }: ListSelection,
  { results, total }: { results: T[]; total: number },
) {
  const end = skip + results.length;
  const pageAt = (start: number): string => `${path}?limit=${limit}&skip=${start}`;
  return {
    items: results,
    count: results.length,
    end,
    limit,
    next: end < total && results.length > 0 ? pageAt(end) : null,
    previous: skip > 0 ? pageAt(Math.max(0, skip - limit)) : null,
    skip,
    total,
  };
}
