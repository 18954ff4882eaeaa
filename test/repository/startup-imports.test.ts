import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** What `splitwatch start` imports before it reads the configuration. */
const START = ["src/main.ts", "src/cli/start.ts", "src/app/app.ts"];

interface Loaded {
  readonly packages: ReadonlySet<string>;
  /** Paths of splitwatch's own modules. */
  readonly modules: ReadonlySet<string>;
}

/** What importing these modules loads, directly or through other modules. Dynamic imports don't count. */
function loadedBy(...entries: readonly string[]): Loaded {
  const packages = new Set<string>();
  const modules = new Set<string>();
  const pending = entries.map((entry) => join(root, entry));
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (modules.has(relative(root, path))) continue;
    modules.add(relative(root, path));
    for (const specifier of staticImports(path)) {
      if (specifier.startsWith(".")) pending.push(resolve(dirname(path), specifier));
      else if (!specifier.startsWith("node:")) packages.add(packageOf(specifier));
    }
  }
  return { packages, modules };
}

function staticImports(path: string): readonly string[] {
  const text = readFileSync(path, "utf8");
  const statements = text.matchAll(/^(?:import|export)(?! type\b)(?:[^"';]*? from)? ?"([^"]+)";/gm);
  return [...statements].map(([, specifier = ""]) => specifier);
}

function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

describe("the packages that a process loads at its start", () => {
  it("are only zod for help and invalid arguments", () => {
    expect([...loadedBy("src/main.ts").packages]).toEqual(["zod"]);
  });

  it("are these with nothing configured: no chat client, no parser of wires, no renderer of pictures", () => {
    const { packages } = loadedBy(...START, "src/store/engines/sqlite/open.ts", "src/chat/web/platform.ts");
    expect([...packages].toSorted()).toEqual([
      "@hono/node-server",
      "@hono/zod-openapi",
      "croner",
      "hono",
      "ical.js",
      "jsonc-parser",
      "kysely",
      "lowdb",
      "node-cron",
      "pino",
      "prom-client",
      "undici",
      "yaml",
      "zod",
    ]);
  });

  it("contain only the parser and the schemas of the configuration for subcommands about API keys", () => {
    const expected = new Set(["croner", "node-cron", "yaml", "zod"]);
    expect([...loadedBy("src/cli/keys.ts").packages].filter((name) => !expected.has(name))).toEqual([]);
  });
});

describe("the modules that a process loads at its start", () => {
  it("contain of each platform and store only the definition and the settings", () => {
    const { modules } = loadedBy(...START, "src/cli/doctor.ts");
    const ofAdapters = [...modules].filter((path) => /^src\/(?:chat|store)\/[^/]+\//.test(path));
    expect(ofAdapters).toContain("src/chat/discord/index.ts");
    expect(ofAdapters.filter((path) => !/\/(?:index|settings)\.ts$/.test(path))).toEqual([]);
  });
});

/** Modules that decode, parse or extract. */
const PARSERS = [
  "src/extraction/dates.ts",
  "src/extraction/extract.ts",
  "src/sources/web/decode-text.ts",
  "src/sources/web/page-text.ts",
  "src/sources/web/read-feed.ts",
  "src/sources/web/read-json.ts",
];

const sources = readdirSync(join(root, "src/sources")).filter((name) =>
  existsSync(join(root, "src/sources", name, "index.ts")),
);

/** Modules of a source that its module `name` imports on demand. */
function importedOnDemand(source: string, name: "index.ts" | "readers.ts"): readonly string[] {
  const folder = join("src/sources", source);
  const imports = readFileSync(join(root, folder, name), "utf8").matchAll(/import\("([^"]+)"\)/g);
  return [...imports].map(([, path = ""]) => join(folder, path));
}

/** Modules that the definition of a source imports for its polls and its checks. */
function pollingModules(source: string): readonly string[] {
  return importedOnDemand(source, "index.ts").filter((path) => !path.endsWith("/read-document.ts"));
}

describe("the modules that poll a source", () => {
  it.each(sources)("parse no document in the main thread: %s", (source) => {
    expect(pollingModules(source)).not.toEqual([]);
    const { modules } = loadedBy(`src/sources/${source}/index.ts`, ...pollingModules(source));
    expect(PARSERS.filter((parser) => modules.has(parser))).toEqual([]);
  });

  it("leave it to the readers, which the thread loads", () => {
    const { modules } = loadedBy(...sources.flatMap((source) => importedOnDemand(source, "readers.ts")));
    expect(PARSERS.filter((parser) => !modules.has(parser))).toEqual([]);
  });
});
