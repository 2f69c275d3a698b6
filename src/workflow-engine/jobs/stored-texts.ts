import { createHash } from "node:crypto";
import { StoredValue } from "../../core/stored-value.ts";
import type { Store } from "../../store/store.ts";
import {
  largeValueCollection,
  pieceId,
  rootOfValue,
  storedTextId,
  type LargeReference,
  type PieceDocument,
  type StoredTextDocument,
} from "./large-parts.ts";

/** The handle of a text that is kept in pieces. It reads the store when it is opened. */
export function storedValueOf(store: Store, { id, size }: LargeReference): StoredValue {
  return new StoredValue({ id, size, root: rootOfText(id) }, () => openText(store, id));
}

/** The pieces of a text in order; while one is taken the next is read. An Error when the store lacks it or one of them. */
export async function* openText(store: Store, id: string): AsyncGenerator<string> {
  const stored = await store.read<StoredTextDocument>(largeValueCollection, id);
  if (!stored) throw lost(id);
  const { pieces } = stored.document;
  const ids = pieces.map((hash) => pieceId(rootOfText(id), hash));
  let next = readPiece(store, id, ids[0]);
  for (const following of [...ids.slice(1), undefined]) {
    const text = await next;
    next = readPiece(store, id, following);
    // Told when it is its turn; who stops before is not to be told.
    next.catch(() => undefined);
    yield text;
  }
}

async function readPiece(store: Store, id: string, piece: string | undefined): Promise<string> {
  if (piece === undefined) return "";
  const stored = await store.read<PieceDocument>(largeValueCollection, piece);
  if (!stored) throw lost(id);
  return stored.document.text;
}

function rootOfText(id: string): string {
  const root = rootOfValue(id);
  if (root === undefined) throw new Error(`${id} is no large value`);
  return root;
}

function lost(id: string): Error {
  return new Error(`large value ${id} is not in the store`);
}

/** Writes a text piece by piece. Nothing of it can be found before `finish`. */
export class TextWriter {
  readonly #root: string;
  readonly #commit: (document: object) => Promise<void>;
  readonly #pieces: string[] = [];
  #size = 0;

  /** `root`: the root job of its tree. `commit`: writes a document unless it is there. */
  constructor(root: string, commit: (document: object) => Promise<void>) {
    this.#root = root;
    this.#commit = commit;
  }

  /** Resolves when the next piece is durable. */
  async write(text: string): Promise<void> {
    const hash = sha256(text);
    this.#pieces.push(hash);
    this.#size += text.length;
    const document: PieceDocument = { _id: pieceId(this.#root, hash), text };
    await this.#commit(document);
  }

  /** Makes the value of all pieces. */
  async finish(): Promise<LargeReference> {
    const id = storedTextId(this.#root, sha256(this.#pieces.join("")));
    const document: StoredTextDocument = { _id: id, size: this.#size, pieces: this.#pieces };
    await this.#commit(document);
    return { id, size: this.#size };
  }
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
