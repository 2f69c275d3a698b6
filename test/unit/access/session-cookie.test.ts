import { describe, expect, it } from "vitest";
import {
  clearedCookie,
  cookieToken,
  sessionCookie,
} from "../../../src/platform-management/authentication/session-cookie.ts";

describe("session cookie", () => {
  it("is out of reach of scripts and other sites, and of plain http where the client speaks https", () => {
    expect(sessionCookie("abc", false)).toBe("token=abc; Path=/; HttpOnly; SameSite=Lax");
    expect(sessionCookie("abc", true)).toBe("token=abc; Path=/; HttpOnly; SameSite=Lax; Secure");
    expect(clearedCookie(true)).toBe("token=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0");
  });

  it("is found among others", () => {
    expect(cookieToken({ cookie: "a=1; token=abc; b=2" })).toBe("abc");
    expect(cookieToken({ cookie: "mytoken=abc; token=" })).toBeUndefined();
    expect(cookieToken({})).toBeUndefined();
  });
});
