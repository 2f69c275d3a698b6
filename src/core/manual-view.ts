import type { Caller } from "./caller.ts";
import type { Html } from "./html.ts";

/** How a person may end a manual task. `retry` belongs to ErrorHandling: the task is left by the transition that leads back. */
export type ManualFinishState = "success" | "failure" | "error" | "retry";

/** A page on which people work a manual task, as its application declares it (decision 8). */
export interface ManualView {
  /** Name of the task and of the operation that shows the page. */
  name: string;
  /** Path of the page: the `view` of the task. */
  path: string;
  summary: string;
  /** Name and summary of the operation that finishes the task. */
  finish: { name: string; summary: string };
  /** What the page offers. */
  finishStates: readonly ManualFinishState[];
}

/** The job and task a page is for. `task`: identifier of the iteration, or the task id. */
export interface TaskPlace {
  job: string;
  task: string;
}

/** A manual task with its values resolved. Times are milliseconds since the epoch. */
export interface ManualTask {
  job: { _id: string; name: string; description: string; status: string };
  /** `_id`: identifier of the iteration. `owner`: who claimed it, empty for nobody. */
  task: {
    _id: string;
    taskId: string;
    name: string;
    summary: string;
    description: string;
    status: string;
    view: string;
    owner: string;
    finish_state?: string;
  };
  incoming: Readonly<Record<string, unknown>>;
  outgoing: Readonly<Record<string, unknown>>;
  error: unknown;
  /** States of which a transition leads on. */
  exits: ReadonlySet<string>;
}

/** What a page is made of. */
export interface ManualViewContext extends ManualTask {
  caller: Caller;
  /** The document of a job the caller may see, every task merged with its latest iteration; NOT_FOUND otherwise. */
  readJob(jobId: string): Promise<Record<string, unknown>>;
}

/** One button of a page. */
export interface ManualChoice {
  finish_state: ManualFinishState;
  label: string;
}

/** The content of a page. */
export interface ManualPage {
  title: string;
  choices: readonly ManualChoice[];
  /** What the page shows, computed from the values of the task. */
  data: object;
  /** The same for people. */
  content(): Html;
  /** Controls named `variables[<outgoing>]`. */
  fields?(): Html;
  /** A JSON file that the page offers. */
  download?: { fileName: string; value: unknown };
}

/** Computes the page of a task. */
export type OpenManualPage = (context: ManualViewContext) => ManualPage | Promise<ManualPage>;

/** Pages by path. */
export type ManualPageOpeners = Readonly<Record<string, OpenManualPage>>;

/** What works a manual task (workflow-engine.md §7.3.5), with the data of its page. */
export interface ManualTaskController {
  job: ManualTask["job"];
  task: ManualTask["task"];
  variables: { incoming: object; outgoing: object };
  error: unknown;
  view: string;
  /** Null where the page is not one of this platform. */
  page: (Pick<ManualPage, "title" | "choices"> & { data: object; download?: string }) | null;
  /** Why the caller cannot finish the task as things are; null when he can. */
  hindrance: string | null;
  /** Source text of a JavaScript class that finishes the task. */
  TaskController: string;
}

/** A page as it is now. `page` is undefined where it is not one of this platform. */
export interface OpenedManualPage {
  controller: ManualTaskController;
  page: ManualPage | undefined;
}

/** A person's decision on a page. */
export interface ManualDecision {
  job_id: string;
  task_id: string;
  finish_state?: ManualFinishState | undefined;
  variables?: Record<string, unknown> | undefined;
}

/** Opening and finishing manual tasks by their pages. */
export interface ManualPages {
  /** `path`: the page that is asked for, if one is; BAD_REQUEST when the task belongs to another. */
  open(place: TaskPlace, caller: Caller, path?: string): Promise<OpenedManualPage>;
  /** Finishes the task of that page. `job`: its document after the change; `taskId`: the task's own id. */
  finish(path: string, decision: ManualDecision, caller: Caller): Promise<{ job: object; taskId: string }>;
}

/** Services of an application that has such pages. */
export interface ManualPageServices {
  manualPages: ManualPages;
}
