import { isJsonObject } from "../core/json.ts";

const secretName = /pass(?:word|wd|phrase|code)?$|^pass|secret|token|api[-_]?key|private[-_]?key|community|credential/i;

/** Is a member of this name a secret? */
function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/** A copy in which `change` was applied to every text below a member that is named like a secret. */
export function mapSecretMembers(value: unknown, change: (secret: string, path: string) => string, path = ""): unknown {
  if (Array.isArray(value)) return value.map((element, index) => mapSecretMembers(element, change, `${path}/${index}`));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const at = `${path}/${name}`;
      return [name, isSecretName(name) ? mapTexts(member, change, at) : mapSecretMembers(member, change, at)];
    }),
  );
}

function mapTexts(value: unknown, change: (secret: string, path: string) => string, path: string): unknown {
  if (typeof value === "string") return change(value, path);
  if (typeof value === "number") return change(String(value), path);
  if (Array.isArray(value)) return value.map((element, index) => mapTexts(element, change, `${path}/${index}`));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, mapTexts(member, change, `${path}/${name}`)]),
  );
}
