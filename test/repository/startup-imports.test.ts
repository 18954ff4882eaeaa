import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Packages that importing these modules loads, directly or through other modules. Dynamic imports don't count. */
function packagesLoadedBy(...entries: readonly string[]): ReadonlySet<string> {
  const packages = new Set<string>();
  const modules = new Set<string>();
  const pending = entries.map((entry) => join(root, entry));
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (modules.has(path)) continue;
    modules.add(path);
    for (const specifier of staticImports(path)) {
      if (specifier.startsWith(".")) pending.push(resolve(dirname(path), specifier));
      else if (!specifier.startsWith("node:")) packages.add(packageOf(specifier));
    }
  }
  return packages;
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
    expect([...packagesLoadedBy("src/main.ts")]).toEqual(["zod"]);
  });

  it("contain no client of a chat platform before one is configured", () => {
    const loaded = packagesLoadedBy("src/main.ts", "src/cli/start.ts", "src/app/app.ts", "src/cli/doctor/doctor.ts");
    expect(loaded).toContain("hono");
    expect([...loaded].filter((name) => /slack|discord/.test(name))).toEqual([]);
  });

  it("contain only the parser and the schemas of the configuration for subcommands about API keys", () => {
    const expected = new Set(["croner", "node-cron", "yaml", "zod"]);
    expect([...packagesLoadedBy("src/cli/keys.ts")].filter((name) => !expected.has(name))).toEqual([]);
  });
});
