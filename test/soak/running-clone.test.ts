import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Clone, createClone } from "../support/clone.ts";

const VERSION = /^\d+\.\d+\.\d+\n$/;

let clone: Clone;

beforeAll(async () => {
  clone = await createClone();
});

afterAll(() => clone.remove());

it("runs npm start and npx splitwatch without a build, also at the same time and with changed code", async () => {
  const [asked, running] = await Promise.all([clone.run("npx splitwatch --version"), clone.start("npm start")]);
  expect(asked.stdout).toMatch(VERSION);

  const page = await fetch(`${running.address}/`);
  const html = await page.text();
  const script = /<script type="module" src="(\/assets\/main-[\w-]{12}\.js)"/.exec(html)?.[1];
  expect((await fetch(`${running.address}${script}`)).headers.get("cache-control")).toContain("immutable");

  // Reads a release in the thread, and draws a picture, with code that is loaded now.
  await appendFile(join(clone.folder, "src/lib/render-png.ts"), '\nReflect.set(globalThis, "version", 2);\n');
  expect(await clone.run("npx splitwatch --version")).toEqual(asked);
  expect((await fetch(`${running.address}/calendar/upcoming.png`)).status).toBe(200);
  await running.stop();
});
