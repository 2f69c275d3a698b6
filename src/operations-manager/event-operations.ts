import { Type } from "@sinclair/typebox";
import type { Json } from "../core/json.ts";
import { operationOf, Reply } from "../core/operation.ts";
import { readRoles, workRoles } from "../core/roles.ts";
import type { WorkflowEngineServices } from "../workflow-engine/index.ts";
import { Envelope, envelope } from "./envelope.ts";

const operation = operationOf<WorkflowEngineServices>();

const EventParams = Type.Object({
  source: Type.String({ minLength: 1, description: "Who tells it. A `/` in it is written `%2F`." }),
  topic: Type.String({ minLength: 1, description: "What it is about." }),
});

const EventDefinition = Type.Object({
  source: Type.String(),
  topic: Type.String(),
  description: Type.String(),
  schema: Type.Object({}, { additionalProperties: true, description: "JSON schema of the payload." }),
});

const milliseconds = (description: string) =>
  Type.Integer({ description: `${description} Milliseconds since the epoch.` });

/** Events that tasks wait for (workflow-engine.md §9.2). Publishing them is our own addition. */
export const eventOperations = [
  operation({
    name: "getEvents",
    method: "GET",
    path: "/operations-manager/events",
    summary: "The events that tasks may wait for, with the schemas of their payloads.",
    description:
      "The engine's own events, and those from outside that are kept or waited for: of the newest 1,000 events and of 1,000 waiting tasks.",
    roles: readRoles,
    response: Envelope(Type.Array(EventDefinition)),
    handle: async ({ events }) => {
      const definitions = await events.definitions();
      return envelope("Successfully retrieved items", definitions, { total: definitions.length });
    },
  }),
  operation({
    name: "getEvent",
    method: "GET",
    path: "/operations-manager/events/:source/:topic",
    summary: "One event that tasks may wait for.",
    roles: readRoles,
    params: EventParams,
    response: Envelope(EventDefinition),
    handle: async ({ events }, { params }) =>
      envelope("Successfully retrieved item", await events.definition(params.source, params.topic)),
  }),
  operation({
    name: "publishEvent",
    method: "POST",
    path: "/operations-manager/events/:source/:topic",
    summary: "Tell the platform of an event: every task that waits for one like it takes it.",
    description:
      "The event is durable when the answer comes, and told a moment later: to each task of eventListenerJob or with `waitAny.event` that waits for this source and topic and whose schema the payload matches, once. Tasks that look back find it for `keepFor` seconds. Not known to the original field.",
    roles: workRoles,
    params: EventParams,
    query: Type.Object({
      keepFor: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 604_800, description: "Seconds. Default an hour, at most a week." }),
      ),
    }),
    body: Type.Object(
      { payload: Type.Unknown({ description: "Any JSON value of at most 262,144 characters." }) },
      { additionalProperties: false },
    ),
    response: Envelope(
      Type.Object({
        _id: Type.String(),
        source: Type.String(),
        topic: Type.String(),
        at: milliseconds("When it happened."),
        expiresAt: milliseconds("Until when it is kept."),
        publishedBy: Type.String(),
      }),
    ),
    handle: async ({ events }, { params, query, body, caller }) => {
      const payload = body.payload as Json;
      const event = { ...params, payload, keepForSeconds: query.keepFor ?? 3_600 };
      return envelope("Successfully published event", await events.publish(event, caller));
    },
  }),
  operation({
    name: "streamEvents",
    method: "GET",
    path: "/events/stream",
    summary: "Follow what happens to jobs and tasks the caller may see, as server-sent events.",
    description:
      "Each event is named after its topic: jobStart, jobComplete, jobError, jobFix, jobPause, jobResume, jobCancel, jobSlaBreach, or task. Its identifier is that of the job and the place in its log. After a break `Last-Event-ID` goes on where it ended; where that is not possible an event `reset` says that some were missed. What other nodes do may come a second later, and steps of tasks in between may be left out. A comment comes every 15 seconds. The stream ends after 15 minutes, at logout, when the server stops, and when the client reads too slowly: connect again.",
    roles: readRoles,
    query: Type.Object({
      job: Type.Optional(Type.String({ minLength: 1, description: "Of this job only." })),
      topic: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { description: "Of these topics only." })),
    }),
    response: Type.String(),
    responseType: "text/event-stream",
    handle: async ({ streams }, { query, headers: sent, caller }) => {
      const lastEventId = sent["last-event-id"];
      const choice = {
        ...(query.job === undefined ? {} : { job: query.job }),
        ...(query.topic === undefined ? {} : { topics: query.topic }),
        ...(typeof lastEventId === "string" ? { lastEventId } : {}),
      };
      // Proxies that gather answers would hold events back; a connection that outlives its stream would hold up the end of the server.
      const headers = { "x-accel-buffering": "no", connection: "close" };
      return new Reply(await streams.open(choice, caller), { headers });
    },
  }),
];
