import type { IncomingHttpHeaders } from "node:http";
import { PlatformError } from "../core/errors.ts";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);
/** Sent by browsers only, which let no page set it: an own page, or the person by hand. */
const ownSites = new Set(["same-origin", "none"]);

/** Where a request says that it comes from, and where it goes to. */
export interface Journey {
  method: string;
  headers: IncomingHttpHeaders;
  /** Host and port the client asked for. */
  host: string;
}

/**
 * Refuses a state-changing request that a browser was made to send by another site. Browsers tell
 * (`Sec-Fetch-Site`, Fetch Metadata; `Origin`, RFC 6454 §7); other clients send neither and pass.
 * Only called for requests whose right comes from the cookie, or that need none.
 */
export function refuseCrossSite({ method, headers, host }: Journey, trustedOrigins: ReadonlySet<string>): void {
  if (safeMethods.has(method) || ownSites.has(String(headers["sec-fetch-site"]))) return;
  const { origin } = headers;
  if (origin !== undefined && trustedOrigins.has(origin)) return;
  const isForeign =
    origin === undefined ? headers["sec-fetch-site"] === "cross-site" : hostOf(origin) !== host.toLowerCase();
  if (isForeign) throw new PlatformError("FORBIDDEN", "This request came from another site and was refused.");
}

/** Host and port of an origin; undefined for `null` and anything that is no origin. */
function hostOf(origin: string): string | undefined {
  return /^https?:\/\/([^/]+)$/iu.exec(origin)?.[1]?.toLowerCase();
}
