import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "../..");

/** Paths of all Markdown documents, relative to the project. */
export const DOCUMENTS: readonly string[] = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "CHANGELOG.md",
  "ARCHITECTURE.md",
  ...markdownIn("docs"),
  ...markdownIn("src"),
];

/** A fenced block of a document. */
export interface Block {
  /** First word after the fence; empty if there is none. */
  readonly language: string;
  readonly text: string;
  /** Line of the opening fence, counted from 1. */
  readonly line: number;
}

export function readDocument(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** The fenced blocks of a document, in order. */
export function blocksOf(path: string): readonly Block[] {
  const text = readDocument(path);
  return [...text.matchAll(/^( *)```(\S*).*\n([\s\S]*?)^\1```$/gm)].map((match) => {
    const [, indent = "", language = "", content = ""] = match;
    const line = text.slice(0, match.index).split("\n").length;
    return { language, text: content.replaceAll(new RegExp(`^${indent}`, "gm"), ""), line };
  });
}

function markdownIn(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .toSorted();
}
