import { host } from "../../src/core/application.ts";
import { systemCaller } from "../../src/core/caller.ts";
import { createSystemClock } from "../../src/core/clock.ts";
import { notFound } from "../../src/core/errors.ts";
import type { Logger } from "../../src/core/logger.ts";
import { silentLogger } from "../../src/core/logger.ts";
import type { ManualPages } from "../../src/core/manual-view.ts";
import type { Method } from "../../src/core/operation.ts";
import { createRegexRunner } from "../../src/core/regex-runner.ts";
import { commandTemplates, createCommandTemplates } from "../../src/command-templates/index.ts";
import { devices } from "../../src/devices/index.ts";
import { createHttpServer } from "../../src/http/server.ts";
import { openDeviceBench, type DeviceBench } from "./device-bench.ts";

export interface Answer {
  status: number;
  headers: Record<string, unknown>;
  text: string;
  // Bodies are looked at member by member, as a client does.
  json: unknown;
}

/** There are no jobs here, so no tasks that people work. */
const noTasks = () => Promise.reject(notFound("Task not found"));
const manualPages: ManualPages = { open: noTasks, finish: noTasks };

/** Command templates and devices behind the HTTP API; every request comes from an administrator. */
export interface TemplateBench extends DeviceBench {
  send(method: Method, url: string, body?: object): Promise<Answer>;
}

export async function openTemplateBench(logger: Logger = silentLogger): Promise<TemplateBench> {
  const bench = await openDeviceBench({ logger });
  const regexRunner = createRegexRunner({ deadlineMs: 1_000, size: 1 });
  const { store, inventory, broker, hostKeys } = bench;
  const services = createCommandTemplates({
    store,
    inventory,
    broker,
    regexRunner,
    clock: createSystemClock(),
    logger,
  });
  const server = await createHttpServer({
    applications: [
      host(commandTemplates, { ...services, manualPages }),
      host(devices, { inventory, broker, hostKeys, jinja: { renderStored: noTasks, renderText: noTasks } }),
    ],
    authenticator: { authenticate: async () => ({ ...systemCaller, username: "admin" }) },
    logger: silentLogger,
    clock: createSystemClock(),
    options: { version: "0.0.0" },
  });
  return {
    ...bench,
    async send(method, url, body) {
      const headers = { authorization: "Bearer test" };
      const response = await server.inject({ method, url, headers, ...(body && { payload: body }) });
      return {
        status: response.statusCode,
        headers: response.headers,
        text: response.body,
        json: parsed(response.body),
      };
    },
    async close() {
      await server.close();
      await regexRunner.close();
      await bench.close();
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
