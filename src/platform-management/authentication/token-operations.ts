import { Type } from "@sinclair/typebox";
import { operationOf, Reply, type OperationRequest } from "../../core/operation.ts";
import type { AuthenticationServices } from "./authentication-services.ts";
import { notStored } from "./login-operations.ts";

const operation = operationOf<AuthenticationServices>();

// Open: clients may send parameters we do not know, and errors have a shape of their own (RFC 6749 §5.2).
const TokenRequest = Type.Object(
  {
    grant_type: Type.Optional(Type.String()),
    client_id: Type.Optional(Type.String({ maxLength: 256 })),
    client_secret: Type.Optional(Type.String({ maxLength: 1024 })),
  },
  { additionalProperties: true },
);

interface ClientCredentials {
  clientId: string;
  secret: string;
}

/** OAuth 2.0 client credentials: spec `platform-management.md` §2.3, RFC 6749 §4.4. */
export const tokenOperations = [
  operation({
    name: "getAccessToken",
    method: "POST",
    path: "/oauth/token",
    summary: "Exchange the credentials of a service account for an access token.",
    description: "Credentials in the body (form or JSON) or as HTTP Basic. Errors have the shape of RFC 6749 §5.2.",
    roles: "public",
    body: TokenRequest,
    response: Type.Object({
      access_token: Type.String(),
      token_type: Type.Literal("Bearer"),
      expires_in: Type.Integer({ description: "Seconds." }),
    }),
    async handle({ serviceAccounts }, { body, headers }) {
      if (body.grant_type !== "client_credentials") return refusal(400, "unsupported_grant_type");
      const inHeader = basicCredentials(headers["authorization"]);
      const client = inHeader ?? bodyCredentials(body.client_id, body.client_secret);
      const grant = client && (await serviceAccounts.exchange(client.clientId, client.secret));
      if (!grant) return refusal(401, "invalid_client", inHeader ? { "www-authenticate": 'Basic realm="oauth"' } : {});
      const reply = { access_token: grant.token, token_type: "Bearer", expires_in: grant.expiresInSeconds };
      return new Reply(reply, { headers: notStored });
    },
  }),
];

function refusal(status: number, error: string, headers: Record<string, string> = {}): Reply {
  return new Reply({ error }, { status, headers: { ...notStored, ...headers } });
}

function bodyCredentials(clientId: string | undefined, secret: string | undefined): ClientCredentials | undefined {
  return clientId === undefined || secret === undefined ? undefined : { clientId, secret };
}

/** RFC 6749 §2.3.1: both parts are form-encoded inside the header. */
function basicCredentials(header: OperationRequest["headers"][string]): ClientCredentials | undefined {
  const encoded = /^basic +(\S+)$/iu.exec(String(header ?? ""))?.[1];
  const [, clientId, secret] = /^([^:]*):(.*)$/u.exec(Buffer.from(encoded ?? "", "base64").toString("utf8")) ?? [];
  if (clientId === undefined || secret === undefined) return undefined;
  try {
    return { clientId: formDecoded(clientId), secret: formDecoded(secret) };
  } catch {
    return undefined;
  }
}

function formDecoded(text: string): string {
  return decodeURIComponent(text.replaceAll("+", " "));
}
