// Writes openapi.json and docs/reference from the built product; with --check only compares and
// exits 1 naming every file that is out of date.
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { applicationList } from "../dist/applications.js";
import { errorStatuses } from "../dist/core/errors.js";
import { documentation } from "../dist/http/documentation.js";
import { createOpenApiDocument } from "../dist/http/openapi.js";
import { collectionIndexes } from "../dist/store/indexes.js";
import { applicationPage, fileNameOf } from "./reference/application-page.mjs";
import { findingMessage, workflowFindings } from "../dist/workflow-engine/interpreter/workflow-findings.js";
import { findingsPage } from "./reference/findings-page.mjs";
import { errorsPage, indexesPage, overviewPage, rolesPage } from "./reference/overview-pages.mjs";
import { tasksPage } from "./reference/tasks-page.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const referenceFolder = "docs/reference";

async function createFiles() {
  const { version } = JSON.parse(await readFile(`${root}/package.json`, "utf8"));
  const applications = [...applicationList, documentation];
  const pages = {
    "README.md": overviewPage(applications),
    "errors.md": errorsPage(errorStatuses, applications),
    "roles.md": rolesPage(applications),
    "workflow-findings.md": findingsPage(workflowFindings, findingMessage),
    "tasks.md": tasksPage(applications),
    "indexes.md": indexesPage(collectionIndexes),
    ...Object.fromEntries(applications.map((application) => [fileNameOf(application), applicationPage(application)])),
  };
  const files = Object.entries(pages).map(([name, text]) => [`${referenceFolder}/${name}`, text]);
  const openApi = `${JSON.stringify(createOpenApiDocument(applications, version), null, 2)}\n`;
  return new Map([["openapi.json", openApi], ...files]);
}

/** Pages of applications that no longer exist. */
async function findLeftovers(files) {
  const names = await readdir(`${root}/${referenceFolder}`).catch(() => []);
  return names.map((name) => `${referenceFolder}/${name}`).filter((path) => path.endsWith(".md") && !files.has(path));
}

async function findStale(files) {
  const stale = await findLeftovers(files);
  for (const [path, text] of files) {
    const before = await readFile(`${root}/${path}`, "utf8").catch(() => undefined);
    if (before !== text) stale.push(path);
  }
  return stale.toSorted();
}

async function write(files) {
  await mkdir(`${root}/${referenceFolder}`, { recursive: true });
  for (const path of await findLeftovers(files)) await rm(`${root}/${path}`);
  for (const [path, text] of files) await writeFile(`${root}/${path}`, text);
}

const files = await createFiles();
if (process.argv.includes("--check")) {
  const stale = await findStale(files);
  for (const path of stale) console.error(`out of date: ${path} (run: npm run generate)`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  await write(files);
  console.log(`wrote ${files.size} files`);
}
