import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createProgram } from "../../../src/cli/program.ts";
import { settingNames } from "../../../src/configuration.ts";
import { version } from "../../../src/version.ts";

const guide = "docs/guides/running-in-production.md";
/** Variables of the commands that talk to a running platform. */
const clientVariables = ["LINEWRIGHT_URL", "LINEWRIGHT_USERNAME", "LINEWRIGHT_PASSWORD", "LINEWRIGHT_TOKEN"];

/** A file of whoever runs it, and the language of the Dockerfile. */
const foreignPaths = new Set(["docker/.env", "docker/dockerfile"]);

async function filesBelow(...folders: string[]): Promise<string[]> {
  const entries = await Promise.all(folders.map((folder) => readdir(folder, { recursive: true, withFileTypes: true })));
  return entries.flat().flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []));
}

const read = (file: string): Promise<string> => readFile(file, "utf8");
const allMatches = (text: string, pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].map((match) => match[1] ?? match[0])),
];

describe("the files that deploy the platform", async () => {
  const files = [...(await filesBelow("docker", "deploy")), guide, ".dockerignore"];
  const packageFile = JSON.parse(await read("package.json")) as {
    scripts: Record<string, string>;
    bin: Record<string, string>;
  };

  const knownSettings = new Set([...settingNames, ...clientVariables]);
  const knownCommands = new Set(createProgram(version(), () => undefined).commands.map((command) => command.name()));

  it.each(files)("%s names only settings, scripts, commands and paths that exist", async (file) => {
    const text = await read(file);
    const settings = allMatches(text, /\bLINEWRIGHT_[A-Z_]+/gu);
    expect(settings.filter((name) => !knownSettings.has(name))).toEqual([]);
    const scripts = allMatches(text, /npm run (?:--silent )?([\w:]+)/gu);
    expect(scripts.filter((name) => !Object.hasOwn(packageFile.scripts, name))).toEqual([]);
    const commands = allMatches(text, /(?:^|`|-- )linewright ([a-z][a-z-]*)/gmu);
    expect(commands.filter((name) => !knownCommands.has(name))).toEqual([]);
    const paths = allMatches(text, /\b(?:docker|deploy|docs|scripts|src)\/[\w./-]*\w/gu);
    expect(paths.filter((path) => !existsSync(path) && !foreignPaths.has(path))).toEqual([]);
  });

  it("the image copies what exists and what the builder is given, and starts the command line", async () => {
    const dockerfile = await read("docker/Dockerfile");
    const allowed = new Set(allMatches(await read(".dockerignore"), /^!(.+)$/gmu));
    const sources = [...dockerfile.matchAll(/^COPY (?!--from)(.+)$/gmu)].flatMap((match) =>
      (match[1] ?? "").split(" ").slice(0, -1),
    );
    expect(sources.length).toBeGreaterThan(5);
    expect(sources.filter((path) => !existsSync(path))).toEqual([]);
    expect(sources.filter((path) => !allowed.has(path))).toEqual([]);
    expect(dockerfile).toContain(`ENTRYPOINT ["node", "/app/${packageFile.bin["linewright"]}"]`);
    expect(await read("deploy/systemd/linewright.service")).toContain(
      `/opt/linewright/${packageFile.bin["linewright"]} serve`,
    );
  });

  it("probes ask for paths of the API that anybody may ask for", async () => {
    const { paths } = JSON.parse(await read("openapi.json")) as {
      paths: Record<string, { get?: { security?: unknown[] } }>;
    };
    const texts = await Promise.all(files.map(read));
    const probed = allMatches(texts.join("\n"), /(?:path: |health_uri |LINEWRIGHT_PORT\})(\/[a-z]+[a-z/]*)\b/gu);
    expect(probed.sort()).toEqual(["/health/status", "/login"]);
    expect(probed.map((path) => paths[path]?.get?.security)).toEqual([[], []]);
  });

  it("the chart is of this release", async () => {
    expect(await read("deploy/helm/linewright/Chart.yaml")).toContain(`appVersion: "${version()}"`);
  });

  it("the templates of the chart use the values there are, all of them, and close what they open", async () => {
    const values = leafPaths(await read("deploy/helm/linewright/values.yaml"));
    const used = new Set<string>();
    for (const file of await filesBelow("deploy/helm/linewright/templates")) {
      const text = await read(file);
      for (const path of allMatches(text, /\.Values\.([\w.]*\w)/gu)) used.add(path);
      const opened = text.match(/\{\{-? (?:if|with|range|define) /gu)?.length ?? 0;
      expect({ file, ends: text.match(/\{\{-? end -?\}\}/gu)?.length ?? 0 }).toEqual({ file, ends: opened });
    }
    const isUsed = (path: string): boolean => [...used].some((one) => path === one || path.startsWith(`${one}.`));
    expect(values.filter((path) => !isUsed(path))).toEqual([]);
    const isThere = (path: string): boolean => values.some((one) => one === path || one.startsWith(`${path}.`));
    expect([...used].filter((path) => !isThere(path))).toEqual([]);
  });
});

/** Dotted paths of the values without members, by their indentation. */
function leafPaths(yaml: string): string[] {
  const open: { indent: number; name: string }[] = [];
  const leaves = new Set<string>();
  for (const line of yaml.split("\n")) {
    const [, space, name] = /^( *)(\w+):/u.exec(line) ?? [];
    if (space === undefined || name === undefined) continue;
    while ((open.at(-1)?.indent ?? -1) >= space.length) open.pop();
    leaves.delete(open.map((parent) => parent.name).join("."));
    open.push({ indent: space.length, name });
    leaves.add(open.map((parent) => parent.name).join("."));
  }
  return [...leaves];
}
