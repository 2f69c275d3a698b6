import type { Random } from "../fuzz/random.ts";

/** Ways to write 127.0.0.1, and places of clouds, that a guard of addresses may not know. Names of no other host are asked for. */
const hosts = [
  "127.0.0.1",
  "127.1",
  "127.0.1",
  "2130706433",
  "0x7f000001",
  "0x7f.1",
  "0177.0.0.1",
  "017700000001",
  "127.0.0.1.",
  "127.000.000.001",
  "①②⑦.⓪.⓪.①",
  "127。0。0。1",
  "%31%32%37.0.0.1",
  "0",
  "0.0.0.0",
  "localhost",
  "LOCALHOST",
  "[::1]",
  "[::]",
  "[0:0:0:0:0:0:0:1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[64:ff9b::7f00:1]",
  "[2002:7f00:1::]",
  "[::127.0.0.1]",
  "[fe80::1%25lo]",
  "169.254.169.254",
  "[fd00:ec2::254]",
  "2852039166",
  "0xa9fea9fe",
  "[::ffff:169.254.169.254]",
  "100.100.100.200",
  "255.255.255.255",
  "",
];
const schemes = ["http://", "https://", "HTTP://", "http:", "http:\\\\", "http:/", "//", "ws://"];
const others = [
  "file://",
  "ftp://",
  "gopher://",
  "data:text/plain,",
  "javascript:",
  "blob:http://",
  "unix:",
  "http+unix://",
];
const users = ["", "x@", "169.254.169.254@", "example.invalid:80@", "%00@"];
const tails = [
  "/",
  "/../../etc/passwd",
  "/\r\nHost: x\r\n\r\n",
  "?x=/",
  "#@example.invalid/",
  "/%0d%0aX: y",
  "\u0000/",
];

/** Addresses that must all be refused. `port`: of a listener that must never hear of any. */
export function hostileAddresses(count: number, random: Random, port: number): string[] {
  const plain = [...schemes, ...others].flatMap((scheme) => hosts.map((host) => `${scheme}${host}:${port}/`));
  const step = Math.max(1, plain.length / count);
  const make = (): string =>
    random.pick(schemes) + random.pick(users) + random.pick(hosts) + random.pick(["", `:${port}`]) + random.pick(tails);
  return Array.from({ length: count }, (_, place) => plain[Math.floor(place * step)] ?? make());
}
