import { describe, expect, it } from "vitest";
import {
  createLoginThrottle,
  LoginThrottledError,
  throttleRules,
  type LoginThrottle,
} from "../../../src/platform-management/user-management/login-throttle.ts";
import { createManualClock } from "../../support/manual-clock.ts";

const wrong = async (): Promise<undefined> => undefined;
const right = async (): Promise<string> => "account";

async function failTimes(throttle: LoginThrottle, times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) await throttle.attempt("ann", "10.0.0.1", wrong);
}

describe("login throttle", () => {
  it("lets five wrong tries pass, then asks for a wait that doubles", async () => {
    const clock = createManualClock(0);
    const throttle = createLoginThrottle(clock);
    await failTimes(throttle, 5);
    for (const waitMs of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
      await expect(throttle.attempt("ann", "10.0.0.1", right)).rejects.toMatchObject({
        code: "TOO_MANY_REQUESTS",
        retryAfterMs: waitMs,
      });
      await clock.advance(waitMs - 1);
      await expect(throttle.attempt("ann", "10.0.0.1", right)).rejects.toBeInstanceOf(LoginThrottledError);
      await clock.advance(1);
      await throttle.attempt("ann", "10.0.0.1", wrong);
    }
  });

  it("does not run the check while the pair must wait", async () => {
    const throttle = createLoginThrottle(createManualClock(0));
    await failTimes(throttle, 5);
    let checks = 0;
    await throttle.attempt("ann", "10.0.0.1", async () => void (checks += 1)).catch(() => undefined);
    expect(checks).toBe(0);
  });

  it("locks for 15 minutes after 20 wrong tries within an hour", async () => {
    const clock = createManualClock(0);
    const throttle = createLoginThrottle(clock);
    for (let count = 0; count < throttleRules.lockTries; count += 1) {
      await throttle.attempt("ann", "10.0.0.1", wrong);
      if (count < throttleRules.lockTries - 1) await clock.advance(throttleRules.longestDelayMs);
    }
    await clock.advance(throttleRules.lockMs - 1);
    await expect(throttle.attempt("ann", "10.0.0.1", right)).rejects.toMatchObject({ retryAfterMs: 1 });
    await clock.advance(1);
    await expect(throttle.attempt("ann", "10.0.0.1", right)).resolves.toBe("account");
  });

  it("forgets wrong tries after a right one, and those older than an hour", async () => {
    const clock = createManualClock(0);
    const throttle = createLoginThrottle(clock);
    await failTimes(throttle, 4);
    await throttle.attempt("ann", "10.0.0.1", right);
    await failTimes(throttle, 4);
    await clock.advance(60 * 60_000);
    await failTimes(throttle, 4);
    await expect(throttle.attempt("ann", "10.0.0.1", right)).resolves.toBe("account");
  });

  it("counts each address by itself and names regardless of case", async () => {
    const throttle = createLoginThrottle(createManualClock(0));
    await failTimes(throttle, 5);
    await expect(throttle.attempt("ann", "10.0.0.2", right)).resolves.toBe("account");
    await expect(throttle.attempt("ANN", "10.0.0.1", right)).rejects.toBeInstanceOf(LoginThrottledError);
  });

  it("lets no burst of tries past the count", async () => {
    const throttle = createLoginThrottle(createManualClock(0));
    let checks = 0;
    const burst = Array.from({ length: 50 }, () => throttle.attempt("ann", "10.0.0.1", async () => void (checks += 1)));
    const outcomes = await Promise.allSettled(burst);
    expect(checks).toBe(throttleRules.freeTries);
    expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(45);
  });
});
