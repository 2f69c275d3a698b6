import { endTaskId } from "../workflow-schema.ts";
import { choicesOf, isDecision, type Choice } from "./decisions.ts";
import { finding, type Finding, type Validation } from "./validate-workflow-findings.ts";
import { edgesFrom, type Edge } from "./workflow-graph.ts";

/** Problems of the tasks that choose their way: choices that lead nowhere, and ways that are never chosen. */
export function decisionFindings(validation: Validation): Finding[] {
  return Object.entries(validation.workflow.tasks)
    .filter(([, task]) => isDecision(task))
    .flatMap(([id, task]) => {
      const edges = edgesFrom(validation.graph, id);
      const choices = choicesOf(task);
      if (choices === undefined) return [];
      return [
        ...choiceFindings(id, choices, edges),
        ...defaultFindings(id, choices),
        ...fallbackFindings(validation, id, { choices, edges }),
      ];
    });
}

function choiceFindings(id: string, choices: readonly Choice[], edges: readonly Edge[]): Finding[] {
  const led = edges.filter(({ state }) => state === "success").map(({ to }) => to);
  const named = choices.map(({ next }) => next);
  const lost = named.filter((next) => next !== undefined).filter((next) => !led.includes(next));
  const isOpen = named.includes(undefined);
  const unchosen = isOpen ? [] : led.filter((to) => !named.includes(to));
  return [
    ...lost.map((next) => finding("unled-choice", id, { next })),
    ...unchosen.map((to) => finding("unchosen-transition", id, { to })),
  ];
}

function defaultFindings(id: string, choices: readonly Choice[]): Finding[] {
  const first = choices.findIndex(({ isDefault }) => isDefault);
  const isLast = first < 0 || first === choices.length - 1;
  return isLast ? [] : [finding("choices-behind-default", id, {})];
}

function fallbackFindings(
  { flow }: Validation,
  id: string,
  { choices, edges }: { choices: readonly Choice[]; edges: readonly Edge[] },
): Finding[] {
  const isCovered = choices.some(({ isDefault }) => isDefault) || edges.some(({ state }) => state === "failure");
  if (isCovered || !flow?.isOnEveryWay(id, endTaskId)) return [];
  return [finding("undecided-decision", id, {})];
}
