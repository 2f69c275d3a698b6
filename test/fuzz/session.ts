import { applicationList } from "../../src/applications.ts";
import type { Application } from "../../src/core/application.ts";
import { parseRequestTarget } from "../../src/http/request-target.ts";
import { createRouter } from "../../src/http/router.ts";
import { checkReply } from "./check-reply.ts";
import type { Statistics } from "./statistics.ts";
import { NoAnswer, type FuzzReply, type FuzzRequest, type Target } from "./target.ts";

/** What a case found: the requests that led there, the last one being the one with the problem. */
export interface Finding {
  problem: string;
  requests: readonly FuzzRequest[];
  reply?: FuzzReply;
}

/** Ends a case that found something. */
export class Found extends Error {
  override readonly name = "Found";
  readonly finding: Finding;

  constructor(finding: Finding) {
    super(finding.problem);
    this.finding = finding;
  }
}

/** Talks to the platform for one case and checks every reply. */
export interface Session {
  readonly target: Target;
  /** Sends and checks; throws Found. `isFree`: does not change documents, so that others may do so meanwhile. */
  ask(request: FuzzRequest, how?: { isFree?: boolean }): Promise<FuzzReply>;
  /** Ends the case when something is wrong with the last reply. */
  require(isRight: boolean, problem: string): void;
}

/** Finds the application a request is for; undefined where the platform has no such operation. */
export type FindApplication = (request: FuzzRequest) => Application | undefined;

/** The platform's own routes, so that each reply is checked in its application's style of errors. */
export function createApplicationFinder(): FindApplication {
  const router = createRouter(
    applicationList.flatMap((application) =>
      application.operations.flatMap(({ method, path, aliases = [] }) =>
        [{ method, path }, ...aliases].map((spelling) => ({ ...spelling, target: application })),
      ),
    ),
  );
  return ({ method, path }) => {
    try {
      return router.find(method === "HEAD" ? "GET" : method, parseRequestTarget(path).segments)?.target;
    } catch {
      return undefined;
    }
  };
}

/** A session of one case. */
export function createSession(target: Target, statistics: Statistics, findApplication: FindApplication): Session {
  const requests: FuzzRequest[] = [];
  let lastReply: FuzzReply | undefined;

  const found = (problem: string): Found =>
    new Found({ problem, requests: [...requests], ...(lastReply ? { reply: lastReply } : {}) });

  const exchange = async (
    request: FuzzRequest,
    isFree: boolean,
  ): Promise<{ reply: FuzzReply; changed: readonly string[] }> => {
    lastReply = undefined;
    try {
      return isFree ? { reply: await target.send(request), changed: [] } : await target.sendAlone(request);
    } catch (error) {
      if (error instanceof NoAnswer) throw found(error.message);
      throw error;
    }
  };

  return {
    target,
    async ask(request, { isFree = request.method === "GET" || request.method === "HEAD" } = {}) {
      requests.push(request);
      const { reply, changed } = await exchange(request, isFree);
      lastReply = reply;
      statistics.count(request, reply);
      const problem = checkReply(request, reply, findApplication(request));
      if (problem) throw found(problem);
      if (reply.status >= 400 && changed.length > 0)
        throw found(`documents of ${changed.join(", ")} were changed by what was answered ${reply.status}`);
      return reply;
    },
    require(isRight, problem) {
      if (!isRight) throw found(problem);
    },
  };
}
