import { shapes } from "./shapes.ts";

/** Shapes whose jobs are taken away: trees, large values, canceled jobs. No timer of theirs is longer than a moment. */
const removedNames = [
  "fault child loop",
  "fault nested children",
  "fault large children",
  "fault manual",
  "fault parallel and join",
  "fault cancel",
  "fault loop limits",
  "fault large values",
];

/** The workflow of the n-th job of a run in which jobs are taken away. */
export function removedWorkflow(n: number): string {
  const name = removedNames[Math.floor(n / 2) % removedNames.length] ?? "";
  if (!shapes.some(({ workflow }) => workflow.name === name)) throw new Error(`there is no shape ${name}`);
  return name;
}

/** Workflows that only root jobs run, by how many of their jobs complete: their figures can be counted. */
export const countedNames = removedNames.filter((name) => name !== "fault cancel");
