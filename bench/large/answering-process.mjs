// Answers a JSON array of records of about so many megabytes (first argument) on its standard output, and ends.
const bytes = Number(process.argv[2]) * 1_000_000;
const record = (n) =>
  JSON.stringify({
    name: `router-${n}.example.net`,
    serial: `FDO${String(n).padStart(9, "0")}`,
    config: `interface GigabitEthernet0/${n % 48}\n description to core ${n}\n ip address 10.${n % 256}.0.1\n`.repeat(
      8,
    ),
    up: n % 3 !== 0,
  });

function* pieces() {
  let written = 1;
  let n = 0;
  yield `[${record(n)}`;
  while (written < bytes) {
    let piece = "";
    while (piece.length < 65_536) piece += `,${record(++n)}`;
    written += piece.length;
    yield piece;
  }
  yield "]";
}

for (const piece of pieces()) {
  if (!process.stdout.write(piece)) await new Promise((resolve) => process.stdout.once("drain", resolve));
}
