import { code, page, table } from "./schema-text.mjs";

/** Everything that validation of workflows can find: code, message, meaning, example. */
export function findingsPage(findings, messageOf) {
  const rows = (severity) =>
    Object.entries(findings)
      .filter(([, finding]) => finding.severity === severity)
      .map(([name, { message, meaning, example }]) => {
        const hasPlaces = Object.keys(example).length > 0;
        return [code(name), code(message), meaning, hasPlaces ? code(messageOf(name, example)) : ""];
      });
  const heads = ["Code", "Message", "Meaning", "Example"];
  return page(
    "# Findings of workflow validation",
    "Generated from the product itself by `npm run generate`.",
    "A finding is told as `{ task, name, message }`: the id of the task, its name, and the message below with its places filled. The code names it here. Nothing of it blocks saving.",
    "## Errors",
    "A job of a workflow with an error is refused.",
    table(heads, rows("error")),
    "## Warnings",
    "Something to think about. A way in a message names tasks and the states in which they end.",
    table(heads, rows("warning")),
  );
}
