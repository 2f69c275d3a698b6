import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { TaskError } from "../../core/task.ts";
import { compilePayloadSchema, PayloadSchemaError, type PayloadCheck } from "../../core/validation/payload-schema.ts";
import { compileRegularExpression } from "./regular-expression.ts";

/** Which events a task waits for. Times in milliseconds since the epoch. */
export interface EventFilter {
  source: string;
  topic: string;
  /** JSON schema that the payload must match. Absent: any payload. */
  schema?: JsonObject;
  /** When the task began to wait. */
  startedAt: number;
  /** Events of this time and later are taken, if they were still kept when the task began to wait. */
  since: number;
  /** The event of the job's log that began the wait: what the engine tells of this job is taken from later ones only. */
  seq: number;
}

/** What a listener names; references are resolved already. */
export type EventChoice = Readonly<Record<"source" | "topic" | "schema", unknown>>;

/** Characters of a source and of a topic, at most. */
export const longestEventName = 200;
/** Seconds that an event may be kept, at most: a week. */
export const longestKeepSeconds = 604_800;

/** The filter of a task that begins to wait now; TaskError when it names no event or its schema cannot be used. */
export function eventFilter(
  choice: EventChoice,
  { at, seq, lookBackSeconds }: { at: number; seq: number; lookBackSeconds: number },
): EventFilter {
  const { schema } = choice;
  const isGiven = schema !== undefined && schema !== null && schema !== "";
  if (isGiven) requireUsableSchema(schema);
  return {
    source: eventName(choice, "source"),
    topic: eventName(choice, "topic"),
    ...(isGiven ? { schema: schema as JsonObject } : {}),
    startedAt: at,
    since: at - lookBackSeconds * 1_000,
    seq,
  };
}

function eventName(choice: EventChoice, member: "source" | "topic"): string {
  const name = choice[member];
  if (typeof name !== "string" || name === "") throw new TaskError(`The ${member} of the event is missing`);
  if (name.length > longestEventName) {
    throw new TaskError(`The ${member} of the event is longer than ${longestEventName} characters`);
  }
  return name;
}

function requireUsableSchema(schema: unknown): void {
  const problem = schemaProblem(schema);
  if (problem !== undefined) throw new TaskError(`The schema of the event cannot be used: ${problem}`);
}

/** Why a value is no schema that events can be matched with; undefined when it is one. */
export function schemaProblem(schema: unknown): string | undefined {
  if (!isJsonObject(schema)) return "a JSON schema is an object";
  try {
    compileEventSchema(schema);
    return undefined;
  } catch (thrown) {
    if (thrown instanceof PayloadSchemaError) return thrown.message;
    throw thrown;
  }
}

/** A check of payloads. PayloadSchemaError when the schema cannot be used. */
export function compileEventSchema(schema: JsonObject): PayloadCheck {
  return compilePayloadSchema(schema, (source) => compileRegularExpression(source, "u"));
}

/** An event as it is matched. */
export interface OfferedEvent {
  at: number;
  expiresAt: number;
  /** What the engine tells of a job: which, and by which event of its log. */
  job?: string;
  seq?: number;
}

/** May a task of the job take the event, as far as times tell? Its payload is looked at elsewhere. */
export function isInTime(filter: Omit<EventFilter, "source" | "topic">, jobId: string, event: OfferedEvent): boolean {
  if (event.job === jobId && (event.seq ?? 0) <= filter.seq) return false;
  return event.at >= filter.startedAt || (event.at >= filter.since && event.expiresAt > filter.startedAt);
}
