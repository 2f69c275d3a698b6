import { escapeHtml } from "../core/html.ts";

function document(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
${content}
</html>
`;
}

/** First page for people who open the server in a browser. */
export function homePage(version: string): string {
  return document(
    "Linewright",
    `</head>
<body>
<main>
<h1>Linewright</h1>
<p>Network automation, version ${escapeHtml(version)}.</p>
<ul>
<li><a href="/docs">Read and try the operations</a></li>
<li><a href="/openapi.json">OpenAPI document</a></li>
<li><a href="/health/status">Health of this server</a></li>
</ul>
</main>
</body>`,
  );
}

/** Page with the viewer of the OpenAPI document; loads nothing from elsewhere. */
export function referencePage(): string {
  return document(
    "Linewright API",
    `<script type="module" src="/docs/rapidoc-min.js"></script>
</head>
<body>
<rapi-doc spec-url="/openapi.json" render-style="focused" schema-style="table" show-method-in-nav-bar="as-colored-block" load-fonts="false"
  allow-spec-url-load="false" allow-spec-file-load="false" allow-server-selection="false" show-header="false"></rapi-doc>
</body>`,
  );
}
