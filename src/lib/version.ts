import { readFileSync } from "node:fs";

/** splitwatch's own, from package.json, which lies above src/ and dist/ alike. */
export function readVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  const { version } = JSON.parse(text) as { readonly version: string };
  return version;
}
