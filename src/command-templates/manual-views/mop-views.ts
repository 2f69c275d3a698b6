import type { ManualPageOpeners, ManualView } from "../../core/manual-view.ts";
import type { Inventory } from "../../device-broker/index.ts";
import { createChooseDevice } from "./choose-device.ts";
import { openDiffConfig, openReloadFailed, openVerifyConfig } from "./config-views.ts";
import { openReviewSummary } from "./review-summary.ts";
import { openRunTemplatesDiff } from "./run-templates-diff.ts";
import { openViewTemplateResults } from "./view-template-results.ts";

const finishStates = ["success", "failure"] as const;

/** The pages of the manual tasks of command templates: spec templates-gateway-forms.md §1.10. */
export const commandTemplateViews: readonly ManualView[] = [
  {
    name: "chooseDevice",
    path: "/mop/task/chooseDevice",
    summary: "Page on which a person picks a device.",
    finish: { name: "finishChooseDevice", summary: "Finish the task with the device that was picked." },
    finishStates,
  },
  {
    name: "diffConfig",
    path: "/mop/task/diffConfig",
    summary: "Page that sets two configurations side by side.",
    finish: { name: "finishDiffConfig", summary: "Finish the comparison of two configurations." },
    finishStates,
  },
  {
    name: "reloadFailed",
    path: "/mop/task/reloadFailed",
    summary: "Page that tells that a device did not come back.",
    finish: { name: "finishReloadFailed", summary: "Finish the failed reload: try again or give up." },
    finishStates,
  },
  {
    name: "reviewSummary",
    path: "/mop/task/reviewSummary",
    summary: "Page with the job's figures and the data of its tasks.",
    finish: { name: "finishReviewSummary", summary: "Finish the review of a job." },
    finishStates,
  },
  {
    name: "runTemplatesDiff",
    path: "/mop/task/runTemplatesDiff",
    summary: "Page that compares two runs of a template.",
    finish: { name: "finishRunTemplatesDiff", summary: "Finish the comparison of two runs of a template." },
    finishStates,
  },
  {
    name: "verifyConfig",
    path: "/mop/task/verifyConfig",
    summary: "Page on which a person checks a configuration.",
    finish: { name: "finishVerifyConfig", summary: "Finish the check of a configuration." },
    finishStates,
  },
  {
    name: "viewTemplateResults",
    path: "/mop/task/viewTemplateResults",
    summary: "Page with the results of a template run.",
    finish: { name: "finishViewTemplateResults", summary: "Finish the view of a template's results." },
    finishStates,
  },
];

/** The same pages at work, over the devices of the inventory. */
export function createCommandTemplateViews(inventory: Pick<Inventory, "list">): ManualPageOpeners {
  return {
    "/mop/task/chooseDevice": createChooseDevice(inventory),
    "/mop/task/diffConfig": openDiffConfig,
    "/mop/task/reloadFailed": openReloadFailed,
    "/mop/task/reviewSummary": openReviewSummary,
    "/mop/task/runTemplatesDiff": openRunTemplatesDiff,
    "/mop/task/verifyConfig": openVerifyConfig,
    "/mop/task/viewTemplateResults": openViewTemplateResults,
  };
}
