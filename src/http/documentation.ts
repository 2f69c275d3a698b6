import { readFile } from "node:fs/promises";
import { Type } from "@sinclair/typebox";
import { host, type Application, type HostedApplication } from "../core/application.ts";
import { builtUrl } from "../core/built-url.ts";
import { operationOf, Reply, type Operation } from "../core/operation.ts";
import { homePage, referencePage } from "./documentation-pages.ts";
import { createOpenApiDocument } from "./openapi.ts";

/** What the pages are made of. All of it is fixed while the server runs, and made when first asked for. */
interface DocumentationServices {
  version: string;
  /** The OpenAPI document as text. */
  openApi(): string;
  /** Script of the reference page, and the same packed with gzip. */
  script(): Promise<Script>;
}

interface Script {
  plain: Buffer;
  packed: Buffer;
}

const operation = operationOf<DocumentationServices>();

const page = { roles: "public", responseType: "text/html", response: Type.String() } as const;

/** Scripts and documents of one version may be kept an hour by browsers. */
const cacheControl = "public, max-age=3600";

/** The viewer draws with style attributes, which a policy without `unsafe-inline` would drop. */
const referencePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; " +
  "font-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

const operations: readonly Operation<DocumentationServices>[] = [
  operation({
    ...page,
    name: "getHomePage",
    method: "GET",
    path: "/",
    summary: "First page: name, version and where to go.",
    handle: ({ version }) => homePage(version),
  }),
  operation({
    ...page,
    name: "getReferencePage",
    method: "GET",
    path: "/docs",
    summary: "Page to read and try every operation.",
    handle: () => new Reply(referencePage(), { headers: htmlHeaders }),
  }),
  operation({
    name: "getReferenceScript",
    method: "GET",
    path: "/docs/rapidoc-min.js",
    summary: "Script of the reference page.",
    roles: "public",
    response: Type.String(),
    handle: async ({ script }, { headers }) => scriptReply(await script(), String(headers["accept-encoding"] ?? "")),
  }),
  operation({
    name: "getOpenApi",
    method: "GET",
    path: "/openapi.json",
    aliases: [{ method: "GET", path: "/help/openapi" }],
    summary: "OpenAPI document of every operation.",
    roles: "public",
    response: Type.Unknown(),
    handle: ({ openApi }) => new Reply(openApi(), { headers: { "content-type": "application/json; charset=utf-8" } }),
  }),
];

const htmlHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": referencePolicy,
};

/** Pages and documents about the API itself. */
export const documentation: Application<DocumentationServices> = {
  id: "Documentation",
  name: "Documentation",
  summary: "Describes the API to people and programs.",
  operations,
};

/** The documentation of these applications, ready to be served. */
export function hostDocumentation(applications: readonly HostedApplication[], version: string): HostedApplication {
  let openApi: string | undefined;
  let script: Promise<Script> | undefined;
  const described = [...applications.map(({ application }) => application), documentation as Application];
  return host(documentation, {
    version,
    openApi: () => (openApi ??= JSON.stringify(createOpenApiDocument(described, version))),
    script: () => (script ??= readScript()),
  });
}

async function readScript(): Promise<Script> {
  const read = (name: string) => readFile(builtUrl(import.meta.url, `./${name}`));
  const [plain, packed] = await Promise.all([read("rapidoc-min.js"), read("rapidoc-min.js.gz")]);
  return { plain, packed };
}

function scriptReply(script: Script, acceptEncoding: string): Reply {
  const isPacked = /\bgzip\b/u.test(acceptEncoding);
  const headers = {
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": cacheControl,
    vary: "accept-encoding",
    ...(isPacked && { "content-encoding": "gzip" }),
  };
  return new Reply(isPacked ? script.packed : script.plain, { headers });
}
