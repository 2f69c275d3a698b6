import { appendFileSync, existsSync, readFileSync } from "node:fs";
import type { Acknowledged } from "../faults/publisher.ts";

/** Topics whose events were acknowledged, in a file that outlives every process. Each name is one write, so that it is there or not. */
export function publishedTopics(file: string): Acknowledged {
  return {
    has: (topic) => existsSync(file) && readFileSync(file, "utf8").split("\n").includes(topic),
    add: (topic) => appendFileSync(file, `${topic}\n`),
  };
}
