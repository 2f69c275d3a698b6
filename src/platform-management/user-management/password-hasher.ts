import { argon2id, hash, verify } from "argon2";

/** Makes and checks password hashes. */
export interface PasswordHasher {
  /** PHC text with parameters and salt. */
  hash(password: string): Promise<string>;
  verify(passwordHash: string, password: string): Promise<boolean>;
}

export interface Argon2Parameters {
  /** KiB of memory. */
  memoryCost: number;
  /** Passes over the memory. */
  timeCost: number;
  parallelism: number;
}

/** Source: OWASP Password Storage Cheat Sheet, argon2id: 19 MiB of memory, 2 passes, 1 lane. */
const argon2Parameters: Argon2Parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** argon2id (RFC 9106); runs in the thread pool, not on the event loop. */
export function createPasswordHasher(parameters: Argon2Parameters = argon2Parameters): PasswordHasher {
  return {
    hash: (password) => hash(password, { type: argon2id, ...parameters }),
    verify: (passwordHash, password) => verify(passwordHash, password),
  };
}
