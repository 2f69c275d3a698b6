import { fileNameOf } from "./application-page.mjs";
import { code, page, table } from "./schema-text.mjs";

const generated = "Generated from the product itself by `npm run generate`.";

/** Start page of the reference. */
export function overviewPage(applications) {
  const rows = applications.map((application) => {
    const { name, summary, operations } = application;
    const built = operations.filter(({ handle }) => handle).length;
    return [`[${name}](${fileNameOf(application)})`, operations.length, built, summary];
  });
  return page(
    "# Reference",
    generated,
    table(["Application", "Operations", "Built", "What it does"], rows),
    "See also: [tasks](tasks.md), [roles](roles.md), [errors](errors.md), [findings of workflow validation](workflow-findings.md), [indexes](indexes.md).",
  );
}

const styleTexts = {
  object: "the object above",
  string: "the message as a JSON string; the code is in the header `X-Error-Code`",
  status: 'for a taken name `{ "status": "failure", "message": … }`, else the object above',
};

/** Error codes, and how the applications write them. */
export function errorsPage(errorStatuses, applications) {
  const shape = {
    code: "NOT_FOUND",
    message: "…",
    data: null,
    metadata: { errors: [{ path: "/body/name", message: "…" }] },
  };
  return page(
    "# Errors",
    generated,
    "Every error has one of these codes:",
    table(
      ["Code", "Status"],
      Object.entries(errorStatuses).map(([name, status]) => [code(name), status]),
    ),
    "It is answered in this form; `path` is a JSON pointer that begins with `/params`, `/query` or `/body`:",
    `\`\`\`json\n${JSON.stringify(shape, null, 2)}\n\`\`\``,
    "401 carries `WWW-Authenticate`, 405 `Allow`, 429 and 503 `Retry-After`. An error of the server itself is told as a reference that its log has too.",
    "Applications write errors in one of three styles:",
    table(
      ["Application", "Errors are"],
      applications.map(({ name, errorStyle = "object" }) => [name, styleTexts[errorStyle]]),
    ),
  );
}

/** Which role allows what, per application. */
export function rolesPage(applications) {
  const parts = applications.map(({ id, name, operations }) => {
    const roles = [
      ...new Set(operations.flatMap((operation) => (Array.isArray(operation.roles) ? operation.roles : []))),
    ];
    const rows = roles
      .toSorted((a, b) => a.localeCompare(b, "en"))
      .map((role) => [code(role), allowedNames(operations, role)]);
    const free = ["public", "authenticated"].map((kind) => [kind, operations.filter(({ roles: who }) => who === kind)]);
    const freeRows = free.filter(([, list]) => list.length > 0).map(([kind, list]) => [`(${kind})`, namesOf(list)]);
    return [`## ${name} (${code(id)})`, table(["Role", "Operations"], [...rows, ...freeRows])];
  });
  return page(
    "# Roles",
    generated,
    "A role belongs to an application: `admin` of one allows nothing in another. (public) needs no login, (authenticated) any account.",
    parts,
  );
}

function allowedNames(operations, role) {
  return namesOf(operations.filter(({ roles }) => Array.isArray(roles) && roles.includes(role)));
}

function namesOf(operations) {
  return operations.map(({ name }) => name).join(", ");
}

/** Collections of the database and their indexes. */
export function indexesPage(collectionIndexes) {
  const rows = Object.entries(collectionIndexes).flatMap(([collection, indexes]) =>
    indexes.length === 0
      ? [[code(collection), "–", "", ""]]
      : indexes.map(({ name, fields, isUnique }) => [
          code(collection),
          name,
          fields.map(code).join(", "),
          isUnique ? "yes" : "no",
        ]),
  );
  return page("# Indexes", generated, table(["Collection", "Index", "Fields", "Unique"], rows));
}
