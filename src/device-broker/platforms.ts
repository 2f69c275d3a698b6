/**
 * What the broker must know about a kind of command line. Prompt shapes are applied to the last,
 * unfinished line of what the device sent, with escape sequences removed.
 */
export interface Platform {
  /** Name as inventories of the field write it. */
  id: string;
  /** Shape of a prompt. Groups: `host` (what stays the same), `mode` (configuration mode, may be empty), `mark` (last character). */
  prompt: RegExp;
  /** Sent once after login, so that output comes without stops and unchanged by the terminal. */
  setup: readonly string[];
  /** Command that enters privileged mode, where the platform has one. */
  enable?: string;
  /** Lines that leave configuration mode; those after the first answer its questions. */
  leave?: readonly string[];
  /** Lines before the prompt that belong to the prompt, not to the output. */
  trailer?: RegExp;
  /** Beginnings of lines with which the device refuses a command. */
  errors: readonly RegExp[];
}

const hostName = String.raw`(?<host>[A-Za-z0-9_][\w.\-/:@~+]{0,80})`;
const bracketedMode = String.raw`(?<mode>(?:\([^()\s]{1,60}\)){0,3})`;
const routerPrompt = new RegExp(`^${hostName}${bracketedMode}(?<mark>[>#]) ?$`);
const junosPrompt = /^(?<host>[\w.-]{1,40}@[\w.\-:]{1,80})(?<mode>)(?<mark>[>#%]) ?$/;
const linuxPrompt =
  /^(?:\(\S{1,40}\) )?(?<host>\[?[A-Za-z0-9_][\w.-]{0,63}@[\w.-]{1,80})(?<mode>)[: ][^\n]{0,200}?\]?(?<mark>[$#]) ?$/;

const percentErrors = [
  /^% ?(?:Unknown|Invalid|Ambiguous|Incomplete|Command incomplete|Error|Bad|Unrecognized|There is no)/i,
];

/** Platforms in the order of the reference page. */
export const platforms: readonly Platform[] = [
  {
    id: "cisco_ios",
    prompt: routerPrompt,
    setup: ["terminal length 0", "terminal width 511"],
    enable: "enable",
    leave: ["end"],
    errors: percentErrors,
  },
  {
    id: "cisco_nxos",
    prompt: routerPrompt,
    setup: ["terminal length 0", "terminal width 511"],
    leave: ["end"],
    errors: percentErrors,
  },
  {
    id: "cisco_iosxr",
    prompt: routerPrompt,
    setup: ["terminal length 0", "terminal width 511"],
    leave: ["end", "no"],
    errors: percentErrors,
  },
  {
    id: "cisco_asa",
    prompt: routerPrompt,
    setup: ["terminal pager 0"],
    enable: "enable",
    leave: ["end"],
    errors: [/^(?:ERROR|WARNING): %? ?/],
  },
  {
    id: "arista_eos",
    prompt: routerPrompt,
    setup: ["terminal length 0", "terminal width 32767"],
    enable: "enable",
    leave: ["end"],
    errors: percentErrors,
  },
  {
    id: "juniper_junos",
    prompt: junosPrompt,
    setup: ["set cli complete-on-space off", "set cli screen-length 0", "set cli screen-width 511"],
    leave: ["exit configuration-mode", "yes"],
    trailer: /^(?:\[edit[^\]]*\]|\{(?:master|backup|linecard)(?::\d+)?\}(?:\[edit[^\]]*\])?)$/,
    errors: [/^(?:error: |syntax error|unknown command|missing argument|\s+\^$)/],
  },
  {
    id: "paloalto_panos",
    prompt: routerPrompt,
    setup: ["set cli pager off", "set cli terminal width 500"],
    leave: ["exit"],
    trailer: /^\[edit[^\]]*\]$/,
    errors: [/^(?:Unknown command|Invalid syntax|Server error)/],
  },
  {
    id: "frr",
    prompt: routerPrompt,
    setup: ["terminal length 0"],
    enable: "enable",
    leave: ["end"],
    errors: percentErrors,
  },
  {
    id: "linux",
    prompt: linuxPrompt,
    setup: ["export PAGER=cat SYSTEMD_PAGER=cat GIT_PAGER=cat"],
    errors: [/: command not found$/],
  },
];

/** Other names for the same platforms, as inventories of other tools write them. */
const platformAliases: Readonly<Record<string, string>> = {
  ios: "cisco_ios",
  cisco_xe: "cisco_ios",
  cisco_iosxe: "cisco_ios",
  "cisco-ios": "cisco_ios",
  "cisco-ios-xe": "cisco_ios",
  nxos: "cisco_nxos",
  "cisco-nx": "cisco_nxos",
  "cisco-nxos": "cisco_nxos",
  iosxr: "cisco_iosxr",
  cisco_xr: "cisco_iosxr",
  "cisco-ios-xr": "cisco_iosxr",
  asa: "cisco_asa",
  "cisco-asa": "cisco_asa",
  eos: "arista_eos",
  "arista-eos": "arista_eos",
  junos: "juniper_junos",
  juniper: "juniper_junos",
  "juniper-junos": "juniper_junos",
  panos: "paloalto_panos",
  vtysh: "frr",
  frrouting: "frr",
};

/** The platform with this name or alias, upper and lower case alike, also in the Ansible form `vendor.platform.platform`. */
export function findPlatform(name: string): Platform | undefined {
  const last = name.trim().toLowerCase().split(".").at(-1) ?? "";
  const id = platformAliases[last] ?? last;
  return platforms.find((platform) => platform.id === id);
}
