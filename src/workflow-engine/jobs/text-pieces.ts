import { TaskError } from "../../core/task.ts";

/** Characters of a piece, at most: what is in memory of a text that is read, and a document of the store. */
export const pieceCharacters = 1024 * 1024;

/**
 * The text of a source in pieces of so many characters (the last may be shorter, and one ends before a character of
 * two halves rather than in it), none of them empty. Bytes are UTF-8, cut at any place. TaskError for bytes or halves
 * of characters that are none.
 */
export async function* evenPieces(
  source: AsyncIterable<Uint8Array | string> | Iterable<string>,
  characters = pieceCharacters,
): AsyncGenerator<string> {
  let begun = "";
  for await (const text of textsOf(source)) {
    begun += text;
    if (begun.length < characters) continue;
    let at = 0;
    while (begun.length - at >= characters) {
      const end = wholeCharacters(begun, at + characters);
      yield wellFormed(begun.slice(at, end));
      at = end;
    }
    begun = begun.slice(at);
  }
  if (begun !== "") yield wellFormed(begun);
}

async function* textsOf(source: AsyncIterable<Uint8Array | string> | Iterable<string>): AsyncGenerator<string> {
  const decode = createDecoder();
  for await (const piece of source) yield typeof piece === "string" ? piece : decode(piece);
  yield decode();
}

/** Decodes UTF-8 in pieces cut at any place. Without bytes the text ends: half a character is none then. */
function createDecoder(): (bytes?: Uint8Array) => string {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  return (bytes) => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
    } catch {
      throw new TaskError("The text is not UTF-8");
    }
  };
}

/** Without the flag for Unicode it is several times as fast on plain text. */
const halfOfCharacter = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

function wholeCharacters(text: string, end: number): number {
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}

function wellFormed(text: string): string {
  if (halfOfCharacter.test(text)) throw new TaskError("The text holds half of a character");
  return text;
}
