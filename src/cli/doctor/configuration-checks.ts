import {
  ConfigurationError,
  readConfiguration,
  settingNames,
  type Environment,
  type NodeConfiguration,
} from "../../configuration.ts";
import { failure, ok, warning, type Finding } from "./finding.ts";

/** Variables of the commands that talk to a running platform. */
const clientVariables = ["LINEWRIGHT_URL", "LINEWRIGHT_USERNAME", "LINEWRIGHT_PASSWORD", "LINEWRIGHT_TOKEN"];

/** The configuration, if it can be used, and what is to be said of it. */
export function checkConfiguration(environment: Environment): {
  findings: Finding[];
  configuration: NodeConfiguration | undefined;
} {
  const unknown = checkNames(environment);
  try {
    const configuration = readConfiguration(environment);
    return { configuration, findings: [ok("configuration", "every setting can be used"), ...unknown] };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const finding = failure("configuration", error.message, "Correct the environment variables that are named.");
    return { configuration: undefined, findings: [finding, ...unknown] };
  }
}

/** A misspelt name would pass silently otherwise. */
function checkNames(environment: Environment): Finding[] {
  const known = new Set([...settingNames, ...clientVariables]);
  const unknown = Object.keys(environment).filter((name) => name.startsWith("LINEWRIGHT_") && !known.has(name));
  if (unknown.length === 0) return [];
  return [
    warning(
      "configuration",
      `no such setting: ${unknown.sort().join(", ")}`,
      "Correct the name, or unset the variable.",
    ),
  ];
}
