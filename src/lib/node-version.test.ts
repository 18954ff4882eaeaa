import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { MIN_NODE_VERSION, nodeVersionProblem } from "./node-version.ts";
import { packagePath } from "./package.ts";

it.each(["20.19.0", "20.20.2", "22.0.0", "24.1.0"])("accepts Node.js %s", (version) => {
  expect(nodeVersionProblem(version)).toBeNull();
});

it.each(["18.20.4", "20.18.3", "16.0.0"])("rejects Node.js %s", (version) => {
  expect(nodeVersionProblem(version)).toBe(
    `Node.js: got version ${version}, expected 20.19 or newer; install the current LTS version from https://nodejs.org`,
  );
});

it("has the minimum that package.json states", () => {
  const { engines } = JSON.parse(readFileSync(packagePath("package.json"), "utf8")) as { engines: { node: string } };
  expect(engines.node).toBe(`>=${MIN_NODE_VERSION}`);
});
