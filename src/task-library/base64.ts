import { checkTextLength } from "./limits.ts";

const chunkLength = 8192;

/** Base64 of the text's UTF-8 bytes (RFC 4648 §4), which for ASCII are its characters. */
export function asciiToBase64(text: string): string {
  checkTextLength(Math.ceil(text.length / 3) * 4);
  const bytes = new TextEncoder().encode(text);
  const pieces: string[] = [];
  for (let start = 0; start < bytes.length; start += chunkLength) {
    pieces.push(String.fromCharCode(...bytes.subarray(start, start + chunkLength)));
  }
  return btoa(pieces.join(""));
}

/** The text behind Base64: read as UTF-8 where the bytes are that, otherwise one character per byte. */
export function base64ToAscii(base64: string): string {
  const characters = atob(base64);
  const bytes = Uint8Array.from(characters, (character) => character.charCodeAt(0));
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return characters;
  }
}
