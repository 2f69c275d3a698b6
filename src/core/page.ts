import type { Json } from "./json.ts";

/** Which part of a list is asked for, and how. */
export interface PageOptions {
  /** Dotted paths to 1 or -1, in order of importance. */
  sort: Readonly<Record<string, 1 | -1>>;
  skip: number;
  limit: number;
  /** Dotted paths to keep (1) or to leave out (0). */
  fields?: Readonly<Record<string, 0 | 1>>;
}

type Query = { readonly [path: string]: Json | undefined };

/** What a page is read from: a store. */
export interface PageSource {
  find<T extends object>(collection: string, query: Query, options: PageOptions): Promise<T[]>;
  count(collection: string, query: Query): Promise<number>;
}

/**
 * One page of what matches in a collection, and the exact number of matches before paging (decision 6). A first page
 * with room left is the whole list and tells the number itself, which saves most lists one of two reads.
 */
export async function readPage<T extends object>(
  source: PageSource,
  collection: string,
  query: Query,
  options: PageOptions,
): Promise<{ results: T[]; total: number }> {
  const find = () => source.find<T>(collection, query, options);
  const count = () => source.count(collection, query);
  if (options.skip > 0) {
    const [results, total] = await Promise.all([find(), count()]);
    return { results, total };
  }
  const results = await find();
  return { results, total: results.length < options.limit ? results.length : await count() };
}
