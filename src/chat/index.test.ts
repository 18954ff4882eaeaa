import { existsSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { PLATFORMS } from "./index.ts";

const here = new URL("./", import.meta.url);
const folders = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

describe("the list of chat platforms", () => {
  it("names every folder and nothing else", () => {
    expect(Object.keys(PLATFORMS).toSorted()).toEqual(folders.toSorted());
  });

  it.each(folders)("has the contract suite and a README for %s", (folder) => {
    expect(existsSync(new URL(`${folder}/contract.test.ts`, here))).toBe(true);
    expect(existsSync(new URL(`${folder}/README.md`, here))).toBe(true);
  });
});
