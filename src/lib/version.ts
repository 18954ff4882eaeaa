import { readFileSync } from "node:fs";
import { packagePath } from "./package.ts";

/** The version of splitwatch, from package.json. */
export function readVersion(): string {
  const text = readFileSync(packagePath("package.json"), "utf8");
  const { version } = JSON.parse(text) as { readonly version: string };
  return version;
}
