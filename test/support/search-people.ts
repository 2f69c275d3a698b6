import { signIn, type TestPlatform } from "./platform.ts";

/** Somebody with an account, signed in. */
export interface SearchPerson {
  id: string;
  /** The group of this person alone. */
  groupId: string;
  token: string;
}

/** An account that is its group's only member and has the roles of this name of the given applications. */
export async function addSearchPerson(
  platform: TestPlatform,
  username: string,
  role = "operator",
  applications: readonly string[] = ["WorkFlowEngine", "OperationsManager", "WorkflowBuilder", "AutomationStudio"],
): Promise<SearchPerson> {
  const password = "search-password-1";
  await platform.send("POST", "/user-management/accounts", { username, password });
  const roles = await platform.send<{ results: { _id: string; provenance: string; name: string }[] }>(
    "GET",
    `/user-management/roles?equalsField=name&equals=${role}`,
  );
  const needed = roles.results.filter(({ provenance }) => applications.includes(provenance));
  const name = `group of ${username}`;
  const group = await platform.send<{ data: { _id: string } }>("POST", "/user-management/groups", {
    name,
    description: name,
  });
  const groupId = group.data._id;
  await platform.send("PUT", `/user-management/groups/${groupId}/roles`, { roles: needed.map(({ _id }) => _id) });
  const accounts = await platform.send<{ results: { _id: string }[] }>(
    "GET",
    `/user-management/accounts?equalsField=username&equals=${username}`,
  );
  const id = accounts.results[0]?._id ?? "";
  await platform.send("PUT", `/user-management/accounts/${id}/groups`, { groups: [groupId] });
  return { id, groupId, token: await signIn(platform.platform.url, username, password) };
}
