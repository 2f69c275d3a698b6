/** Headers of every reply. Answers of the API are never cached, framed, sniffed or run. */
const common = {
  "x-content-type-options": "nosniff",
  // Not "no-referrer": browsers would then hide the origin of our own forms as well (Fetch, §3.2).
  "referrer-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

/** For data: nothing in it may be loaded or run, and no page may frame it. */
export const dataHeaders: Readonly<Record<string, string>> = {
  ...common,
  "x-frame-options": "DENY",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
};

/** For pages: own scripts and styles only, nothing inline; framed by own pages only. */
export const pageHeaders: Readonly<Record<string, string>> = {
  ...common,
  "x-frame-options": "SAMEORIGIN",
  "content-security-policy":
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; object-src 'none'; " +
    "base-uri 'none'; form-action 'self'; frame-ancestors 'self'",
};
