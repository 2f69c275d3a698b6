/** Text for an address: everything but letters, digits and `_.-~` as percent codes of UTF-8. A query takes `+` for blanks and codes `/`. */
export function urlQuote(text: string, forQuery: boolean): string {
  const coded = encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd")).replace(
    /[!'()*]/gu,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return forQuery ? coded.replaceAll("%20", "+") : coded.replaceAll("%2F", "/");
}
