import { pipeline, Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { RequestError } from "./request-error.ts";

type Unpack = (first: Buffer) => Transform;

/** What unpacks a body, by the name of its encoding and its first piece. */
const unpackers: ReadonlyMap<string, Unpack> = new Map<string, Unpack>([
  ["gzip", () => createGunzip()],
  ["x-gzip", () => createGunzip()],
  // With the head of zlib (RFC 9110 §8.4.1.2), or without, as some servers have it.
  ["deflate", ([head = 0]) => ((head & 0x0f) === 8 ? createInflate() : createInflateRaw())],
  ["br", () => createBrotliDecompress()],
]);

/**
 * A body as it was before it was packed. Nothing is asked for packed, but some answer so. The body is destroyed with
 * what is answered. RequestError for an encoding that is not known.
 */
export function unpackedBody(encoding: string | string[] | undefined, body: Readable): Readable {
  const name = String(encoding ?? "")
    .trim()
    .toLowerCase();
  if (name === "identity" || name === "") return body;
  const unpack = unpackers.get(name);
  if (!unpack) {
    body.destroy();
    throw new RequestError(`the answer is encoded as ${name.slice(0, 40)}, which is not known here`);
  }
  const unpacked = Readable.from(unpackedPieces(body, unpack), { objectMode: false });
  return unpacked.once("close", () => body.destroy());
}

async function* unpackedPieces(body: Readable, unpack: Unpack): AsyncGenerator<Buffer> {
  const pieces = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const first = await pieces.next();
  // Nothing was packed: an answer without a body may be marked all the same.
  if (first.done) return;
  const unpacker = unpack(first.value);
  // What fails is told by the reading of what is unpacked.
  pipeline(Readable.from(following(first.value, pieces), { objectMode: false }), unpacker, () => undefined);
  yield* unpacker as AsyncIterable<Buffer>;
}

async function* following(first: Buffer, pieces: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value;
}
