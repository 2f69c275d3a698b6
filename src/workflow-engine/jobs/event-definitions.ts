import { Type, type TSchema } from "@sinclair/typebox";
import type { JobTopic } from "../interpreter/draft.ts";
import { engineSource } from "./event-records.ts";

/** An event that tasks may wait for: where it comes from, what it is about, and what its payload looks like. */
export interface EventDefinition {
  source: string;
  topic: string;
  description: string;
  schema: TSchema | Record<string, never>;
}

const meanings: Readonly<Record<JobTopic, string>> = {
  jobStart: "A job was started.",
  jobComplete: "A job has come to its end.",
  jobError: "A job went into error.",
  jobFix: "A job that was in error was repaired or resumed and runs again.",
  jobPause: "A job was paused.",
  jobResume: "A paused or errored job was resumed.",
  jobCancel: "A job was canceled.",
  jobSlaBreach: "A job did not end within the time its workflow promises (`sla`).",
};

const Header = Type.Object(
  { _id: Type.String(), name: Type.String(), description: Type.String(), status: Type.String() },
  { additionalProperties: true },
);
const JobPayload = Type.Object({ ...Header.properties, job: Header }, { additionalProperties: true });

/** The engine's own events (workflow-engine.md §5, eventListenerJob). The payload is the header of the job as it was committed. */
export const engineEventDefinitions: readonly EventDefinition[] = Object.entries(meanings).map(
  ([topic, description]) => ({ source: engineSource, topic, description, schema: JobPayload }),
);

/** An event from outside: whoever publishes it decides on its payload. */
export function externalDefinition(source: string, topic: string): EventDefinition {
  return { source, topic, description: "Published from outside.", schema: {} };
}
