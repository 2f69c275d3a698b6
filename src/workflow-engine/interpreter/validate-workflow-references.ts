import { endTaskId, startTaskId, type WorkflowTask } from "../workflow-schema.ts";
import { taskReferences, type TaskReference } from "./job-schemas-references.ts";
import { areDisjoint } from "./validate-workflow-schemas.ts";
import { error, warning, type Finding, type Validation } from "./validate-workflow-findings.ts";
import { loopBody, upstreamOf } from "./workflow-graph.ts";

/** Problems of `$var` and structured references. */
export function referenceFindings(validation: Validation): Finding[] {
  return Object.entries(validation.workflow.tasks)
    .filter(([id]) => id !== startTaskId && id !== endTaskId)
    .flatMap(([id, task]) => {
      const upstream = mayHaveRunBefore(validation, id);
      const findings = taskReferences(task).flatMap((reference) => {
        if (!reference.isResolved) return [warning(id, nestedMessage(reference))];
        if (reference.source === "job") return [];
        return sourceFindings(validation, { id, task, reference, upstream });
      });
      return withoutRepeats(findings);
    });
}

/** Everything upstream, and what the loops upstream have run. */
function mayHaveRunBefore({ graph }: Validation, id: string): ReadonlySet<string> {
  const upstream = upstreamOf(graph, [id]);
  const looped = [...upstream].filter((source) => source !== id).flatMap((source) => [...loopBody(graph, source)]);
  for (const source of looped) upstream.add(source);
  upstream.delete(id);
  return upstream;
}

function nestedMessage({ argument, source, name }: TaskReference): string {
  return `Reference '$var.${source}.${name}' in input '${argument}' is nested too deep and stays text`;
}

interface CheckedReference {
  id: string;
  task: WorkflowTask;
  reference: TaskReference;
  upstream: ReadonlySet<string>;
}

function sourceFindings(validation: Validation, { id, task, reference, upstream }: CheckedReference): Finding[] {
  const { source, argument } = reference;
  if (!Object.hasOwn(validation.workflow.tasks, source)) {
    return [error(id, `Input '${argument}' refers to task '${source}' which does not exist`)];
  }
  if (!upstream.has(source)) {
    return [warning(id, `Input '${argument}' refers to task '${source}' which may not have run before`)];
  }
  return isIncompatible(validation, task, reference)
    ? [warning(id, `Input '${argument}' does not take the type of '${reference.name}' of task '${source}'`)]
    : [];
}

function isIncompatible({ workflow, environment }: Validation, task: WorkflowTask, reference: TaskReference): boolean {
  const { source, name, argument, isWhole, pointer } = reference;
  const sourceTask = workflow.tasks[source];
  if (!isWhole || pointer !== undefined || !sourceTask || name === "error") return false;
  const model = environment.findTask(task);
  const sourceModel = environment.findTask(sourceTask);
  if (typeof model !== "object" || typeof sourceModel !== "object") return false;
  const input = model.incoming.find((known) => known.name === argument)?.schema;
  const output = sourceModel.outgoing.find((known) => known.name === name)?.schema;
  return input !== undefined && output !== undefined && areDisjoint(output, input);
}

function withoutRepeats(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((finding) => [finding.message, finding])).values()];
}
