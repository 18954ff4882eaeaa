import { join } from "node:path";
import { expect, it } from "vitest";
import { isOwnProgram, programCommand } from "./package.ts";

it.each([
  [join("/usr", "local", "bin", "splitwatch"), true, "splitwatch"],
  [join("/app", "node_modules", ".bin", "splitwatch"), false, "npx splitwatch"],
  [join("/app", "dist", "main.js"), false, "npx splitwatch"],
])("%s is a program of its own: %s, run with %s", (program, isOwn, command) => {
  expect([isOwnProgram(program), programCommand(program)]).toEqual([isOwn, command]);
});
