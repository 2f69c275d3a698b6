import type { TSchema } from "@sinclair/typebox";
import type { Task } from "../core/task.ts";
import { describeArguments, type ArgumentKinds } from "./arguments.ts";

interface EngineTask {
  name: string;
  summary: string;
  description?: string;
  /** In the order of the arguments. */
  incoming: ArgumentKinds;
  outgoing: readonly (readonly [name: string, schema: TSchema])[];
  examples: Task["examples"];
}

/** The model of a task in which the engine itself acts. It has no computation of its own. */
export function defineEngineTask({ incoming, outgoing, ...model }: EngineTask): Task {
  return {
    ...model,
    app: "WorkFlowEngine",
    type: "operation",
    displayName: "WorkFlowEngine",
    incoming: describeArguments(incoming),
    outgoing: outgoing.map(([name, schema]) => ({ name, schema })),
  };
}

/** The model of a task that people work in a page of the engine. */
export function defineManualTask(model: EngineTask): Task {
  return { ...defineEngineTask(model), type: "manual", view: `/workflow_engine/task/${model.name}` };
}
