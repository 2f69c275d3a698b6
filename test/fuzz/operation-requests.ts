import type { Operation } from "../../src/core/operation.ts";
import type { BuiltOperation } from "./built-operations.ts";
import { parsed } from "./check-reply.ts";
import type { Corpus } from "./corpus.ts";
import { goodRequests } from "./good/all-requests.ts";
import { SetUpRefused, type FuzzScene } from "./good/fuzz-scene.ts";
import type { RequestParts } from "./good/good-request.ts";
import { hostileTexts, hostileValue } from "./hostile-values.ts";
import type { KnownValues } from "./known-values.ts";
import { isContainer, mutate } from "./mutate.ts";
import type { Random } from "./random.ts";
import { valueOf, type Schema } from "./schema-value.ts";
import { jsonRequest, type FuzzRequest } from "./target.ts";

/** What requests are made from. */
export interface RequestMaker {
  random: Random;
  known: KnownValues;
  corpus: Corpus;
  scene: FuzzScene;
}

/** A request that should be accepted, where we know how; otherwise one that fits the schemas. */
export async function goodRequest(
  maker: RequestMaker,
  { application, operation }: BuiltOperation,
): Promise<FuzzRequest> {
  const fitting = fittingParts(maker, operation);
  const good = goodRequests[`${application.id}.${operation.name}`];
  if (!good) return requestOf(operation, fitting);
  try {
    const parts = await good(maker.scene, fitting);
    return requestOf(operation, { ...fitting, ...parts, params: { ...fitting.params, ...parts.params } });
  } catch (error) {
    if (error instanceof SetUpRefused) return requestOf(operation, fitting);
    throw error;
  }
}

/** Mostly a good one; sometimes one that only fits, for what we did not think of. */
export function usualRequest(maker: RequestMaker, asked: BuiltOperation): Promise<FuzzRequest> | FuzzRequest {
  return maker.random.chance(0.6) ? goodRequest(maker, asked) : fittingRequest(maker, asked);
}

/** A request that its schemas allow. */
export function fittingRequest(maker: RequestMaker, { operation }: BuiltOperation): FuzzRequest {
  return requestOf(operation, fittingParts(maker, operation));
}

function fittingParts(maker: RequestMaker, operation: Operation): RequestParts {
  const wishes = { ...maker, knownChance: 0.8 };
  const values = (schema: Schema | undefined) => (schema ? valueOf(schema, wishes) : {}) as Record<string, unknown>;
  const params = { ...values(operation.params) };
  for (const name of parameterNames(operation.path))
    params[name] ??= maker.random.pick([...maker.known.find(name), "x"]);
  const body = operation.body ? withDocuments(maker, operation, valueOf(operation.body, wishes)) : undefined;
  return { params, query: values(operation.query), body };
}

/** A usual request whose body was changed in this many places. */
export async function mutatedRequest(maker: RequestMaker, asked: BuiltOperation, times: number): Promise<FuzzRequest> {
  const request = await usualRequest(maker, asked);
  if (request.body === undefined) return hostileRequest(maker, asked);
  const { body } = mutate({ body: parsed(String(request.body)) }, maker.random, times);
  return jsonRequest(request.method, request.path, tamed(body));
}

/** Texts that programs stumble over in path and query. */
export async function hostileRequest(maker: RequestMaker, asked: BuiltOperation): Promise<FuzzRequest> {
  const { random } = maker;
  const { operation } = asked;
  const { body } = await usualRequest(maker, asked);
  const params = Object.fromEntries(parameterNames(operation.path).map((name) => [name, hostileText(random)]));
  const names = [...Object.keys(operation.query?.properties ?? {}), "token", "x", "__proto__"];
  const query = Object.fromEntries(
    Array.from({ length: random.below(4) }, () => [
      random.pick(names) + random.pick(["", "", "[name]", "[]", "[__proto__]"]),
      hostileText(random),
    ]),
  );
  return requestOf(operation, { params, query, body: body === undefined ? undefined : parsed(String(body)) });
}

function hostileText(random: Random): string {
  if (random.chance(0.7)) return random.pick(hostileTexts);
  return random.chance(0.1) ? "long".repeat(1_000) : textOf(hostileValue(random)).slice(0, 4_000);
}

/** Documents that a schema leaves open are taken from good ones. */
function withDocuments({ corpus, random }: RequestMaker, operation: Operation, body: unknown): unknown {
  if (!isContainer(body) || Array.isArray(body)) return body;
  const byMember: Record<string, readonly unknown[]> = {
    workflow: corpus.workflow,
    automation: corpus.workflow,
    automations: corpus.workflow,
    project: corpus.project,
    mop: corpus.commandTemplate,
    template: corpus.commandTemplate,
  };
  for (const [name, value] of Object.entries(body)) {
    const documents = byMember[name];
    if (!documents || !isContainer(value) || random.chance(0.3)) continue;
    const document = { ...(random.pick(documents) as object), name: `made ${random.below(100_000)}` };
    body[name] = Array.isArray(value) ? [document] : document;
  }
  const isOpen = Object.keys((operation.body?.["properties"] ?? {}) as object).length === 0;
  return isOpen && operation.path.startsWith("/transformations")
    ? { ...body, ...corpus.transformation[0], name: `made ${random.below(100_000)}` }
    : body;
}

function requestOf({ method, path }: Operation, { params, query, body }: RequestParts): FuzzRequest {
  const filled = path.replaceAll(/:(\w+)|\*/gu, (_whole, name: string | undefined) =>
    percentEncoded(textOf(params[name ?? "*"])),
  );
  const pairs = Object.entries(query).flatMap(([name, value]) => queryPairs(name, value));
  const search = pairs.length === 0 ? "" : `?${pairs.join("&")}`;
  return jsonRequest(method, filled + search, body === undefined ? undefined : tamed(body));
}

function parameterNames(path: string): string[] {
  return [...path.matchAll(/:(\w+)|\*/gu)].map(([, name]) => name ?? "*");
}

// Longer waits are legal, but would hold up the run.
const longestWait = 1_000;

function queryPairs(name: string, value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => queryPairs(name, item));
  if (isContainer(value))
    return Object.entries(value).flatMap(([member, inner]) => queryPairs(`${name}[${member}]`, inner));
  const text = name === "wait" && Number(value) > longestWait ? String(longestWait) : textOf(value);
  return [`${percentEncoded(name).replaceAll("%5B", "[").replaceAll("%5D", "]")}=${percentEncoded(text)}`];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** Lone surrogates, which `encodeURIComponent` refuses, become the replacement character. */
function percentEncoded(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}

/** Devices are looked for on this machine only, on a port where nobody listens. */
function tamed(body: unknown): unknown {
  const copy = structuredClone(body);
  const open: unknown[] = [copy];
  // Grows while it is walked.
  for (const value of open) {
    if (!isContainer(value) || open.length > 100_000) continue;
    for (const [name, member] of Object.entries(value)) {
      if (/host$/iu.test(name) && typeof member === "string") Object.assign(value, { [name]: "127.0.0.1" });
      else if (/port$/iu.test(name) && typeof member === "number" && member > 0) Object.assign(value, { [name]: 9 });
      else open.push(member);
    }
  }
  return copy;
}
