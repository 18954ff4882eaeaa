import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

describe("docs/scaling.md", () => {
  it("shows the tables that the simulation gives", () => {
    const output = execFileSync(process.execPath, [join(root, "scripts/simulate-scale.mjs")], { encoding: "utf8" });
    const tables = output.trim().split("\n\n");
    expect(tables).toHaveLength(3);
    expect(tablesOfPage()).toEqual(expect.arrayContaining(tables));
  });
});

/** The generated tables of the page. */
function tablesOfPage(): readonly string[] {
  const page = readFileSync(join(root, "docs/scaling.md"), "utf8");
  return [...page.matchAll(/<!-- bench: \S+ -->\n\n([\s\S]*?)\n\n<!-- \/bench -->/g)].map(([, table = ""]) => table);
}
