import { expect } from "vitest";
import type { ErrorDetail } from "../../src/core/errors.ts";
import type { TestPlatform, TestReply } from "./platform.ts";

/** The answer to who tries a task. */
export interface Trial {
  finish_state: string | null;
  outgoing: Record<string, unknown>;
  error?: { IAPerror: { displayString: string } };
  variables?: Record<string, unknown>;
  waitsFor?: Record<string, unknown>;
  incoming: Record<string, unknown>;
  duration_ms: number;
}

/** The refusal of a request. */
export interface Refusal {
  code: string;
  metadata: { errors: ErrorDetail[] };
}

export type Given = Record<string, unknown>;

/** Tries tasks on a platform. */
export interface TrialBench {
  attempt<T>(task: string, incoming: Given, variables?: Given): Promise<TestReply<T>>;
  /** A trial that is not refused. */
  tryTask(task: string, incoming: Given, variables?: Given): Promise<Trial>;
  /** What is wrong with one that is refused. */
  refusal(task: string, incoming: Given, variables?: Given): Promise<ErrorDetail[]>;
}

/** Tries tasks on the platform there is when a test runs. */
export function createTrialBench(platform: () => TestPlatform): TrialBench {
  const attempt = <T>(task: string, incoming: Given, variables?: Given) =>
    platform().request<T>("POST", "/workflow_engine/tasks/try", {
      task,
      incoming,
      ...(variables ? { variables } : {}),
    });
  return {
    attempt,
    async tryTask(task, incoming, variables) {
      const { status, body } = await attempt<Trial>(task, incoming, variables);
      expect([status, status === 200 ? undefined : body]).toEqual([200, undefined]);
      return body;
    },
    async refusal(task, incoming, variables) {
      const { status, body } = await attempt<Refusal>(task, incoming, variables);
      expect([status, body]).toMatchObject([400, { code: "BAD_REQUEST" }]);
      return body.metadata.errors;
    },
  };
}
