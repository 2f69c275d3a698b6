import { Type } from "@sinclair/typebox";
import { badRequest, PlatformError } from "./errors.ts";
import { isPageWanted, plainPageHeaders, type Html } from "./html.ts";
import { manualPage, pageAddress, refusalPage } from "./manual-page.ts";
import type { ManualPageServices, ManualView, OpenedManualPage } from "./manual-view.ts";
import { operationOf, Reply, type Operation } from "./operation.ts";
import { workRoles } from "./roles.ts";

const operation = operationOf<ManualPageServices>();

const PageQuery = Type.Object({
  job: Type.String({ minLength: 1, description: "Identifier of the job." }),
  task: Type.String({ minLength: 1, description: "Identifier of the iteration, or the task id." }),
  download: Type.Optional(Type.Boolean({ description: "Answer the file that the page offers." })),
});

const JobReply = Type.Object({ _id: Type.String(), status: Type.String() }, { additionalProperties: true });

/** What works a manual task (workflow-engine.md §7.3.5). */
export const ManualTaskControllerSchema = Type.Object(
  {
    variables: Type.Object({ incoming: Type.Unknown(), outgoing: Type.Unknown() }),
    error: Type.Unknown(),
    view: Type.String({ description: "Path of the page." }),
    page: Type.Unknown({ description: "Title, buttons and computed data of the page." }),
    hindrance: Type.Union([Type.String(), Type.Null()], { description: "Why the caller cannot finish the task now." }),
    TaskController: Type.String({ description: "Source text of a JavaScript class that finishes the task." }),
  },
  { additionalProperties: true },
);

/** The two operations of each page: GET shows it, POST finishes the task (decision 8). */
export function manualViewOperations(views: readonly ManualView[]): Operation<ManualPageServices>[] {
  return views.flatMap((view) => [showing(view), finishing(view)]);
}

function showing({ name, path, summary }: ManualView): Operation<ManualPageServices> {
  return operation({
    name,
    method: "GET",
    path,
    summary,
    description: "Answers the data of the page, or the page itself where `Accept` asks for `text/html`.",
    roles: workRoles,
    query: PageQuery,
    response: ManualTaskControllerSchema,
    async handle({ manualPages }, { query, caller, headers }) {
      const open = () => manualPages.open(query, caller, path);
      if (query.download) return fileOf(await open());
      if (!isPageWanted(headers)) return (await open()).controller;
      return forPerson(async () => {
        const { controller, page } = await open();
        return page ? pageReply(manualPage({ controller, page })) : controller;
      });
    },
  });
}

function fileOf({ page }: OpenedManualPage): Reply {
  if (!page?.download) throw noDownload();
  const { fileName, value } = page.download;
  return new Reply(JSON.stringify(value, null, 2), {
    headers: {
      "content-type": "application/json; charset=utf-8",
      "content-disposition": `attachment; filename="${fileName.replaceAll(/[^\w.-]/gu, "_")}"`,
    },
  });
}

function noDownload(): PlatformError {
  return badRequest("This page offers no file", [{ path: "/query/download", message: "is not offered by this page" }]);
}

function finishing({ path, finish, finishStates }: ManualView): Operation<ManualPageServices> {
  const states = finishStates.map((state) => Type.Literal(state));
  return operation({
    name: finish.name,
    method: "POST",
    path,
    summary: finish.summary,
    description:
      "Answers the job after the change, as JSON; a form of the page is sent on to the page. 409 when the task is finished already, claimed by somebody else, or its job is paused.",
    roles: workRoles,
    body: Type.Object(
      {
        job_id: Type.String({ minLength: 1 }),
        task_id: Type.String({ minLength: 1, description: "Identifier of the iteration, or the task id." }),
        finish_state: Type.Optional(Type.Union(states, { description: "Default: success." })),
        variables: Type.Optional(
          Type.Record(Type.String(), Type.Unknown(), { description: "Outgoing variables of the task." }),
        ),
      },
      { additionalProperties: false },
    ),
    response: JobReply,
    async handle({ manualPages }, { body, caller, headers }) {
      const finish = () => manualPages.finish(path, body, caller);
      if (!isPageWanted(headers)) return (await finish()).job;
      return forPerson(async () => {
        const location = pageAddress(path, { job: body.job_id, task: (await finish()).taskId });
        return new Reply("", { status: 303, headers: { ...plainPageHeaders, location } });
      });
    },
  });
}

function pageReply(page: Html, status = 200): Reply {
  return new Reply(page.text, { status, headers: plainPageHeaders });
}

/** What is refused a person reads on a page as well. */
async function forPerson(answer: () => Promise<unknown>): Promise<unknown> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return pageReply(refusalPage(error.message), error.status);
  }
}
