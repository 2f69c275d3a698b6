import { Type, type Static, type TSchema } from "@sinclair/typebox";

/** Path parameter `:name`. */
export const NameParams = Type.Object({ name: Type.String({ minLength: 1 }) });
/** Path parameter `:id`. */
export const IdParams = Type.Object({ id: Type.String({ minLength: 1 }) });

/** Largest page of a list (decision 6): also what a list without `limit` answers at most. */
export const largestPage = 1000;

const limit = Type.Optional(Type.Integer({ minimum: 0, maximum: largestPage, description: "Page size." }));
const skip = Type.Optional(Type.Integer({ minimum: 0, description: "How many matches to pass over." }));
const sort = Type.Optional(Type.String({ description: "Field to sort by; dots reach into documents." }));
const order = Type.Optional(
  Type.Union([Type.Literal(1), Type.Literal(-1)], { description: "1: ascending, -1: descending." }),
);
const fieldList = Type.Optional(Type.String({ description: "Fields, separated by commas." }));

const text = (description: string) => Type.Optional(Type.String({ description }));
const fieldTexts = (description: string) =>
  Type.Optional(Type.Union([Type.Record(Type.String(), Type.String()), Type.String()], { description }));

/** Query of the lists of platform management: spec `platform-management.md` §1.2. */
export const CoreListQuery = Type.Object({
  limit,
  skip,
  sort,
  order,
  equals: text("Exact text that `equalsField` must have."),
  equalsField: text("Field that `equals` looks at. Default: the name."),
  contains: text("Text that `containsField` must contain, upper and lower case alike."),
  containsField: text("Field that `contains` looks at. Default: the name."),
  startsWith: text("Text that `startsWithField` must begin with."),
  startsWithField: text("Field that `startsWith` looks at. Default: the name."),
  multiEquals: fieldTexts("Field to exact text, all must match; as `multiEquals[field]=text` or a JSON object."),
  multiContains: fieldTexts(
    "Field to contained text, all must match; as `multiContains[field]=text` or a JSON object.",
  ),
  multiStartsWith: fieldTexts("Field to beginning, all must match; as `multiStartsWith[field]=text` or a JSON object."),
  include: fieldList,
  exclude: fieldList,
});
export type CoreListQuery = Static<typeof CoreListQuery>;

/** `filter[field]=value`, or a bare value together with `filterField=field`. */
const fieldFilter = Type.Optional(
  Type.Union([Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())])), Type.String()]),
);

/** Query of the lists of the newer applications: spec `platform-management.md` §1.3, `workflow-engine.md` §9.1. */
export const FilterListQuery = Type.Object({
  limit,
  skip,
  sort,
  order,
  include: fieldList,
  exclude: fieldList,
  dereference: fieldList,
  equals: fieldFilter,
  equalsField: text("Field of a bare `equals`."),
  contains: fieldFilter,
  containsField: text("Field of a bare `contains`."),
  "not-equals": fieldFilter,
  "starts-with": fieldFilter,
  "ends-with": fieldFilter,
  in: fieldFilter,
  "not-in": fieldFilter,
  gt: fieldFilter,
  gte: fieldFilter,
  lt: fieldFilter,
  lte: fieldFilter,
});
export type FilterListQuery = Static<typeof FilterListQuery>;

/** Reply of a list of platform management: `total` counts all matches before paging (decision 6). */
export function ListReply<Item extends TSchema>(item: Item) {
  return Type.Object({ results: Type.Array(item), total: Type.Integer({ minimum: 0 }) });
}

/** Reply of an operation that changed something: spec `platform-management.md` §1.4. */
export function ChangeReply<Data extends TSchema>(data: Data) {
  return Type.Object({ status: Type.String(), message: Type.String(), data: Type.Optional(data) });
}

/** The one error body (decision 5). `path` is a JSON pointer that begins with `/params`, `/query` or `/body`. */
export const ErrorBody = Type.Object({
  code: Type.String({ examples: ["NOT_FOUND"] }),
  message: Type.String(),
  data: Type.Null(),
  metadata: Type.Object({
    errors: Type.Array(Type.Object({ path: Type.String(), message: Type.String() })),
  }),
});
export type ErrorBody = Static<typeof ErrorBody>;
