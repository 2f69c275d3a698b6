import { badRequest } from "../core/errors.ts";

/** A request target taken apart: decoded path segments, and the query text without its question mark. */
export interface RequestTarget {
  segments: readonly string[];
  query: string;
}

const origin = /^https?:\/\/[^/?#]*/iu;

/**
 * Takes a request target apart by the router rules of decision 7: one trailing slash and duplicate
 * slashes ignored, trailing blanks trimmed, percent-decoding exactly once and only after splitting,
 * so that a parameter may hold `/` as `%2F`. Malformed encoding and NUL are refused.
 */
export function parseRequestTarget(target: string): RequestTarget {
  const relative = target.startsWith("/") ? target : target.replace(origin, "");
  const fragmentAt = relative.indexOf("#");
  const whole = fragmentAt < 0 ? relative : relative.slice(0, fragmentAt);
  const queryAt = whole.indexOf("?");
  const path = queryAt < 0 ? whole : whole.slice(0, queryAt);
  return { segments: splitPath(path), query: queryAt < 0 ? "" : whole.slice(queryAt + 1) };
}

function splitPath(path: string): string[] {
  const segments: string[] = [];
  for (const segment of withoutTrailingBlanks(path).split("/")) {
    if (segment !== "") segments.push(segment.includes("%") ? decode(segment) : segment);
  }
  return segments;
}

/** Step by step: a pattern would take quadratic time on a path full of blanks. */
function withoutTrailingBlanks(path: string): string {
  let end = path.trimEnd();
  while (end.endsWith("%20")) end = end.slice(0, -3).trimEnd();
  return end;
}

function decode(segment: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(segment);
  } catch {
    throw badRequest("The path is not valid percent-encoded UTF-8.", [{ path: "/params", message: "is malformed" }]);
  }
  if (decoded.includes("\0")) {
    throw badRequest("The path contains a NUL character.", [{ path: "/params", message: "contains NUL" }]);
  }
  return decoded;
}
