/** The document under this `_id`: in its place where the document has one, otherwise in front. */
export function withId<T extends object>(document: T, _id: string): T & { _id: string } {
  return "_id" in document ? { ...document, _id } : { _id, ...document };
}
