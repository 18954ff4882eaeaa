import { describe, expect, it } from "vitest";
import { calendarEntries } from "../../src/domain/split/calendar-entries.ts";
import { calendarAltText, calendarSvg } from "../../src/messages/calendar/calendar-picture.ts";
import { type Card, card } from "../../src/messages/message.ts";
import { aSplit, day } from "../support/builders.ts";
import { createFakeCommands } from "./support/fake-commands.ts";
import { type BrowserTest, messageWith, send } from "./support/visit.ts";
import { calendarCard } from "./views.ts";

const AT = { now: Date.parse("2026-03-02T14:00:00Z"), today: day("2026-03-02"), timezone: "America/New_York" };

function pictureCard(svg: string, alt: string): Card {
  return card({
    title: "What is ahead",
    picture: { name: "upcoming-splits", svg, alt, link: null },
    files: [
      { name: "all.ics", mediaType: "text/calendar", text: "", path: "/calendar/all.ics" },
      { name: "elsewhere.ics", mediaType: "text/calendar", text: "", path: "//evil.example/x.ics" },
    ],
  });
}

const board = {
  entries: calendarEntries([aSplit(), aSplit({ ticker: "BOLT", company: "<b>Bolt</b> & שלום" })], new Map(), AT.today),
  sample: false,
  source: "news wires",
  hasList: true,
  readAt: AT.now,
};

const HOSTILE = `<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10" onload="window.hacked=1">
  <script>window.hacked=1</script><style>body{display:none}</style><image href="https://evil.example/x.png"/>
  <a href="javascript:window.hacked=1"><text>link</text></a><foreignObject><p>page</p></foreignObject>
  <rect width="5" height="5" fill="red" onclick="window.hacked=1" style="position:fixed"/><text>kept</text></svg>`;

/** Every text of the picture except the watermark, with its contrast to the shape below it and that shape's luminance. */
const TEXTS = `(() => {
  const channel = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  const luminance = (element) => {
    const [r, g, b] = getComputedStyle(element).fill.match(/[\\d.]+/g).map((value) => channel(Number(value) / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const shapes = [...document.querySelectorAll(".picture rect, .picture text:not([transform])")];
  const covers = (shape, { x, y, width, height }) => {
    const box = shape.getBoundingClientRect();
    const [middleX, middleY] = [x + width / 2, y + height / 2];
    return box.left <= middleX && middleX <= box.right && box.top <= middleY && middleY <= box.bottom;
  };
  return shapes.flatMap((text, index) => {
    if (text.localName !== "text") return [];
    const below = shapes.slice(0, index).findLast((shape) => shape.localName === "rect" && covers(shape, text.getBoundingClientRect()));
    const [dark, light] = [luminance(text), luminance(below)].toSorted((a, b) => a - b);
    return [{ text: text.textContent, contrast: (light + 0.05) / (dark + 0.05), background: luminance(below) }];
  });
})()`;

export function describePicture(browser: BrowserTest): void {
  describe("a picture on a card", () => {
    it("is shown as an SVG with text elements and fits the page", async () => {
      const svg = calendarSvg(board, AT);
      const commands = createFakeCommands({ calendar: [pictureCard(svg, calendarAltText(board, AT))] });
      const { page } = await browser.visit(await browser.startChat({ commands }));
      await send(page, "calendar");
      const message = await messageWith(page, "What is ahead");
      const drawing = message.getByRole("img", { name: "Upcoming reverse splits" });
      expect(await drawing.locator("text", { hasText: /^ACME$/ }).count()).toBe(1);
      expect(await drawing.locator("text", { hasText: "<b>Bolt</b> & שלום" }).count()).toBe(1);
      const [box, room] = [await drawing.boundingBox(), await message.boundingBox()];
      expect(box?.width).toBeGreaterThan(400);
      expect(box?.width).toBeLessThanOrEqual(room?.width ?? 0);
      expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(1_200 / 630, 1);
    });

    it.each(["light", "dark"] as const)("has readable texts in the %s scheme", async (colorScheme) => {
      const chat = await browser.startChat({ commands: createFakeCommands({ calendar: [calendarCard()] }) });
      const { page } = await browser.visit(chat, { colorScheme });
      await send(page, "calendar");
      await messageWith(page, "What is ahead");
      const texts = await page.evaluate<readonly { text: string; contrast: number; background: number }[]>(TEXTS);
      expect(texts.length).toBeGreaterThan(30);
      expect(texts.filter(({ contrast }) => contrast < 4.5)).toEqual([]);
      // Most of the area has the scheme's brightness.
      const darkTexts = texts.filter(({ background }) => background < 0.2).length;
      expect(darkTexts > texts.length / 2).toBe(colorScheme === "dark");
    });

    it("contains only safe elements, regardless of its content", async () => {
      // The page's policy blocks some of the content and reports it.
      browser.allowProblems();
      const commands = createFakeCommands({ calendar: [pictureCard(HOSTILE, "words")] });
      const { page } = await browser.visit(await browser.startChat({ commands }));
      await send(page, "calendar");
      const message = await messageWith(page, "What is ahead");
      expect(await message.locator("svg").innerHTML()).not.toMatch(/script|style|image|href|onclick|foreign|page/i);
      expect(await message.locator("svg text").allTextContents()).toEqual(["kept"]);
      expect(await page.evaluate("window.hacked ?? null")).toBeNull();
    });

    it("is replaced by its text alternative if it is invalid", async () => {
      // Chromium's error page has an inline style, which the page's policy blocks.
      browser.allowProblems();
      const commands = createFakeCommands({ calendar: [pictureCard("<svg", "In words: ACME on Tuesday")] });
      const { page } = await browser.visit(await browser.startChat({ commands }));
      await send(page, "calendar");
      const message = await messageWith(page, "In words: ACME on Tuesday");
      expect(await message.locator("svg").count()).toBe(0);
    });

    it("has links to its files, only on the page's own server", async () => {
      const commands = createFakeCommands({ calendar: [pictureCard(calendarSvg(board, AT), "words")] });
      const chat = await browser.startChat({ commands });
      const { page } = await browser.visit(chat);
      await send(page, "calendar");
      const links = (await messageWith(page, "What is ahead")).locator("a.file");
      expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")))).toEqual([
        `${chat.address}/calendar/all.ics`,
      ]);
      expect(await links.first().getAttribute("download")).toBe("all.ics");
    });
  });
}
