/** Who performs a request: a signed-in account, or the platform itself. */
export interface Caller {
  /** `_id` of the account; `"Pronghorn"` for the platform itself, the name job documents of the field carry. */
  accountId: string;
  username: string;
  /** `_id`s of all groups the account belongs to, groups of groups included. */
  groupIds: readonly string[];
  isAdmin: boolean;
  /** The session the caller came with; absent for other credentials. Not the token. */
  sessionId?: string;
  /** May the caller use this operation of this application? Decided by roles (decision 14). */
  isAllowed(applicationId: string, operationName: string): boolean;
}

/** The platform acting on its own behalf: timers, engine tasks with actor `Pronghorn`. */
export const systemCaller: Caller = {
  accountId: "Pronghorn",
  username: "Pronghorn",
  groupIds: [],
  isAdmin: true,
  isAllowed: () => true,
};
