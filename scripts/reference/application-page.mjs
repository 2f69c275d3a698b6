import { code, memberRows, page, table, typeText } from "./schema-text.mjs";

/** `IntegrationModels` → `integration-models.md`. */
export function fileNameOf({ id }) {
  const words = id.replaceAll(/([a-z])([A-Z])|([A-Z])([A-Z][a-z])/gu, "$1$3-$2$4");
  return `${words.toLowerCase()}.md`;
}

/** Reference of one application: its operations with parameters, bodies and replies. */
export function applicationPage(application) {
  const { name, id, summary, operations, tasks = [] } = application;
  const built = operations.filter(({ handle }) => handle).length;
  const counts = `Application ${code(id)}. ${operations.length} operations, ${built} of them built.`;
  const tasksLine = tasks.length > 0 ? `${tasks.length} tasks: see [tasks](tasks.md).` : "";
  return page(`# ${name}`, summary, counts, tasksLine, operations.map(operationParts));
}

function operationParts(operation) {
  const { name, method, path, aliases = [], summary, description = "", deprecated, handle } = operation;
  const others = aliases.map((alias) => code(`${alias.method} ${alias.path}`)).join(", ");
  return [
    `## ${name}`,
    code(`${method} ${path}`) + (others ? ` – also ${others}` : ""),
    handle ? summary : `${summary} **Not built yet: answers 501.**`,
    deprecated ? "Deprecated." : "",
    description,
    `Roles: ${rolesText(operation.roles)}.`,
    parametersTable(operation),
    bodyPart(operation),
    replyPart(operation),
    taskPart(operation.task),
  ];
}

export function rolesText(roles) {
  if (roles === "public") return "none needed, no login";
  return roles === "authenticated" ? "any account" : roles.join(", ");
}

function parametersTable({ path, params, query }) {
  const names = path.split("/").flatMap((segment) => (segment.startsWith(":") ? [segment.slice(1)] : []));
  const fromPath = names.map((name) => {
    const schema = params?.properties[name] ?? { type: "string" };
    return [code(name), "path", typeText(schema), "yes", schema.description ?? ""];
  });
  const fromQuery = memberRows(query).map(([name, ...rest]) => [name, "query", ...rest]);
  return table(["Parameter", "In", "Type", "Required", "Meaning"], [...fromPath, ...fromQuery]);
}

function bodyPart({ body, isBodyOptional, ignoredMembers = [] }) {
  if (!body) return [];
  const ignored = ignoredMembers.length > 0 ? `Passed over: ${ignoredMembers.map(code).join(", ")}.` : "";
  return [
    `Body${isBodyOptional ? " (may be missing)" : ""}: ${typeText(body)}.`,
    table(["Member", "Type", "Required", "Meaning"], memberRows(body)),
    ignored,
  ];
}

function replyPart({ response, status = 200, responseType = "application/json", documentedAs, handle }) {
  if (!handle) return "";
  const itself = documentedAs ? ` Carries itself as ${code(documentedAs)} too.` : "";
  const type = responseType === "application/json" ? typeText(response) : responseType;
  return `Reply ${status}: ${type}.${itself}`;
}

function taskPart(task) {
  if (!task) return "";
  const incoming = task.incoming.map(code).join(", ") || "nothing";
  return `Also a task of workflows: takes ${incoming}, gives ${code(task.outgoing)}.`;
}
