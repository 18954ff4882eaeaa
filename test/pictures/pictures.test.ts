import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findChromium, launchChromium } from "../browser/support/chromium.ts";
import { ROOT } from "../support/documentation.ts";
import { drawDiscord } from "./discord-drawing.ts";
import { drawSlack } from "./slack-drawing.ts";
import { CHANNEL, openStory, type Story } from "./story.ts";

const FOLDER = join(ROOT, "docs/pictures");
const MAX_BYTES = 150_000;
const SCALE = 1.5;

/** Quality of the WebP images, from 0 to 100. */
const QUALITY = 85;

let story: Story;
let browser: Browser;
const icon = readFileSync(join(ROOT, "src/chat/web/page/favicon.svg"), "utf8");

beforeAll(async () => {
  mkdirSync(FOLDER, { recursive: true });
  story = await openStory();
  browser = await launchChromium(findChromium() ?? "chromium");
});

afterAll(async () => {
  await browser.close();
  await story.close();
});

it("draws the alerts on Slack", async () => {
  const [announced] = story.slack.messages(CHANNEL);
  expect(announced && (await draw("slack", drawSlack([announced], icon)))).toBeLessThan(MAX_BYTES);
});

it("draws the alerts on Discord", async () => {
  const [announced, changed] = story.discord.messages(story.onDiscord.alerts);
  expect(changed && (await draw("discord", drawDiscord([changed], announced, icon)))).toBeLessThan(MAX_BYTES);
});

it("takes a picture of the page", async () => {
  const page = await browser.newPage({ viewport: { width: 1200, height: 760 }, deviceScaleFactor: SCALE });
  await page.addInitScript(`
    localStorage.setItem("splitwatch.name", "ada");
    localStorage.setItem("splitwatch.channel", ${JSON.stringify(CHANNEL)});
  `);
  await page.goto(story.address);
  await page.locator("body[data-connection=live]").waitFor();
  await page.getByRole("combobox", { name: "Command" }).fill("calc ACME shares:150");
  await page.keyboard.press("Enter");
  await page.locator(".message", { hasText: "150" }).last().waitFor();
  await page.evaluate("Promise.all(document.getAnimations().map((animation) => animation.finished))");
  expect(await save("page", page)).toBeLessThan(MAX_BYTES);
});

/** Saves a picture of the document, as high as its content, and returns its size in bytes. */
async function draw(name: string, html: string): Promise<number> {
  const page = await browser.newPage({ viewport: { width: 760, height: 100 }, deviceScaleFactor: SCALE });
  await page.setContent(html);
  const height = await page.evaluate<number>("Math.ceil(document.body.getBoundingClientRect().height)");
  await page.setViewportSize({ width: 760, height });
  return save(name, page);
}

/** Saves what the page shows, and returns the size of the picture in bytes. */
async function save(name: string, page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: QUALITY });
  const picture = Buffer.from(data, "base64");
  writeFileSync(join(FOLDER, `${name}.webp`), picture);
  await page.close();
  return picture.length;
}
