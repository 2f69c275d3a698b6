import { startCallChild } from "../call-chain/call-child.mjs";
import { steps } from "./steps.mjs";

/**
 * How a step is done: `here`, or by a call to another process when PEER_STEPS is `called`, as an adapter
 * of a network platform would be called.
 */
export function createStepRunner() {
  if (process.env.PEER_STEPS !== "called") return async (index, state) => steps[index](state);
  const child = startCallChild();
  return (index, state) => child.call(index, state);
}
