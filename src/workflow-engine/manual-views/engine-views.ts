import type { ManualPageOpeners, ManualView } from "../../core/manual-view.ts";
import { openErrorHandling } from "./error-handling.ts";
import { openViewData } from "./view-data.ts";
import { openViewDiff } from "./view-diff.ts";

/** The pages of the engine's own manual tasks (workflow-engine.md §5). */
export const engineViews: readonly ManualView[] = [
  {
    name: "ErrorHandling",
    path: "/workflow_engine/task/ErrorHandling",
    summary: "Page that shows an error and asks how to go on.",
    finish: {
      name: "finishErrorHandling",
      summary:
        "Finish the handling of an error. `retry` leaves by the transition that leads back; the decision is the outgoing `response`.",
    },
    finishStates: ["success", "failure", "retry", "error"],
  },
  {
    name: "ViewData",
    path: "/workflow_engine/task/ViewData",
    summary: "Page with a message and data to confirm or to decide on.",
    finish: { name: "finishViewData", summary: "Finish the view of data with the decision." },
    finishStates: ["success", "failure"],
  },
  {
    name: "ViewDiff",
    path: "/workflow_engine/task/ViewDiff",
    summary: "Page that shows how two texts differ.",
    finish: { name: "finishViewDiff", summary: "Finish the view of a difference." },
    finishStates: ["success", "failure"],
  },
];

/** The same pages at work. */
export const engineViewOpeners: ManualPageOpeners = {
  "/workflow_engine/task/ErrorHandling": openErrorHandling,
  "/workflow_engine/task/ViewData": openViewData,
  "/workflow_engine/task/ViewDiff": openViewDiff,
};
