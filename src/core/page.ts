/** Which part of a list is asked for. */
interface Place {
  skip: number;
  limit: number;
}

/** How a list is read: its part, and how many match in all. */
interface PageReads<T> {
  find: () => Promise<T[]>;
  count: () => Promise<number>;
}

/**
 * One page of a list, and the exact number of matches before paging (decision 6). A first page with room left is the
 * whole list and tells the number itself, which saves most lists one of two reads.
 */
export async function readPage<T>(
  { skip, limit }: Place,
  { find, count }: PageReads<T>,
): Promise<{ results: T[]; total: number }> {
  if (skip > 0) {
    const [results, total] = await Promise.all([find(), count()]);
    return { results, total };
  }
  const results = await find();
  return { results, total: results.length < limit ? results.length : await count() };
}
