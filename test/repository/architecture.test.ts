import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CommandContext } from "../../src/commands/context.ts";
import { createCommands } from "../../src/commands/index.ts";

const root = new URL("../../", import.meta.url).pathname;
const page = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");

/** Paths in the tree: the line `  cli/backup/  backup and restore` under `src/` is src/cli/backup/. */
function pathsInTree(): string[] {
  const tree = page.split("## The tree")[1]?.split("```")[1] ?? "";
  let top = "";
  return tree.split("\n").flatMap((line) => {
    const [, indent = "", name] = /^( *)(\S+)/.exec(line) ?? [];
    if (name === undefined) return [];
    if (indent === "") top = name;
    return [indent === "" ? name : top + name];
  });
}

function foldersOf(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `${folder}${entry.name}/`);
}

describe("ARCHITECTURE.md", () => {
  it("names only paths that exist in its tree", () => {
    const paths = pathsInTree();

    expect(paths.length).toBeGreaterThan(20);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it("names every folder of the first two levels of src and test, and every file beside them", () => {
    const folders = ["src/", "test/"].flatMap(foldersOf);
    const platformsAndStores = ["src/chat/", "src/store/"].flatMap(foldersOf);
    const files = readdirSync(join(root, "src")).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));

    expect(pathsInTree()).toEqual(
      expect.arrayContaining([...folders, ...platformsAndStores, ...files.map((name) => `src/${name}`)]),
    );
  });

  it("names only files that exist in its text", () => {
    const named = [...page.matchAll(/`(src\/[\w/.-]+\.ts)`/g)].map(([, path]) => path ?? "");

    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

describe("the documents", () => {
  const documents = [
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "CHANGELOG.md",
    "ARCHITECTURE.md",
    ...markdownIn("docs"),
    ...markdownIn("src"),
  ];

  it.each(documents)("have only valid links in %s", (path) => {
    const text = readFileSync(join(root, path), "utf8");
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link]) => link ?? "");
    const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";

    expect(links.filter((link) => !existsSync(join(root, folder, link)))).toEqual([]);
  });

  it.each(documents)("name only files that exist in %s", (path) => {
    const text = readFileSync(join(root, path), "utf8");
    const named = [...text.matchAll(/`((?:src|test|docs|config|scripts)\/[\w/.-]+\.[a-z]+)`/g)].map(
      ([, file]) => file ?? "",
    );

    // NAME is a placeholder for the name of a new file; `splitwatch init` writes the other one.
    const exists = (file: string): boolean => /NAME|^config\/local\.yaml$/.test(file) || existsSync(join(root, file));
    expect(named.filter((file) => !exists(file))).toEqual([]);
  });

  it("list every command in the README", () => {
    // Only running a command needs the context.
    const { list } = createCommands({} as CommandContext);
    const readme = readFileSync(join(root, "README.md"), "utf8");

    expect(list.map(({ name }) => name).filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
  });
});

function markdownIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return markdownIn(path);
    return entry.name.endsWith(".md") ? [path] : [];
  });
}
