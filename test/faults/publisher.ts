import type { Shape } from "./shape.ts";

/** The source of what the laboratory publishes. */
export const eventSource = "faults";
/** A source of which nothing ever comes. */
export const silentSource = "fault silence";
/** Title of schemas whose tasks a person ends as well. */
export const anyone = "anyone";

/** An event that the laboratory publishes, before it asks for a job or while the job waits for it. */
export interface PublishedEvent {
  topic: string;
  payload: { about: string };
}

/** When the event of a topic is published. */
export type TopicOf = "early" | "late";

/** The schema of events that are about something. */
export function aboutSchema(about: TopicOf) {
  return { type: "object", properties: { about: { const: about } }, required: ["about"] };
}

/** The topics of a job, by the variable that names them. */
export function topicsOf({ topics = [] }: Pick<Shape, "topics">, description: string): Record<string, string> {
  return Object.fromEntries(topics.map((topic) => [topic, `${description} ${topic}`]));
}

/** The topic that is to be published before the job is asked for. */
export function earlyTopic({ topics = [] }: Pick<Shape, "topics">, description: string): string | undefined {
  return topics.includes("early") ? `${description} early` : undefined;
}

/** Is this the topic of an event that is published while a task waits for it? */
export function isLateTopic(topic: unknown): topic is string {
  return typeof topic === "string" && topic.endsWith(" late");
}

/** What is published under a topic: one event that nobody wants, and the one that is waited for. */
export function eventsOf(topic: string): PublishedEvent[] {
  const about = isLateTopic(topic) ? "late" : "early";
  return [
    { topic, payload: { about: "nothing" } },
    { topic, payload: { about } },
  ];
}

/** How long they are kept, in seconds: longer than a run lasts. */
export const keptForSeconds = 900;

/** Which topics were acknowledged. They are not published again: one that was lost is missed. */
export interface Acknowledged {
  has(topic: string): boolean;
  add(topic: string): void;
}

/** Publishes the events of a topic unless that was acknowledged before. True when it was done by this call. */
export async function publishOnce(
  topic: string,
  acknowledged: Acknowledged,
  publish: (event: PublishedEvent) => Promise<unknown>,
): Promise<boolean> {
  if (acknowledged.has(topic)) return false;
  for (const event of eventsOf(topic)) await publish(event);
  acknowledged.add(topic);
  return true;
}
