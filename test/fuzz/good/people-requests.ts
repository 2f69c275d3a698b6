import { colleague } from "./common-objects.ts";
import { idOf, type FuzzScene } from "./fuzz-scene.ts";
import { coreList, someOf, type GoodRequest, type GoodRequests } from "./good-request.ts";

const { password } = colleague;

function account(scene: FuzzScene): object {
  const optional = { firstname: "Ann", email: "ann@example.org", groups: [] };
  return { username: scene.freshName(), password, ...someOf(scene.random, optional) };
}

async function storedAccount(scene: FuzzScene): Promise<string> {
  return idOf(await scene.ask("POST", "/user-management/accounts", { account: account(scene) }));
}

const ofAccount =
  (body?: (scene: FuzzScene) => unknown): GoodRequest =>
  async (scene) => ({
    params: { accountId: await storedAccount(scene) },
    ...(body ? { body: body(scene) } : {}),
  });

async function storedGroup(scene: FuzzScene): Promise<{ id: string; name: string }> {
  const name = scene.freshName();
  return { id: idOf(await scene.ask("POST", "/user-management/groups", { name })), name };
}

const methods = [{ name: "getAccounts", provenance: "UserManagement" }];

async function storedRole(scene: FuzzScene): Promise<string> {
  const role = { name: scene.freshName(), allowedMethods: methods };
  return idOf(await scene.ask("POST", "/authorization/roles", { role }));
}

const ofGroup: GoodRequest = async (scene) => ({ params: { groupId: (await storedGroup(scene)).id } });
const ofRole: GoodRequest = async (scene) => ({ params: { roleId: await storedRole(scene) } });

const peopleRequests: GoodRequests = {
  "UserManagement.createAccount": (scene) => {
    const made = account(scene);
    return { body: scene.random.pick([made, { account: made }, { user: made }]) };
  },
  "UserManagement.getAccounts": coreList("username", "_id", "firstname"),
  "UserManagement.getAccount": ofAccount(),
  "UserManagement.updateAccount": ofAccount(({ random }) => {
    const inactive = random.chance(0.5);
    return random.pick([{ updates: { inactive, assignedRoles: [] } }, { inactive }]);
  }),
  "UserManagement.setAccountGroups": async (scene) => {
    const groups = [(await storedGroup(scene)).name];
    return { params: { accountId: await storedAccount(scene) }, body: scene.random.pick([{ groups }, groups]) };
  },
  "UserManagement.setAccountPassword": ofAccount(({ random }) =>
    random.pick([{ password: "another-long-password" }, { newPassword: "another-long-password" }]),
  ),
  "UserManagement.deleteAccount": ofAccount(),
  "UserManagement.forceLogout": ofAccount(),
};

const groupRequests: GoodRequests = {
  "UserManagement.createGroup": ({ random, freshName }) => {
    const group = { name: freshName(), description: "d" };
    return { body: random.pick([group, { group }]) };
  },
  "UserManagement.createPlatformGroup": async (scene) => ({
    body: {
      group: {
        name: scene.freshName(),
        assignedRoles: [{ roleId: await storedRole(scene) }],
        ...someOf(scene.random, { description: "d", inactive: false, memberOf: [] }),
      },
    },
  }),
  "UserManagement.getGroups": coreList("name", "_id", "description"),
  "UserManagement.getGroup": ofGroup,
  "UserManagement.updateGroup": async (scene) => ({
    params: { groupId: (await storedGroup(scene)).id },
    body: { updates: { description: "d", ...someOf(scene.random, { name: scene.freshName(), inactive: true }) } },
  }),
  "UserManagement.setGroupRoles": async (scene) => {
    const roles = [{ roleId: await storedRole(scene) }];
    return { params: { groupId: (await storedGroup(scene)).id }, body: scene.random.pick([{ roles }, roles]) };
  },
  "UserManagement.deleteGroup": ofGroup,
  "UserManagement.getAssignableRoles": coreList("name", "_id", "provenance"),
  "UserManagement.getRoles": coreList("name", "_id", "provenance"),
  "UserManagement.getRole": ofRole,
  "UserManagement.createRole": (scene) => ({
    body: { role: { name: scene.freshName(), ...someOf(scene.random, { description: "d", allowedMethods: methods }) } },
  }),
  "UserManagement.updateRole": async (scene) => ({
    params: { roleId: await storedRole(scene) },
    body: { updates: { allowedMethods: [], description: "d" } },
  }),
  "UserManagement.deleteRole": ofRole,
  "UserManagement.getMethods": coreList("name", "provenance"),
  "UserManagement.getViews": coreList("path", "provenance"),
};

async function client(scene: FuzzScene): Promise<{ client_id: string; client_secret: string }> {
  const accountData = { name: scene.freshName(), description: "d" };
  const { client_id, client_secret } = await scene.ask("POST", "/oauth/serviceAccounts", { accountData });
  return { client_id: String(client_id), client_secret: String(client_secret) };
}

const ofClient: GoodRequest = async (scene) => ({ params: { client_id: (await client(scene)).client_id } });

const loginRequests: GoodRequests = {
  "Authentication.login": ({ random }) => ({ body: random.pick([colleague, { user: colleague }]) }),
  "Authentication.getAccessToken": async (scene) => ({
    body: { grant_type: "client_credentials", ...(await client(scene)) },
  }),
  "Authentication.createServiceAccount": ({ freshName }) => ({ body: { accountData: { name: freshName() } } }),
  "Authentication.getServiceAccounts": coreList("name", "_id"),
  "Authentication.updateServiceAccount": async (scene) => ({
    params: { client_id: (await client(scene)).client_id },
    body: { updates: { description: "d", ...someOf(scene.random, { inactive: true }) } },
  }),
  "Authentication.regenerateSecret": ofClient,
  "Authentication.deleteServiceAccount": ofClient,
};

/** Accounts, groups, roles and logins. */
export const accessRequests: GoodRequests = { ...peopleRequests, ...groupRequests, ...loginRequests };
