import { Type } from "@sinclair/typebox";
import { notFound } from "../../core/errors.ts";
import { operationOf } from "../../core/operation.ts";
import { ChangeReply } from "../../core/schemas.ts";
import { Account, ProfileBody } from "../user-management/index.ts";
import type { AuthenticationServices } from "./authentication-services.ts";
import { identityOf, type Identity } from "./identity.ts";
import { remainingMs, type SessionDocument } from "./session-store.ts";

const operation = operationOf<AuthenticationServices>();

const IdentityReply = Type.Object({
  id: Type.String(),
  provenance: Type.String(),
  username: Type.String(),
  firstname: Type.String(),
  groups: Type.Array(Type.Object({ id: Type.String(), provenance: Type.String(), name: Type.String() })),
  routes: Type.Array(Type.String()),
  methods: Type.Record(Type.String(), Type.Array(Type.String())),
  roles: Type.Array(Type.String()),
});

const SessionReply = Type.Object({
  id: Type.String(),
  loginMethod: Type.String(),
  session_start: Type.Integer({ description: "Milliseconds since the epoch." }),
  ttl: Type.Integer({ description: "Seconds until the session ends unless it is used." }),
  principalId: Type.String(),
  requestCount: Type.Integer(),
});

/** Who the caller is: spec `platform-management.md` §2.5, §2.6. */
export const identityOperations = [
  operation({
    name: "whoami",
    method: "GET",
    path: "/whoami",
    summary: "Who the caller is, and everything they may use.",
    roles: "authenticated",
    response: IdentityReply,
    handle: (services, { caller }) => identity(services, caller.accountId),
  }),
  operation({
    name: "myPrincipal",
    method: "GET",
    path: "/myPrincipal",
    summary: "Who the caller is, and everything they may use.",
    roles: "authenticated",
    response: IdentityReply,
    handle: (services, { caller }) => identity(services, caller.accountId),
  }),
  operation({
    name: "getUserSettings",
    method: "GET",
    path: "/user/settings",
    summary: "The caller's account.",
    roles: "authenticated",
    response: Account,
    handle: ({ users }, { caller }) => users.accounts.read(caller.accountId),
  }),
  operation({
    name: "updateUserSettings",
    method: "PUT",
    path: "/user/settings",
    aliases: [{ method: "PATCH", path: "/user/settings" }],
    summary: "Change the caller's own name and mail address.",
    roles: "authenticated",
    body: ProfileBody,
    response: ChangeReply(Account),
    async handle({ users }, { body, caller }) {
      const data = await users.accounts.updateProfile(caller.accountId, body);
      return { status: "OK", message: "Successfully updated your settings.", data };
    },
  }),
  operation({
    name: "mySession",
    method: "GET",
    path: "/mySession",
    summary: "The session the request came with.",
    roles: "authenticated",
    response: SessionReply,
    async handle(services, { caller }) {
      const session = await currentSession(services, caller.sessionId);
      return {
        id: session._id,
        loginMethod: session.loginMethod,
        session_start: session.createdAt,
        ttl: secondsLeft(services, session),
        principalId: session.accountId,
        requestCount: session.requestCount,
      };
    },
  }),
  operation({
    name: "myTTL",
    method: "GET",
    path: "/myTTL",
    summary: "Seconds until the session ends unless it is used.",
    roles: "authenticated",
    response: Type.Integer(),
    handle: async (services, { caller }) => secondsLeft(services, await currentSession(services, caller.sessionId)),
  }),
  operation({
    name: "getVersion",
    method: "GET",
    path: "/version",
    summary: "Version of the platform.",
    roles: "authenticated",
    response: Type.String(),
    handle: ({ release }) => release,
  }),
  operation({
    name: "isSsoEnabled",
    method: "GET",
    path: "/sso/enabled",
    summary: "Is there a single sign-on?",
    roles: "public",
    response: Type.Boolean(),
    handle: () => false,
  }),
];

async function identity({ users }: AuthenticationServices, accountId: string): Promise<Identity> {
  const access = await users.directory.accessOf(accountId);
  if (!access) throw notFound(`Account ${accountId} does not exist!`);
  return identityOf(access);
}

async function currentSession(
  { sessions }: AuthenticationServices,
  sessionId: string | undefined,
): Promise<SessionDocument> {
  const session = sessionId === undefined ? undefined : await sessions.read(sessionId);
  if (!session) throw notFound("These credentials have no session.");
  return session.document;
}

function secondsLeft({ users }: AuthenticationServices, session: SessionDocument): number {
  return Math.max(0, Math.floor(remainingMs(session, users.clock.now()) / 1000));
}
