import { Type, type TSchema } from "@sinclair/typebox";
import type { ListSelection } from "../core/list-query.ts";
import type { FilterListQuery } from "../core/schemas.ts";

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

/** One page of the list at `path` that was asked for by this query; its neighbours are asked for by the same. */
export function itemPage<T>(
  { path, query }: { path: string; query: FilterListQuery },
  { skip, limit }: ListSelection,
  { results, total }: { results: T[]; total: number },
) {
  const end = skip + results.length;
  const pageAt = (start: number): string => `${path}?${queryText({ ...query, limit, skip: start })}`;
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

/** The query as it is written in an address: `equals[name]=x`, lists by repetition. */
function queryText(query: FilterListQuery): string {
  const pairs = Object.entries(query).flatMap(([name, value]): (readonly [string, unknown])[] =>
    typeof value === "object"
      ? Object.entries(value).map(([field, texts]) => [`${name}[${field}]`, texts] as const)
      : [[name, value]],
  );
  return pairs
    .flatMap(([name, value]) =>
      [value].flat().map((text) => `${encodeURIComponent(name)}=${encodeURIComponent(String(text))}`),
    )
    .join("&");
}
