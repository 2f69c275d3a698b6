import type { GoodRequests } from "./good-request.ts";
import { deviceRequests } from "./device-requests.ts";
import { jobRequests } from "./job-requests.ts";
import { accessRequests } from "./people-requests.ts";
import { studioRequests } from "./studio-requests.ts";
import { workflowRequests } from "./workflow-requests.ts";

/** Every operation whose schema alone does not tell what it accepts. */
export const goodRequests: GoodRequests = {
  ...jobRequests,
  ...workflowRequests,
  ...studioRequests,
  ...deviceRequests,
  ...accessRequests,
};
