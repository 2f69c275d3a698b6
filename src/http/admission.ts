import type { Authenticator, Credentials } from "../core/authenticator.ts";
import type { Caller } from "../core/caller.ts";
import { PlatformError } from "../core/errors.ts";
import { readCredentials } from "./credentials.ts";
import { refuseCrossSite, type Journey } from "./cross-site.ts";
import type { MountedOperation } from "./mounted-operation.ts";
import { parseQueryString } from "./query-string.ts";

/** What admission looks at. */
export interface Approach extends Journey {
  mounted: MountedOperation;
  /** Text after the question mark. */
  query: string;
  /** Network address of the client. */
  address: string;
}

/** Lets a caller in, or throws UNAUTHENTICATED, FORBIDDEN or NOT_IMPLEMENTED: in this order. */
export type Admission = (approach: Approach) => Promise<Caller>;

/** Rules of admission that hold for the whole server. */
export interface AdmissionRules {
  authenticator: Authenticator;
  isQueryTokenAllowed: boolean;
  trustedOrigins: ReadonlySet<string>;
}

/** Who calls a public operation. */
const anonymousCaller: Caller = {
  accountId: "",
  username: "",
  groupIds: [],
  isAdmin: false,
  isAllowed: () => false,
};

/** Admission runs before the body is read: who may not call cannot make the server work. */
export function createAdmission({ authenticator, isQueryTokenAllowed, trustedOrigins }: AdmissionRules): Admission {
  return async (approach) => {
    const { headers, query, mounted, address } = approach;
    const { operation, application } = mounted;
    const isPublic = operation.roles === "public";
    const credentials = isPublic
      ? undefined
      : readCredentials(headers, isQueryTokenAllowed ? tokenOf(query) : undefined);
    if (isPublic || isFromCookie(credentials)) refuseCrossSite(approach, trustedOrigins);
    const caller = isPublic ? anonymousCaller : await authenticate(authenticator, credentials, address);
    if (Array.isArray(operation.roles) && !caller.isAllowed(application.id, operation.name)) {
      throw new PlatformError("FORBIDDEN", `You have no role that allows ${application.id}.${operation.name}.`);
    }
    if (!operation.handle) {
      throw new PlatformError("NOT_IMPLEMENTED", `${application.id}.${operation.name} is not built yet.`);
    }
    return caller;
  };
}

function isFromCookie(credentials: Credentials | undefined): boolean {
  return credentials?.kind === "token" && credentials.from === "cookie";
}

async function authenticate(
  authenticator: Authenticator,
  credentials: Credentials | undefined,
  address: string,
): Promise<Caller> {
  if (!credentials) {
    throw new PlatformError("UNAUTHENTICATED", "Sign in, or send a token: this operation needs credentials.");
  }
  const caller = await authenticator.authenticate(credentials, address);
  if (!caller) throw new PlatformError("UNAUTHENTICATED", "The credentials are wrong, expired or revoked.");
  return caller;
}

/** Reads the whole query only when there may be a token in it. */
function tokenOf(query: string): string | undefined {
  if (!query.includes("token=")) return undefined;
  const { token } = parseQueryString(query, "/query");
  return typeof token === "string" ? token : undefined;
}
