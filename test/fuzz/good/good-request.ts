import { isJsonObject } from "../../../src/core/json.ts";
import type { Random } from "../random.ts";
import type { FuzzScene } from "./fuzz-scene.ts";

/** The parts of a request. */
export interface RequestParts {
  /** By the names in the path; the rest of a path is named `*`. */
  params: Readonly<Record<string, unknown>>;
  query: Readonly<Record<string, unknown>>;
  /** Undefined: the request has none. */
  body?: unknown;
}

/**
 * Makes what a request needs, and the parts in which it differs from one that merely fits the schemas
 * (`fitting`): query and body as a whole, parameters one by one.
 */
export type GoodRequest = (
  scene: FuzzScene,
  fitting: RequestParts,
) => Promise<Partial<RequestParts>> | Partial<RequestParts>;

/** By application and operation: `WorkFlowEngine.pauseJob`. */
export type GoodRequests = Readonly<Record<string, GoodRequest>>;

/** Some of the members, each as likely as not. */
export function someOf(random: Random, members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(() => random.chance(0.5)));
}

/** The member of a body that fits, where it has one. */
export function memberOf(body: unknown, name: string): Record<string, unknown> {
  return isJsonObject(body) && Object.hasOwn(body, name) ? { [name]: body[name] } : {};
}

const texts = ["a", "good", "admin", "1", "true", ""];

/** Pages of the lists of the newer applications; `fields` are names their documents have. */
export function filterList(...fields: readonly string[]): GoodRequest {
  return ({ random }) => {
    const text = () => random.pick(texts);
    const condition = () => ({ [random.pick(fields)]: text() });
    return {
      query: someOf(random, {
        ...pageOf(random, fields),
        equals: condition(),
        contains: condition(),
        "not-equals": condition(),
        "starts-with": condition(),
        in: condition(),
        gte: condition(),
      }),
    };
  };
}

/** Pages of the lists of platform management. */
export function coreList(...fields: readonly string[]): GoodRequest {
  return ({ random }) => ({
    query: someOf(random, {
      ...pageOf(random, fields),
      contains: random.pick(texts),
      containsField: random.pick(fields),
      multiEquals: { [random.pick(fields)]: random.pick(texts) },
      startsWith: random.pick(texts),
    }),
  });
}

function pageOf(random: Random, fields: readonly string[]): Record<string, unknown> {
  return {
    limit: random.pick([0, 1, 20, 1_000]),
    skip: random.below(3),
    sort: random.pick(fields),
    order: random.pick([1, -1]),
    // One of the two: a list is asked for fields, or for all but some.
    [random.pick(["include", "exclude"])]: random.pick(fields),
  };
}
