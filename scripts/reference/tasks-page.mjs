import { code, page, table, typeText } from "./schema-text.mjs";

/** Tasks of workflows: those of the applications, then operations that are offered as tasks. */
export function tasksPage(applications) {
  const withTasks = applications.filter(({ tasks = [] }) => tasks.length > 0);
  const asTasks = applications.flatMap(({ id, operations }) =>
    operations.filter(({ task }) => task).map((operation) => ({ id, operation })),
  );
  return page(
    "# Tasks",
    "Generated from the product itself by `npm run generate`. Every example is run as a test.",
    overview(withTasks.flatMap(({ tasks }) => tasks)),
    withTasks.map(({ name, tasks }) => [`## ${name}`, groups(tasks).map(groupParts)]),
    asTasks.length > 0 ? "## Operations as tasks" : "",
    table(
      ["Application", "Task", "Takes", "Gives", "What it does"],
      asTasks.map(({ id, operation: { name, task, summary } }) => [
        id,
        code(name),
        task.incoming.map(code).join(", "),
        code(task.outgoing),
        summary,
      ]),
    ),
  );
}

/** One row for each task, by its name. */
function overview(tasks) {
  const names = (variables) => variables.map(({ name }) => code(name)).join(", ");
  const rows = tasks
    .toSorted((one, other) => one.name.localeCompare(other.name, "en"))
    .map(({ name, displayName, type, incoming, outgoing }) => [
      `[${name}](#${name.toLowerCase()})`,
      displayName,
      type,
      names(incoming),
      names(outgoing),
    ]);
  return table(["Task", "Palette", "Type", "Incoming", "Outgoing"], rows);
}

function groups(tasks) {
  const byName = new Map();
  for (const task of tasks) byName.set(task.displayName, [...(byName.get(task.displayName) ?? []), task]);
  return [...byName];
}

function groupParts([displayName, tasks]) {
  return [`### ${displayName}`, tasks.map(taskParts)];
}

function taskParts({ name, type, summary, description = "", incoming, outgoing, examples }) {
  const incomingRows = incoming.map(({ name: argument, schema, isOptional }) => [
    code(argument),
    typeText(schema),
    isOptional ? "no" : "yes",
    schema.description ?? "",
  ]);
  const outgoingText = outgoing
    .map(({ name: variable, schema }) => `${code(variable)} (${typeText(schema)})`)
    .join(", ");
  return [
    `#### ${name}`,
    `${summary} (${type})`,
    description,
    table(["Incoming", "Type", "Required", "Meaning"], incomingRows),
    `Outgoing: ${outgoingText || "nothing"}.`,
    examples.map(exampleText),
  ];
}

function exampleText({ incoming, outgoing, finishState = "success", error }) {
  const given = code(JSON.stringify(incoming));
  if (error !== undefined) return `Example: ${given} ends in \`error\`: ${error}`;
  return `Example: ${given} gives ${code(JSON.stringify(outgoing ?? {}))} (\`${finishState}\`).`;
}
