import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CommandContext } from "../../src/commands/context.ts";
import { createCommands } from "../../src/commands/index.ts";
import { blocksOf, DOCUMENTS, readDocument } from "../support/documentation.ts";

const root = new URL("../../", import.meta.url).pathname;
const page = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");

/** Paths in the tree: the line `  cli/backup/  backup and restore` under `src/` is src/cli/backup/. */
function pathsInTree(): string[] {
  const tree = blocksOf("ARCHITECTURE.md").find(({ text }) => text.startsWith("src/"))?.text ?? "";
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
  it.each(DOCUMENTS)("have only valid links in %s", (path) => {
    const links = [...proseOf(path).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link = ""]) => link);
    expect(links.filter((link) => !isValidLink(path, link))).toEqual([]);
  });

  it.each(DOCUMENTS)("name only files that exist in %s", (path) => {
    const named = [...readDocument(path).matchAll(/`((?:src|test|docs|config|scripts)\/[\w/.-]+\.[a-z]+)`/g)].map(
      ([, file]) => file ?? "",
    );

    expect(named.filter((file) => !isFile(file))).toEqual([]);
  });

  it("list every page in docs/README.md", () => {
    const book = readDocument("docs/README.md");
    const pages = DOCUMENTS.filter((path) => path.startsWith("docs/") && path !== "docs/README.md");
    expect(pages.filter((path) => !book.includes(`](${path.slice("docs/".length)})`))).toEqual([]);
  });

  it("list every command in docs/commands.md", () => {
    // Only running a command needs the context.
    const { list } = createCommands({} as CommandContext);
    const commands = readDocument("docs/commands.md");

    expect(list.map(({ name }) => name).filter((name) => !commands.includes(`\`${name}\``))).toEqual([]);
  });
});

/** NAME is a placeholder for the name of a new file; `splitwatch init` writes the other one. */
function isFile(path: string): boolean {
  return /NAME|^config\/local\.yaml$/.test(path) || existsSync(join(root, path));
}

/** The text of a document without its fenced blocks. */
function proseOf(path: string): string {
  return readDocument(path).replaceAll(/^( *)```[\s\S]*?^\1```$/gm, "");
}

/** Whether the file and the heading that a relative link names exist. */
function isValidLink(from: string, link: string): boolean {
  const [file = "", anchor] = link.split("#");
  const target = file === "" ? from : join(dirname(from), file);
  if (!existsSync(join(root, target))) return false;
  return anchor === undefined || !target.endsWith(".md") || anchorsOf(target).includes(anchor);
}

/** Anchors that GitHub gives to the headings of a document. */
function anchorsOf(path: string): readonly string[] {
  return [...proseOf(path).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}
