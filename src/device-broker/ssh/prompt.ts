import { escapeRegex } from "../../core/escape-regex.ts";
import type { Platform } from "../platforms.ts";

/** The prompt of one shell, as it was learned after login. */
export interface Prompt {
  /** The prompt as it stood after login. */
  text: string;
  /** Matches this device's prompt in every mode, and only this device's. */
  pattern: RegExp;
  /** Matches a line that begins with the prompt and goes on. */
  start: RegExp;
}

// Devices cut long names in configuration mode, so only the beginning of the name is relied on.
const reliableLength = 16;
const modeShape = String.raw`(?:\([^()\s]{1,80}\)){0,3}`;

/** Learns from the line a device shows when it waits for a command. A line of unknown shape is taken literally. */
export function learnPrompt(line: string, platform: Platform): Prompt {
  const text = line.trim();
  const groups = platform.prompt.exec(text)?.groups;
  const body = groups ? knownShape(groups, platform) : escapeRegex(text);
  return { text, pattern: new RegExp(`^${body} ?$`), start: new RegExp(`^${body}`) };
}

function knownShape(groups: Record<string, string | undefined>, platform: Platform): string {
  const host = groups["host"] ?? "";
  const rest = host.length > reliableLength ? String.raw`[^\s()>#$%]{0,80}` : "";
  const start = escapeRegex(host.slice(0, reliableLength)) + rest;
  return platform.id === "linux" ? String.raw`(?:\(\S{1,40}\) )?${start}[^\n]{0,200}[$#]` : `${start}${modeShape}[>#%]`;
}

/** Do both prompts show the same mode? Changed names are no other mode. */
export function isSameMode(one: string, other: string, platform: Platform): boolean {
  return one === other || modeOf(one, platform) === modeOf(other, platform);
}

/** Last character of a prompt: tells user mode from privileged mode. */
export function promptMark(prompt: string): string {
  return prompt.trimEnd().at(-1) ?? "";
}

function modeOf(prompt: string, platform: Platform): string {
  const groups = platform.prompt.exec(prompt.trim())?.groups;
  return groups ? `${groups["mode"]}${groups["mark"]}` : prompt.trim();
}
