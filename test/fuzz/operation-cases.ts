import { applicationList } from "../../src/applications.ts";
import type { Application } from "../../src/core/application.ts";
import type { Operation } from "../../src/core/operation.ts";
import { brokenRequest } from "./broken-requests.ts";
import { parsed } from "./check-reply.ts";
import type { Corpus } from "./corpus.ts";
import type { FuzzCase } from "./fuzz-case.ts";
import { hostileTexts, hostileValue } from "./hostile-values.ts";
import type { KnownValues } from "./known-values.ts";
import { isContainer, mutate } from "./mutate.ts";
import { createRandom, type Random } from "./random.ts";
import { valueOf, type Schema } from "./schema-value.ts";
import type { Session } from "./session.ts";
import { jsonRequest, type FuzzReply, type FuzzRequest } from "./target.ts";

/** An operation that is built, and its application. */
export interface BuiltOperation {
  application: Application;
  operation: Operation;
}

/** Every operation that has a handler, in the order of the reference. */
export function builtOperations(): BuiltOperation[] {
  return applicationList.flatMap((application) =>
    application.operations.flatMap((operation) =>
      operation.handle && !stopsWork(operation) ? [{ application, operation }] : [],
    ),
  );
}

/** Switching the workers off would leave nothing for the other requests to meet. */
function stopsWork({ path }: Operation): boolean {
  return path.endsWith("/deactivate");
}

/** What cases of operations draw from. */
export interface OperationPlan {
  corpus: Corpus;
  known: KnownValues;
  /** Credentials of somebody whose session may be ended. */
  guest: { username: string; password: string };
  /** Operations that answered a request with success, by `Application.name`. */
  accepted: Set<string>;
}

/** Cases of operations take their choices apart from those of documents. */
const purposeOffset = 1_000_000;

/** Tries one operation: requests that fit its schemas, after some that make objects, and such that fit less and less. */
export function operationCase(plan: OperationPlan, built: BuiltOperation, seed: number, index: number): FuzzCase {
  const { operation, application } = built;
  const run = async (session: Session): Promise<void> => {
    const random = createRandom(seed, purposeOffset + index);
    const known = plan.known.fork();
    const maker: RequestMaker = { random, known, corpus: plan.corpus };
    const ask = async (asked: Operation, request: FuzzRequest): Promise<FuzzReply> => {
      const reply = await session.ask(await withGuest(session, plan, asked, request));
      if (reply.status < 300) plan.accepted.add(`${application.id}.${asked.name}`);
      return reply;
    };
    for (const creator of creatorsOf(application, random)) {
      const reply = await ask(creator, validRequest(maker, creator));
      if (reply.status < 300) known.learn(parsed(reply.text));
    }
    await ask(operation, validRequest(maker, operation));
    await ask(operation, validRequest(maker, operation));
    for (const times of [1, 3]) await ask(operation, mutatedRequest(maker, operation, times));
    await ask(operation, hostileRequest(maker, operation));
    await session.ask(brokenRequest(await withGuest(session, plan, operation, validRequest(maker, operation)), random));
  };
  return { name: `${application.id}.${operation.name} ${index}`, subject: undefined, run };
}

interface RequestMaker {
  random: Random;
  known: KnownValues;
  corpus: Corpus;
}

const mostCreators = 2;

function creatorsOf({ operations }: Application, random: Random): Operation[] {
  const creators = operations.filter(({ handle, name }) => handle && /^(?:create|import|startJob)/u.test(name));
  return creators.length === 0 ? [] : Array.from({ length: mostCreators }, () => random.pick(creators));
}

function validRequest(maker: RequestMaker, operation: Operation): FuzzRequest {
  const wishes = { ...maker, knownChance: 0.8 };
  const values = (schema: Schema | undefined) => (schema ? valueOf(schema, wishes) : {}) as Record<string, unknown>;
  const params = { ...values(operation.params) };
  for (const name of parameterNames(operation.path))
    params[name] ??= maker.random.pick([...maker.known.find(name), "x"]);
  const body = operation.body ? withDocuments(maker, operation, valueOf(operation.body, wishes)) : undefined;
  return requestOf(operation, { params, query: values(operation.query), body });
}

function mutatedRequest(maker: RequestMaker, operation: Operation, times: number): FuzzRequest {
  const request = validRequest(maker, operation);
  if (request.body === undefined) return hostileRequest(maker, operation);
  const { body } = mutate({ body: parsed(String(request.body)) }, maker.random, times);
  return jsonRequest(request.method, request.path, tamed(body));
}

function hostileRequest(maker: RequestMaker, operation: Operation): FuzzRequest {
  const { random } = maker;
  const { body } = validRequest(maker, operation);
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

interface Parts {
  params: Readonly<Record<string, unknown>>;
  query: Readonly<Record<string, unknown>>;
  body: unknown;
}

function requestOf({ method, path }: Operation, { params, query, body }: Parts): FuzzRequest {
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

/** Operations that end a session get one of their own. */
async function withGuest(
  session: Session,
  { guest }: OperationPlan,
  { path }: Operation,
  request: FuzzRequest,
): Promise<FuzzRequest> {
  if (path !== "/logout") return request;
  const { text } = await session.ask(jsonRequest("POST", "/login", guest));
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${text}` } };
}
