import type { Application } from "../../src/core/application.ts";
import type { Operation } from "../../src/core/operation.ts";
import { brokenRequest } from "./broken-requests.ts";
import type { BuiltOperation } from "./built-operations.ts";
import { parsed } from "./check-reply.ts";
import type { Corpus } from "./corpus.ts";
import type { FuzzCase } from "./fuzz-case.ts";
import { colleague } from "./good/common-objects.ts";
import { createFuzzScene } from "./good/fuzz-scene.ts";
import type { KnownValues } from "./known-values.ts";
import {
  fittingRequest,
  goodRequest,
  hostileRequest,
  mutatedRequest,
  usualRequest,
  type RequestMaker,
} from "./operation-requests.ts";
import { createRandom, type Random } from "./random.ts";
import type { Session } from "./session.ts";
import { jsonRequest, type FuzzReply, type FuzzRequest } from "./target.ts";

/** What cases of operations draw from. */
export interface OperationPlan {
  corpus: Corpus;
  known: KnownValues;
  /** Operations that answered a request of their own case with success, by `Application.name`. */
  accepted: Set<string>;
}

/** Cases of operations take their choices apart from those of documents. */
const purposeOffset = 1_000_000;

/** Tries one operation: requests that should be accepted, after some that make objects, and such that fit less and less. */
export function operationCase(plan: OperationPlan, built: BuiltOperation, seed: number, index: number): FuzzCase {
  const { operation, application } = built;
  const run = async (session: Session): Promise<void> => {
    const random = createRandom(seed, purposeOffset + index);
    const known = plan.known.fork();
    const { corpus } = plan;
    const maker: RequestMaker = { random, known, corpus, scene: createFuzzScene(session, random, corpus) };
    const ask = async (asked: Operation, request: FuzzRequest): Promise<FuzzReply> => {
      const reply = await session.ask(await withOwnSession(session, asked, request));
      if (reply.status < 300 && asked === operation) plan.accepted.add(`${application.id}.${asked.name}`);
      return reply;
    };
    const creator = creatorOf(application, random);
    if (creator) {
      const reply = await ask(creator, await usualRequest(maker, { application, operation: creator }));
      if (reply.status < 300) known.learn(parsed(reply.text));
    }
    await ask(operation, await goodRequest(maker, built));
    await ask(operation, fittingRequest(maker, built));
    for (const times of [1, 3]) await ask(operation, await mutatedRequest(maker, built, times));
    await ask(operation, await hostileRequest(maker, built));
    const whole = await withOwnSession(session, operation, await usualRequest(maker, built));
    await session.ask(brokenRequest(whole, random));
  };
  return { name: `${application.id}.${operation.name} ${index}`, subject: undefined, run };
}

/** Makes something; what that is called becomes known to the requests that follow. */
function creatorOf({ operations }: Application, random: Random): Operation | undefined {
  const creators = operations.filter(({ handle, name }) => handle && /^(?:create|import|startJob)/u.test(name));
  return creators.length === 0 ? undefined : random.pick(creators);
}

/** Operations that end a session get one of their own. */
export async function withOwnSession(
  session: Session,
  { path }: Operation,
  request: FuzzRequest,
): Promise<FuzzRequest> {
  if (path !== "/logout") return request;
  const { text } = await session.ask(jsonRequest("POST", "/login", colleague));
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${text}` } };
}
