import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { createSecretBox, parseEncryptionKey } from "../../../src/core/secret-box.ts";

const key = Buffer.alloc(32, 1);
const otherKey = Buffer.alloc(32, 2);

describe("the secret box", () => {
  it("gives every secret back, in its own context only, and seals it differently each time", () => {
    const box = createSecretBox({ current: key });
    fc.assert(
      fc.property(fc.string(), fc.string(), (secret, context) => {
        const sealed = box.seal(secret, context);
        expect(box.isSealed(sealed)).toBe(true);
        expect(box.open(sealed, context)).toBe(secret);
        expect(box.seal(secret, context)).not.toBe(sealed);
        expect(() => box.open(sealed, `${context}x`)).toThrow("damaged or belongs elsewhere");
      }),
    );
  });

  it("refuses a text that was changed in any place", () => {
    const box = createSecretBox({ current: key });
    const sealed = box.seal("secret", "c");
    for (let at = 0; at < sealed.length; at++) {
      const changed = sealed.slice(0, at) + (sealed[at] === "A" ? "B" : "A") + sealed.slice(at + 1);
      expect(() => box.open(changed, "c")).toThrow();
    }
  });

  it("opens what an older key sealed, and says when a key is not known", () => {
    const sealed = createSecretBox({ current: key }).seal("secret", "c");
    expect(createSecretBox({ current: otherKey, older: [key] }).open(sealed, "c")).toBe("secret");
    expect(() => createSecretBox({ current: otherKey }).open(sealed, "c")).toThrow("another key");
    expect(() => createSecretBox({ current: otherKey }).open("plain", "c")).toThrow("not a sealed secret");
  });

  it("reads keys as hex and base64 and refuses other lengths", () => {
    expect(parseEncryptionKey(` ${key.toString("hex")}\n`)).toEqual(key);
    expect(parseEncryptionKey(key.toString("base64"))).toEqual(key);
    expect(() => parseEncryptionKey("short")).toThrow("32 bytes");
    expect(() => createSecretBox({ current: Buffer.alloc(16) })).toThrow("32 bytes");
  });
});
