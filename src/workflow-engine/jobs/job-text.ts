import type { CompiledWorkflow } from "../interpreter/compiled-workflow.ts";
import type { JobState } from "../interpreter/job-state.ts";
import { runMembers, taskRun, workflowMembers } from "./job-document.ts";

/** Writes the job document (`jobDocument`) as JSON text. */
export interface JobTextWriter {
  /** The text of a job in this state. */
  write(state: JobState, workflow: CompiledWorkflow): string;
  /** Writes the text that is about to be asked for ahead, while there is nothing else to do, unless it is long. */
  writeAhead(state: JobState, workflow: CompiledWorkflow): void;
}

/** Characters of the fixed texts: many jobs may wait for a slow store with what was written ahead. */
const longestAhead = 32_768;

/** What of the text is the same for all jobs of a workflow. */
interface FixedTexts {
  /** The members of the document, with a comma before each. */
  members: string;
  /** By task: its name and its first members, each with a comma behind. */
  tasks: ReadonlyMap<string, string>;
  /** Of all of them. */
  characters: number;
}

/**
 * A writer that writes once what all jobs of a workflow show alike, which is most of a document: whoever starts
 * jobs is answered with thousands of them.
 */
export function createJobTextWriter(): JobTextWriter {
  const known = new WeakMap<CompiledWorkflow, FixedTexts>();
  const fixedOf = (workflow: CompiledWorkflow): FixedTexts => {
    const found = known.get(workflow) ?? fixedTexts(workflow);
    known.set(workflow, found);
    return found;
  };
  const ahead = new WeakMap<JobState, string>();
  const write: JobTextWriter["write"] = (state, workflow) => {
    const { members, tasks } = fixedOf(workflow);
    const run = JSON.stringify(runMembers(state)).slice(0, -1);
    return `${run},"tasks":{${tasksText(state, workflow, tasks)}}${members}}`;
  };
  return {
    write(state, workflow) {
      const text = ahead.get(state) ?? write(state, workflow);
      // It is asked for once, and the state may be remembered for long.
      ahead.delete(state);
      return text;
    },
    writeAhead(state, workflow) {
      if (fixedOf(workflow).characters <= longestAhead) ahead.set(state, write(state, workflow));
    },
  };
}

function fixedTexts(workflow: CompiledWorkflow): FixedTexts {
  const tasks = workflow.taskIds.map((taskId): [string, string] => {
    const members = JSON.stringify(workflow.shownTask(taskId)).slice(0, -1);
    return [taskId, `${JSON.stringify(taskId)}:${members},`];
  });
  const members = `,${JSON.stringify(workflowMembers(workflow)).slice(1, -1)}`;
  const characters = tasks.reduce((sum, [, text]) => sum + text.length, members.length);
  return { members, tasks: new Map(tasks), characters };
}

function tasksText(state: JobState, workflow: CompiledWorkflow, fixed: FixedTexts["tasks"]): string {
  let text = "";
  for (const [taskId, first] of fixed) {
    const run = taskRun(state, workflow, taskId);
    if (run) text += `${text === "" ? "" : ","}${first}${JSON.stringify(run).slice(1)}`;
  }
  return text;
}
