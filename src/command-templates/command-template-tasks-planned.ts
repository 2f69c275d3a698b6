import type { Operation } from "../core/operation.ts";
import { planned } from "../core/planned-operation.ts";
import { workRoles } from "../core/roles.ts";

/** Manual tasks of the templates that are not built yet: GET shows the page, POST finishes the task (decision 8). */
export const commandTemplateTasksPlanned: readonly Operation[] = [
  planned("chooseDevice", "GET /mop/task/chooseDevice", "Page on which a person picks a device.", workRoles),
  planned(
    "finishChooseDevice",
    "POST /mop/task/chooseDevice",
    "Finish the task with the device that was picked.",
    workRoles,
  ),
  planned("diffConfig", "GET /mop/task/diffConfig", "Page that sets two configurations side by side.", workRoles),
  planned("finishDiffConfig", "POST /mop/task/diffConfig", "Finish the comparison of two configurations.", workRoles),
  planned("reloadFailed", "GET /mop/task/reloadFailed", "Page that tells that a device did not come back.", workRoles),
  planned(
    "finishReloadFailed",
    "POST /mop/task/reloadFailed",
    "Finish the failed reload: try again or give up.",
    workRoles,
  ),
  planned(
    "reviewSummary",
    "GET /mop/task/reviewSummary",
    "Page with the job's figures and the data of its tasks.",
    workRoles,
  ),
  planned("finishReviewSummary", "POST /mop/task/reviewSummary", "Finish the review of a job.", workRoles),
  planned(
    "runTemplatesDiff",
    "GET /mop/task/runTemplatesDiff",
    "Page that compares two runs of a template.",
    workRoles,
  ),
  planned(
    "finishRunTemplatesDiff",
    "POST /mop/task/runTemplatesDiff",
    "Finish the comparison of two runs of a template.",
    workRoles,
  ),
  planned("verifyConfig", "GET /mop/task/verifyConfig", "Page on which a person checks a configuration.", workRoles),
  planned("finishVerifyConfig", "POST /mop/task/verifyConfig", "Finish the check of a configuration.", workRoles),
  planned(
    "viewTemplateResults",
    "GET /mop/task/viewTemplateResults",
    "Page with the results of a template run.",
    workRoles,
  ),
  planned(
    "finishViewTemplateResults",
    "POST /mop/task/viewTemplateResults",
    "Finish the view of a template's results.",
    workRoles,
  ),
];
