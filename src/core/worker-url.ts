/**
 * URL of a worker's entry, `relativeJs` being relative to the built module. Workers run built
 * JavaScript: a module that itself runs from TypeScript (tests) starts the worker's twin in `dist`.
 */
export function workerUrl(importMetaUrl: string, relativeJs: string): URL {
  const url = new URL(relativeJs, importMetaUrl);
  if (!new URL(importMetaUrl).pathname.endsWith(".ts")) return url;
  const at = url.pathname.lastIndexOf("/src/");
  url.pathname = `${url.pathname.slice(0, at)}/dist/${url.pathname.slice(at + "/src/".length)}`;
  return url;
}
