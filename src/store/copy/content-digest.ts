import { createHash } from "node:crypto";

/** What a part of a store holds, in short: equal parts have equal contents. */
export interface Contents {
  rows: number;
  /** Hex. Does not depend on the order of the rows. */
  digest: string;
}

const digestBytes = 32;

/** Adds up rows: the hashes of all rows (SHA-256 of key and content) are laid over each other. */
export class ContentDigest {
  readonly #sum = new Uint8Array(digestBytes);
  #rows = 0;

  add(key: string, content: string): void {
    const hash = createHash("sha256").update(key).update("\0").update(content).digest();
    for (let index = 0; index < digestBytes; index++) this.#sum[index]! ^= hash[index]!;
    this.#rows += 1;
  }

  contents(): Contents {
    return { rows: this.#rows, digest: Buffer.from(this.#sum).toString("hex") };
  }
}
