/**
 * URL of a file that the build makes: a worker's entry, or an asset that is served. `relative` is
 * relative to the built module; a module that itself runs from TypeScript (tests) is given the file in `dist`.
 */
export function builtUrl(importMetaUrl: string, relative: string): URL {
  const url = new URL(relative, importMetaUrl);
  if (!new URL(importMetaUrl).pathname.endsWith(".ts")) return url;
  const at = url.pathname.lastIndexOf("/src/");
  url.pathname = `${url.pathname.slice(0, at)}/dist/${url.pathname.slice(at + "/src/".length)}`;
  return url;
}
