import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished } from "vitest";

const root = join(import.meta.dirname, "../..");

/** The only files to change for a new event kind, besides the code that detects it: its definition, its card, and its words. */
export const EVENT_KIND_FILES = [
  "src/domain/alert/event.ts",
  "src/messages/alerts/event-card.ts",
  "src/messages/event-text.ts",
] as const;

/** The memory of one compilation is never collected: a third less CPU time. The limit is far above what it takes. */
const WITHOUT_COLLECTION = { GOGC: "off", GOMEMLIMIT: "4GiB" };

/** Copies the sources into a folder, which is removed at the end of the test. */
export function copySources(): string {
  const folder = mkdtempSync(join(tmpdir(), "splitwatch-sources-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(join(root, "src"), join(folder, "src"), { recursive: true, filter: (path) => !path.endsWith(".test.ts") });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  for (const file of ["package.json", "tsconfig.json"]) cpSync(join(root, file), join(folder, file));
  return folder;
}

/** Replaces a text that the file contains once. */
export function replaceIn(folder: string, file: string, text: string, replacement: string): void {
  const path = join(folder, file);
  const parts = readFileSync(path, "utf8").split(text);
  expect({ file, text, count: parts.length - 1 }).toEqual({ file, text, count: 1 });
  writeFileSync(path, parts.join(replacement));
}

/** Lines such as `src/main.ts(1,2): error TS2322: …`. */
export function compilerErrors(folder: string): readonly string[] {
  const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
  try {
    // Several threads take twice the CPU time, because each checks the types that the files share.
    execFileSync(process.execPath, [tsc, "-p", folder, "--singleThreaded", "--pretty", "false"], {
      cwd: folder,
      env: { ...process.env, ...WITHOUT_COLLECTION },
      stdio: "pipe",
    });
    return [];
  } catch (error) {
    const output = String((error as { readonly stdout: Buffer }).stdout);
    return output.split("\n").filter((line) => /^\S+\(\d+,\d+\): error/.test(line));
  }
}
