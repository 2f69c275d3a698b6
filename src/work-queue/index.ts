export { createInProcessQueue, type InProcessQueueOptions } from "./in-process/in-process-queue.ts";
export type { WorkQueue, WorkRunner } from "./work-queue.ts";
