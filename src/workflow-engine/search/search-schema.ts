import { Type, type Static, type TSchema } from "@sinclair/typebox";
import type { JsonObject } from "../../core/json.ts";
import { largestPage } from "../../core/schemas.ts";

/** A query in the store's language (decision 11): member → value or operators. */
export const QueryObject = Type.Unsafe<JsonObject>(
  Type.Object(
    {},
    {
      additionalProperties: true,
      description:
        "Member (dots reach into documents) to value or operators: $eq $ne $gt $gte $lt $lte $in $nin $exists $type $size $all $elemMatch $memberMatch $not $regex, combined by $and $or $nor.",
    },
  ),
);

/** Member to 1 (keep) or 0 (leave out); not both kinds but for `_id`. */
export const FieldChoice = Type.Record(Type.String(), Type.Union([Type.Literal(0), Type.Literal(1), Type.Boolean()]), {
  description: "Member to 1 (keep) or 0 (leave out).",
});

const direction = Type.Union([Type.Literal(1), Type.Literal(-1), Type.Literal("asc"), Type.Literal("desc")]);
const limit = Type.Optional(
  Type.Integer({ minimum: 0, maximum: largestPage, description: "Page size; 0: as many as an answer may have." }),
);
const skip = Type.Optional(Type.Integer({ minimum: 0, description: "How many matches to pass over." }));

/** Options of a search (workflow-engine.md §8.6): the same for all, with the spellings of all clients. */
export const SearchOptionsSchema = Type.Object({
  query: Type.Optional(QueryObject),
  filter: Type.Optional(QueryObject),
  fields: Type.Optional(FieldChoice),
  projection: Type.Optional(FieldChoice),
  sort: Type.Optional(
    Type.Union([
      Type.Object({ field: Type.String({ minLength: 1 }), direction: Type.Optional(direction) }),
      Type.Record(Type.String(), Type.Union([Type.Literal(1), Type.Literal(-1)])),
    ]),
  ),
  skip,
  limit,
  page: Type.Optional(Type.Object({ skip, limit })),
  expand: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: 20,
      description: "Members that name accounts, to be replaced by them: created_by, user, owner, watchers.",
    }),
  ),
  local: Type.Optional(Type.Unknown({ description: "Accepted and without effect." })),
  entity: Type.Optional(Type.Unknown({ description: "Accepted and without effect." })),
});

export type SearchOptions = Static<typeof SearchOptionsSchema>;

/** One page of a search. `total` counts all matches. */
export function SearchReply<Item extends TSchema>(item: Item) {
  return Type.Object({
    results: Type.Array(item),
    skip: Type.Integer({ minimum: 0 }),
    limit: Type.Integer({ minimum: 0 }),
    total: Type.Integer({ minimum: 0 }),
  });
}
