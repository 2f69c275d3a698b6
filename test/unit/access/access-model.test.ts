import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createAccessModel,
  effectiveAccess,
  reachableGroups,
} from "../../../src/platform-management/user-management/access-model.ts";
import type { Account, Group, Role } from "../../../src/platform-management/user-management/account-schema.ts";

const _meta = { created: "", updated: "" };
const memberships = (ids: readonly string[]) => ids.map((groupId) => ({ groupId }));
const references = (ids: readonly string[]) => ids.map((roleId) => ({ roleId }));

function group(
  id: string,
  memberOf: readonly string[] = [],
  roles: readonly string[] = [],
  more: Partial<Group> = {},
): Group {
  const lists = { memberOf: memberships(memberOf), assignedRoles: references(roles) };
  return { _id: id, provenance: "local_aaa", name: id, description: "", inactive: false, _meta, ...lists, ...more };
}

function role(id: string, ...methods: string[]): Role {
  const allowedMethods = methods.map((name) => ({ name, provenance: "Health" }));
  return { _id: id, provenance: "Custom", name: id, description: "", allowedMethods, allowedViews: [], _meta };
}

function account(memberOf: readonly string[], roles: readonly string[] = []): Account {
  const lists = { memberOf: memberships(memberOf), assignedRoles: references(roles) };
  const person = { _id: "a", provenance: "local_aaa", username: "ann", firstname: "", email: "" };
  return { ...person, inactive: false, loggedIn: false, gitTokens: {}, _meta, ...lists };
}

const roles = [role("r1", "getSystemHealth"), role("r2", "getServerHealth"), role("r3", "getAdapterHealth")];

describe("effective access", () => {
  it("unites roles of the account, of its groups and of their groups", () => {
    const model = createAccessModel([group("g1", ["g2"], ["r2"]), group("g2", [], ["r3"])], roles, []);
    const access = effectiveAccess(account(["g1"], ["r1"]), model);
    expect(access.roles.map(({ _id }) => _id)).toEqual(["r1", "r2", "r3"]);
    expect(access.isAllowed("Health", "getAdapterHealth")).toBe(true);
    expect(access.isAllowed("Health", "restart")).toBe(false);
    expect(access.isAllowed("Other", "getAdapterHealth")).toBe(false);
    expect(access.isAdmin).toBe(false);
  });

  it("gives everything to members of a group of administrators, also through another group", () => {
    const admins = group("admins", [], [], { name: "boss", provenance: "LDAP" });
    const model = createAccessModel([group("g1", ["admins"]), admins], roles, [{ group: "boss", provenance: "LDAP" }]);
    const access = effectiveAccess(account(["g1"]), model);
    expect(access.isAdmin).toBe(true);
    expect(access.isAllowed("Anything", "atAll")).toBe(true);
    expect(access.roles).toHaveLength(roles.length);
  });

  it("takes a group of the same name from another source for no group of administrators", () => {
    const model = createAccessModel([group("g1", [], [], { name: "boss" })], roles, [
      { group: "boss", provenance: "LDAP" },
    ]);
    expect(effectiveAccess(account(["g1"]), model).isAdmin).toBe(false);
  });

  it("gives nothing through inactive groups, unknown groups and unknown roles", () => {
    const groups = [group("off", ["g2"], ["r1"], { inactive: true }), group("g2", [], ["r2"])];
    const access = effectiveAccess(account(["off", "gone"], ["no-such-role"]), createAccessModel(groups, roles, []));
    expect(access.roles).toEqual([]);
    expect(access.groups).toEqual([]);
  });

  it("reaches exactly the groups that a path of memberships leads to, whatever cycles there are", () => {
    const ids = ["a", "b", "c", "d", "e"];
    const edges = fc.array(fc.tuple(fc.constantFrom(...ids), fc.constantFrom(...ids)), { maxLength: 15 });
    fc.assert(
      fc.property(edges, fc.constantFrom(...ids), (pairs, start) => {
        const groups = ids.map((id) =>
          group(
            id,
            pairs.filter(([from]) => from === id).map(([, to]) => to),
          ),
        );
        const reached = reachableGroups(memberships([start]), createAccessModel(groups, [], []));
        expect(new Set(reached.map(({ _id }) => _id))).toEqual(closure(start, pairs));
        expect(new Set(reached).size).toBe(reached.length);
      }),
    );
  });
});

/** Reachability by repeated passes over the edges until nothing is added. */
function closure(start: string, edges: readonly (readonly [string, string])[]): Set<string> {
  const reached = new Set([start]);
  for (let before = 0; before < reached.size;) {
    before = reached.size;
    for (const [from, to] of edges) if (reached.has(from)) reached.add(to);
  }
  return reached;
}
