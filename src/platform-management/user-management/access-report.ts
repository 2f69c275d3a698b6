import type { Store } from "../../store/store.ts";
import { effectiveRoles, reachableGroups, type AccessModel } from "./access-model.ts";
import type { Account, Role } from "./account-schema.ts";

const columns = ["account", "accountProvenance", "inactive", "lastLogin", "through", "role", "roleProvenance"];

/**
 * Who has which role through what, as CSV (RFC 4180): one line per account and assignment; `through`
 * is empty for roles of the account itself and names the group otherwise. Accounts without any have one line.
 */
export async function accessReport(store: Store, model: AccessModel): Promise<string> {
  const accounts = await store.find<Account>("accounts", {}, { sort: { username: 1 } });
  const lines = accounts.flatMap((account) => linesOf(account, model));
  return [columns, ...lines].map((line) => line.map(cell).join(",")).join("\r\n") + "\r\n";
}

function linesOf(account: Account, model: AccessModel): string[][] {
  const head = [account.username, account.provenance, String(account.inactive), account.lastLogin ?? ""];
  const line = (through: string, role?: Role): string[] => [...head, through, role?.name ?? "", role?.provenance ?? ""];
  const own = effectiveRoles(account.assignedRoles, [], model).map((role) => line("", role));
  const inherited = reachableGroups(account.memberOf, model).flatMap((group) => {
    const roles = effectiveRoles(group.assignedRoles, [], model);
    return roles.length > 0 ? roles.map((role) => line(group.name, role)) : [line(group.name)];
  });
  const lines = [...own, ...inherited];
  return lines.length > 0 ? lines : [line("")];
}

// A leading apostrophe keeps spreadsheets from computing what people chose as a name.
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/u.test(text) ? `'${text}` : text;
  return /[",\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
