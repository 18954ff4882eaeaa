#!/usr/bin/env node
// Runs the built program. A clone is built first if its code has changed since; a package contains only the build.
import { existsSync } from "node:fs";

const build = new URL("../scripts/build/build-if-outdated.mjs", import.meta.url);
if (existsSync(build)) {
  const { buildIfOutdated } = await import(build.href);
  await buildIfOutdated();
}
await import(new URL("../dist/main.js", import.meta.url).href);
