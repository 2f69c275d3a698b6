import { BlockList, isIP } from "node:net";

/** Which addresses requests may go to. */
export interface AddressRules {
  /** Networks (`10.0.0.0/8`, `fe80::/10`) and addresses that are refused. */
  deny: readonly string[];
  /** When there are any: nothing else is allowed. */
  allow: readonly string[];
}

/**
 * What no workflow has to do with: link-local addresses and the places where clouds hand out credentials of their
 * machines, "this host", multicast and broadcast (decision 22; RFC 6890).
 */
export const defaultDeniedNetworks: readonly string[] = [
  "0.0.0.0/8",
  "169.254.0.0/16",
  "100.100.100.200",
  "168.63.129.16",
  "192.0.0.192",
  "224.0.0.0/4",
  "255.255.255.255",
  "::/128",
  "fe80::/10",
  "fd00:ec2::254",
  "fd20:ce::254",
  "ff00::/8",
];

/** Is the text a network or an address that rules can be made of? */
export function isNetwork(text: string): boolean {
  const [address = "", prefix, ...rest] = text.split("/");
  const bits = isIP(address) === 4 ? 32 : 128;
  // A zone belongs to one machine's own names of its interfaces.
  if (text.includes("%")) return false;
  return isIP(address) > 0 && rest.length === 0 && (prefix === undefined || isPrefix(prefix, bits));
}

function isPrefix(text: string, most: number): boolean {
  return /^\d{1,3}$/u.test(text) && Number(text) <= most;
}

/**
 * Judges addresses, as a connection is made to them. An address that has an IPv4 address in it is refused with that
 * one; it is allowed with that one where it is only another way to write it.
 */
export function createAddressCheck({ deny, allow }: AddressRules): (address: string) => boolean {
  const denied = listOf(deny);
  const allowed = allow.length > 0 ? listOf(allow) : undefined;
  return (address) => {
    const [plain = ""] = address.split("%");
    if (isIP(plain) === 0) return false;
    const bytes = isIP(plain) === 6 ? bytesOf(plain) : [];
    if ([plain, ...embeddedIn(bytes)].some((form) => holds(denied, form))) return false;
    return allowed === undefined || [plain, ...meantBy(bytes)].some((form) => holds(allowed, form));
  };
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", prefix] = network.split("/");
    const family = isIP(address) === 4 ? "ipv4" : "ipv6";
    list.addSubnet(address, prefix === undefined ? (family === "ipv4" ? 32 : 128) : Number(prefix), family);
  }
  return list;
}

function holds(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 4 ? "ipv4" : "ipv6");
}

/** The sixteen bytes of an IPv6 address (RFC 4291 §2.2). */
function bytesOf(address: string): number[] {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/u.exec(address);
  const [, head = "", a, b, c, d] = dotted ?? [];
  const hex = dotted ? `${head}${pairOf(a, b).toString(16)}:${pairOf(c, d).toString(16)}` : address;
  const [left = "", right] = hex.split("::");
  const parse = (text: string): number[] =>
    text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
  const before = parse(left);
  const after = parse(right ?? "");
  const groups = [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
  return groups.flatMap((group) => [group >> 8, group & 255]);
}

function pairOf(high: string | undefined, low: string | undefined): number {
  return Number(high) * 256 + Number(low);
}

/** A way to put an IPv4 address into another one: behind which bytes (undefined: any), and where its own are. */
interface Embedding {
  head: readonly (number | undefined)[];
  at: readonly number[];
  /** The other side of these bits is meant. */
  isInverted?: boolean;
}

const zeros = (count: number): number[] => Array.from({ length: count }, () => 0);
const last = [12, 13, 14, 15];
const localTranslation = [0, 0x64, 0xff, 0x9b, 0, 1];

const mapped: Embedding = { head: [...zeros(10), 0xff, 0xff], at: last };
const translated: Embedding = { head: [0, 0x64, 0xff, 0x9b, ...zeros(8)], at: last };

/**
 * IPv4-mapped, -compatible and -translated addresses (RFC 4291 §2.5.5, RFC 2765), NAT64 (RFC 6052 §2.2, with the local
 * prefix of RFC 8215 at each of its lengths), 6to4 (RFC 3056), ISATAP (RFC 5214) and Teredo (RFC 4380).
 */
const embeddings: readonly Embedding[] = [
  mapped,
  { head: zeros(12), at: last },
  { head: [...zeros(8), 0xff, 0xff, 0, 0], at: last },
  translated,
  ...[[6, 7, 9, 10], [7, 9, 10, 11], [9, 10, 11, 12], last].map((at) => ({ head: localTranslation, at })),
  { head: [0x20, 0x02], at: [2, 3, 4, 5] },
  ...[0, 2].map((first) => ({ head: [...Array.from({ length: 8 }, () => undefined), first, 0, 0x5e, 0xfe], at: last })),
  { head: [0x20, 0x01, 0, 0], at: last, isInverted: true },
];

/** All IPv4 addresses that the address may have in it. */
function embeddedIn(bytes: readonly number[]): string[] {
  // `::1` and `::` are addresses of their own.
  if (bytes.slice(0, 14).every((byte) => byte === 0)) return [];
  return embeddings.flatMap((embedding) => readEmbedded(embedding, bytes));
}

/** The IPv4 address that a connection to the address ends at, whoever is on the way. */
function meantBy(bytes: readonly number[]): string[] {
  return [mapped, translated].flatMap((embedding) => readEmbedded(embedding, bytes));
}

function readEmbedded({ head, at, isInverted = false }: Embedding, bytes: readonly number[]): string[] {
  const isSo = bytes.length > 0 && head.every((byte, index) => byte === undefined || byte === bytes[index]);
  return isSo ? [at.map((index) => (isInverted ? 255 : 0) ^ (bytes[index] ?? 0)).join(".")] : [];
}
