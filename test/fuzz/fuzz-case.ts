import type { Session } from "./session.ts";

/** One thing that is tried. */
export interface FuzzCase {
  name: string;
  /** The document that is tried; made smaller where it finds something. Undefined: the case is its requests. */
  subject: unknown;
  run(session: Session, subject: unknown): Promise<void>;
}
