import { failure, ok, warning, type Finding } from "./finding.ts";

const noticeableMs = 500;
/** Work is claimed for 2 s: a clock that is ahead by as much takes it from nodes that are at it. */
const dangerousMs = 1_500;

/** @param aheadMs how much `of` is ahead of this machine @param uncertainMs how far that may be wrong */
export function judgeClock(of: string, aheadMs: number, uncertainMs: number): Finding {
  const apart = Math.max(0, Math.abs(aheadMs) - uncertainMs);
  const message = `${of} is ${Math.abs(aheadMs)} ms ${aheadMs < 0 ? "behind" : "ahead of"} this machine`;
  const advice = "Set the clocks of all machines by NTP.";
  if (apart > dangerousMs) return failure("clock", message, advice);
  return apart > noticeableMs ? warning("clock", message, advice) : ok("clock", message);
}
