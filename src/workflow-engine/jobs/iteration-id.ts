/**
 * Identifier of a task iteration: a UUID in the form of version 4 that carries the job's identifier
 * (96 bits) and the iteration's number (26 bits), so that an iteration is found without an index and
 * is the same in every replay.
 */
export function iterationId(jobId: string, iteration: number): string {
  const digits = jobId + (iteration & 0xff_ffff).toString(16).padStart(6, "0");
  const variant = (8 | ((iteration >> 24) & 3)).toString(16);
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(12, 15)}-${variant}${digits.slice(15, 18)}-${digits.slice(18)}`;
}

/** The job and number an iteration identifier stands for; undefined for any other text. */
export function parseIterationId(id: string): { jobId: string; iteration: number } | undefined {
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u.test(id)) return undefined;
  const digits = id.slice(0, 8) + id.slice(9, 13) + id.slice(15, 18) + id.slice(20, 23) + id.slice(24);
  const high = Number.parseInt(id.charAt(19), 16) & 3;
  return { jobId: digits.slice(0, 24), iteration: (high << 24) | Number.parseInt(digits.slice(24), 16) };
}
