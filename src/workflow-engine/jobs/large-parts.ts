/** Values whose JSON text is longer (in characters) are stored once and referred to. */
export const largestInline = 256 * 1024;

/** A value that is stored by its content hash. */
export interface LargeReference {
  /**
   * The root job of the tree it belongs to, a dot, and the SHA-256 of its text in hex; for a text that is kept in
   * pieces `s` and that of their hashes. Logs of older releases: the hash alone.
   */
  id: string;
  /** Characters of its JSON text. */
  size: number;
}

/** A part that was taken out of a document: `null` stands in its place. */
export interface LargePart extends LargeReference {
  /** Member names and indexes that lead from the document to its place. */
  at: readonly (string | number)[];
}

/** A document of the collection `large_values`: a value that fits into memory. */
export interface LargeValueDocument {
  _id: string;
  /** JSON text of the value. */
  text: string;
  /** Parts of it that are stored on their own. */
  large?: readonly LargePart[];
}

/** Another: a text in pieces, each a document of its own. Written after them, so that there is all of it or nothing. */
export interface StoredTextDocument {
  _id: string;
  /** Characters of the text. */
  size: number;
  /** SHA-256 of each piece in hex, in order. */
  pieces: readonly string[];
}

/** A piece of such texts. */
export interface PieceDocument {
  _id: string;
  text: string;
}

export const largeValueCollection = "large_values";

/** Identifier of a text in pieces by its root job and the SHA-256 of the hashes of its pieces. */
export function storedTextId(root: string, hash: string): string {
  return `${largeValuePrefix(root)}s${hash}`;
}

/** Identifier of a piece by its SHA-256. */
export function pieceId(root: string, hash: string): string {
  return `${largeValuePrefix(root)}p${hash}`;
}

/** Is the value with this identifier a text in pieces? Its handle takes no memory to speak of. */
export function isStoredText(id: string): boolean {
  return /\.s[\da-f]{64}$/u.test(id);
}

/** The root job of the tree that a large value belongs to; undefined for what is no identifier of one. */
export function rootOfValue(id: string): string | undefined {
  return /^(.+)\.s?[\da-f]{64}$/su.exec(id)?.[1];
}

/**
 * Beginning of the identifiers of all large values of a tree of jobs. A value lives as long as the tree: nobody
 * else refers to it, so it goes with the tree, and no job that runs meanwhile can miss it.
 */
export function largeValuePrefix(root: string): string {
  return `${root}.`;
}

/** The job at the top of a tree: itself for a job without a parent. */
export function rootOf({ _id, ancestors }: { _id: string; ancestors: readonly string[] }): string {
  return ancestors[0] ?? _id;
}

/** Puts values back where parts were taken out. Changes the document in place: it was parsed just now. */
export function placeParts(document: object, parts: readonly LargePart[], valueOf: (part: LargePart) => unknown): void {
  for (const part of parts) {
    const last = part.at.at(-1);
    const holder = part.at.slice(0, -1).reduce<unknown>((value, name) => memberOf(value, name), document);
    if (last === undefined || !isHolder(holder) || !Object.hasOwn(holder, last))
      throw new Error(`a document has no place ${part.at.join("/")} for its large value`);
    holder[last] = valueOf(part);
  }
}

function memberOf(value: unknown, name: string | number): unknown {
  return isHolder(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function isHolder(value: unknown): value is Record<string | number, unknown> {
  return typeof value === "object" && value !== null;
}
