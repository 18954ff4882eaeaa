import { mkdirSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { BrowserTest } from "./support/visit.ts";
import { VIEWS } from "./views.ts";

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

const VARIANTS = [
  { name: "desktop-light", viewport: DESKTOP, colorScheme: "light" },
  { name: "desktop-dark", viewport: DESKTOP, colorScheme: "dark" },
  { name: "phone-light", viewport: PHONE, colorScheme: "light" },
  { name: "phone-dark", viewport: PHONE, colorScheme: "dark" },
] as const;

/** Runs every rule of axe that is enabled by default, whatever its severity. */
const AUDIT = `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
  violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ target, failureSummary }) => [impact, id, target.join(" "), failureSummary].join(": "))))`;

async function violations(page: Page): Promise<readonly string[]> {
  // Colors are final after animations.
  await page.evaluate("Promise.all(document.getAnimations().map((animation) => animation.finished))");
  return page.evaluate<readonly string[]>(AUDIT);
}

/** Folder for a picture of every view in every variant, to be looked at; by default none is made. */
const PICTURES = process.env.SPLITWATCH_SCREENSHOTS;

async function takePicture(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name.replaceAll(/[^a-z]+/gi, "-")}.png`), fullPage: true });
}

export function describeAccessibility(browser: BrowserTest): void {
  describe.each(VIEWS)("$name", (view) => {
    it("has no accessibility violation on desktop and phone, light and dark", async () => {
      const page = await view.open(browser, { viewport: DESKTOP });
      await page.evaluate(axe.source);
      const found: Record<string, readonly string[]> = {};
      for (const { name, viewport, colorScheme } of VARIANTS) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme });
        found[name] = await violations(page);
        await takePicture(page, `${view.name}-${name}`);
      }
      expect(found).toEqual(Object.fromEntries(VARIANTS.map(({ name }) => [name, []])));
    });
  });
}
