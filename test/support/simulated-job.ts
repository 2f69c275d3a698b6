import type { FinishState, Task, TaskResult } from "../../src/core/task.ts";
import {
  advance,
  createJob,
  type Activation,
  type ActivationContext,
} from "../../src/workflow-engine/interpreter/advance.ts";
import type { Delta } from "../../src/workflow-engine/interpreter/changes.ts";
import { compileWorkflow, type WorkflowSnapshot } from "../../src/workflow-engine/interpreter/compiled-workflow.ts";
import type { Effect, Environment } from "../../src/workflow-engine/interpreter/draft.ts";
import type { JobEvent } from "../../src/workflow-engine/interpreter/events.ts";
import type { JobOrigin, JobState, Mock } from "../../src/workflow-engine/interpreter/job-state.ts";
import type { WorkflowDocument } from "../../src/workflow-engine/workflow-schema.ts";

/** A person who does things in tests. */
export const tester = { accountId: "tester", username: "tester" };

/** A job driven by hand: no store, no queue, no time but the one given. */
export class SimulatedJob {
  state: JobState;
  readonly deltas: Delta[] = [];
  readonly effects: Effect[] = [];
  at = 1_000_000;
  readonly context: Omit<ActivationContext, "at">;
  readonly origin: JobOrigin;

  constructor(
    workflow: WorkflowDocument,
    options: {
      variables?: Record<string, unknown>;
      mocks?: Record<string, Mock>;
      /** Documents that the snapshot holds. */
      transformations?: WorkflowSnapshot["transformations"];
      environment?: Partial<Environment>;
    } = {},
  ) {
    this.context = {
      workflow: compileWorkflow({ workflow, transformations: options.transformations ?? {} }),
      environment: { ...plainEnvironment, ...options.environment },
    };
    this.origin = {
      _id: "0123456789abcdef01234567",
      snapshot: "hash",
      workflowId: "w",
      name: workflow.name,
      variables: options.variables ?? {},
      initiator: tester,
      groups: [],
      ancestors: [],
      ...(options.mocks ? { mocks: options.mocks } : {}),
    };
    const activation = createJob(this.origin, { ...this.context, at: this.at });
    this.state = activation.state;
    this.keep(activation);
  }

  /** Applies an event one second later. */
  send(event: JobEvent): this {
    this.at += 1_000;
    const activation = advance(this.state, event, { ...this.context, at: this.at });
    this.state = activation.state;
    this.keep(activation);
    return this;
  }

  /** The outside answers the open call of a task. */
  answer(
    task: string,
    finishState: Exclude<FinishState, "loop"> = "success",
    outgoing: Record<string, unknown> = {},
    error?: unknown,
  ): this {
    const result: TaskResult = { finishState, outgoing, ...(error === undefined ? {} : { error }) };
    return this.send({ event: "taskResult", task, iteration: this.iteration(task), result });
  }

  /** A person finishes a manual task. */
  finish(task: string, finishState: "success" | "failure" = "success", variables: Record<string, unknown> = {}): this {
    return this.send({ event: "finishManualTask", task, finishState, variables, by: tester });
  }

  /** The timer of a task is due. */
  ring(task: string): this {
    return this.send({ event: "timerDue", task, iteration: this.iteration(task) });
  }

  iteration(task: string): number {
    return this.state.tasks.get(task)?.iteration ?? -1;
  }

  /** How often a task was started. */
  runs(task: string): number {
    return this.state.tasks.get(task)?.iterations.length ?? 0;
  }

  status(task: string): string | undefined {
    const state = this.state.tasks.get(task);
    return state?.isDead ? "dead" : state?.status;
  }

  /** Effects asked for since the last call, of one kind. */
  take<Kind extends Effect["effect"]>(kind: Kind): Extract<Effect, { effect: Kind }>[] {
    const taken = this.effects.filter((effect) => effect.effect === kind);
    for (const effect of taken) this.effects.splice(this.effects.indexOf(effect), 1);
    return taken as Extract<Effect, { effect: Kind }>[];
  }

  private keep({ delta, effects }: Activation): void {
    if (delta.changes.length > 0) this.deltas.push(delta);
    this.effects.push(...effects);
  }
}

const passThrough = (name: string, run: NonNullable<Task["run"]>): Task => ({
  name,
  app: "WorkFlowEngine",
  type: "automatic",
  displayName: "Tools",
  summary: name,
  incoming: [],
  outgoing: [],
  examples: [],
  run,
});

/** `stub` finishes as its `type` says; `evaluation` as `is` says; everything else is unknown. */
const tasks = new Map<string, Task>([
  [
    "stub",
    passThrough("stub", (incoming) => ({
      finishState: (incoming["type"] ?? "success") as "success",
      outgoing: { response: incoming["response"] ?? null },
      ...(incoming["type"] === "error" ? { error: "stubbed error" } : {}),
    })),
  ],
  ["echo", passThrough("echo", (incoming) => ({ finishState: "success", outgoing: { value: incoming["value"] } }))],
  [
    "countTo",
    passThrough("countTo", (incoming) => ({
      finishState: Number(incoming["value"]) >= Number(incoming["limit"]) ? "success" : "failure",
      outgoing: {},
    })),
  ],
  [
    "plusOne",
    passThrough("plusOne", (incoming) => ({
      finishState: "success",
      outgoing: { sum: Number(incoming["value"]) + 1 },
    })),
  ],
]);

/** An environment of a few plain tasks. */
export const plainEnvironment: Environment = {
  findTask: (name) => tasks.get(name),
  transform: (_document, incoming) => ({ transformed: incoming }),
  childJobId: (_at, origin) => `child of ${origin}`,
  random: () => 0.5,
  effort: { spent: 0 },
};
