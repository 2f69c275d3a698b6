/** What a router answers to `show interfaces brief`: the size of an answer that jobs keep, about 1.3 kB. */
export const transcript = [
  "Interface              IP-Address      OK? Method Status                Protocol",
  ...Array.from(
    { length: 15 },
    (_, n) => `GigabitEthernet0/${String(n).padEnd(2)}     10.20.${n}.1      YES NVRAM  up                    up      `,
  ),
].join("\n");
