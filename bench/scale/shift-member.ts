import { signIn, type ServerProcess } from "../../test/support/server-process.ts";

/** Somebody who may read jobs, and sees those of one group beside those that are open to all. */
export interface ShiftMember {
  groupId: string;
  /** The account of the administrator, who started all stored jobs. */
  administratorId: string;
  /** A token of a new session on a server. */
  signIn(server: ServerProcess): Promise<string>;
}

/** What the member works with. */
const applications: ReadonlySet<string> = new Set(["OperationsManager", "WorkFlowEngine"]);
const account = { username: "shift-member", password: "shift-member-password-1" };

interface NamedRole {
  _id: string;
  provenance: string;
  name: string;
}

/** Makes the account and its group on a server that is at work. */
export async function createShiftMember(server: ServerProcess): Promise<ShiftMember> {
  const send = async <T>(method: string, path: string, body?: object) =>
    (await server.request(method, `/user-management/${path}`, body)) as T;
  const group = await send<{ data: { _id: string } }>("POST", "groups", { name: "shift", description: "on shift" });
  const groupId = group.data._id;
  const { results } = await send<{ results: NamedRole[] }>("GET", "roles");
  const roles = results.filter(({ provenance, name }) => name === "operator" && applications.has(provenance));
  await send("PUT", `groups/${groupId}/roles`, { roles: roles.map(({ _id }) => _id) });
  const created = await send<{ data: { _id: string } }>("POST", "accounts", account);
  await send("PUT", `accounts/${created.data._id}/groups`, { groups: ["shift"] });
  const { id: administratorId } = (await server.request("GET", "/whoami")) as { id: string };
  return {
    groupId,
    administratorId,
    signIn: ({ url }) => signIn(url, account),
  };
}
