import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { card } from "../../src/messages/message.ts";
import { GENERAL } from "../support/builders.ts";
import { createFakeCommands } from "./support/fake-commands.ts";
import { type BrowserTest, messageWith, send, suggestions, type VisitOptions } from "./support/visit.ts";
import { calendarCard, fullChat } from "./views.ts";

const audit = readFileSync(new URL("./support/audit.js", import.meta.url), "utf8");

const SCREENS: readonly (readonly [string, VisitOptions])[] = [
  ["a light desktop", { colorScheme: "light" }],
  ["a dark desktop", { colorScheme: "dark" }],
  ["a light phone", { colorScheme: "light", viewport: { width: 360, height: 740 } }],
  ["a dark phone", { colorScheme: "dark", viewport: { width: 360, height: 740 } }],
  ["a very narrow screen", { viewport: { width: 320, height: 568 } }],
];

const PHONE: VisitOptions = { viewport: { width: 360, height: 740 } };

/** The focused element and whether its focus is visible, on the element or around the command line's form. */
const FOCUS_SHOWN = `(() => {
  const element = document.activeElement;
  const ring = (at) => getComputedStyle(at).outlineStyle !== "none" || getComputedStyle(at).boxShadow !== "none";
  const around = element.id === "command" ? element.form : element;
  return [element.outerHTML.slice(0, 80), element === document.body || ring(around)];
})()`;

/** Right edge of the element on the screen. */
async function rightEdge(element: Locator): Promise<number> {
  const box = await element.boundingBox();
  return box === null ? Number.POSITIVE_INFINITY : box.x + box.width;
}

async function auditFindings(page: Page): Promise<readonly string[]> {
  // The elements of a page that is still loading are found before its styles apply.
  await page.waitForLoadState();
  // The colors of a card are final after it has faded in.
  await page.evaluate("Promise.all(document.getAnimations().map((animation) => animation.finished))");
  return page.evaluate<readonly string[]>(audit);
}

export function describeAppearance(browser: BrowserTest): void {
  describe.each(SCREENS)("on %s", (_, screen) => {
    it("everything is readable, has an accessible name and fits", async () => {
      const chat = await fullChat(browser);
      const { page } = await browser.visit(chat, screen);
      await messageWith(page, "The last one");
      await send(page, "/splits list");
      await messageWith(page, "page 1 of 2");
      await page.getByLabel("Command").fill("/splits s");
      await suggestions(page).filter({ hasText: "status" }).waitFor();
      await page.keyboard.press("ArrowDown");
      await page.locator("#note:not([hidden])").waitFor();
      expect(await auditFindings(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await page.evaluate("document.body.dataset.view = 'splits'");
      expect(await auditFindings(page)).toEqual([]);
    });

    it("the same holds for a new user, for an error in the form and for an empty page", async () => {
      const chat = await browser.startChat();
      const { page } = await browser.visit(chat, { ...screen, name: null });
      await page.getByRole("dialog").waitFor();
      await page.keyboard.press("Enter");
      await page.getByText("Use 1 to 32").waitFor();
      expect(await auditFindings(page)).toEqual([]);
      await page.getByRole("button", { name: "Look around first" }).click();
      expect(await auditFindings(page)).toEqual([]);
    });

    it("the same holds for the sign-in form", async () => {
      browser.allowProblems();
      const chat = await browser.startChat({ adminToken: "the-token-of-this-test" });
      const { page } = await browser.visit(chat, screen);
      await page.getByLabel("Token").fill("wrong");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("alert").getByText("Wrong token. Try again.").waitFor();
      expect(await auditFindings(page)).toEqual([]);
    });
  });

  describe.each([
    { width: 390, height: 844 },
    { width: 360, height: 640 },
  ])("on a phone of $width by $height", (viewport) => {
    it("header, note and command line take at most a quarter of the height", async () => {
      const { page } = await browser.visit(await fullChat(browser), { viewport });
      await messageWith(page, "The last one");
      await page.locator("#note").waitFor();
      const heights = await Promise.all([".top", "#note", ".dock"].map((part) => page.locator(part).boundingBox()));
      const [header = 0, note = 0, dock = 0] = heights.map((box) => box?.height ?? 0);
      expect(Math.min(header, note, dock)).toBeGreaterThan(20);
      expect((header + note + dock) / viewport.height).toBeLessThanOrEqual(0.25);
      await page.locator("#note").click();
      await expect
        .poll(() =>
          page
            .locator("#note")
            .boundingBox()
            .then((box) => box?.height),
        )
        .toBeGreaterThan(note);
    });

    it("the table shows ticker, ratio and treatment of fractions without scrolling sideways", async () => {
      const { page } = await browser.visit(await fullChat(browser), { viewport });
      await page.locator("#view-splits").click();
      const row = page.getByRole("row", { name: /ACME/ });
      for (const part of [/^ACME$/, /^1-for-20$/, /^rounded up$/])
        expect(await rightEdge(row.getByText(part))).toBeLessThan(viewport.width);
    });

    it("a picture shows ticker, ratio and treatment of fractions without scrolling sideways", async () => {
      const chat = await browser.startChat({ commands: createFakeCommands({ calendar: [calendarCard()] }) });
      const { page } = await browser.visit(chat, { viewport });
      await send(page, "calendar");
      const figure = (await messageWith(page, "What is ahead")).locator("figure");
      const end = await rightEdge(figure);
      for (const part of [/^ACME$/, /^1-for-20$/, /^rounded up$/, /^rounded down$/])
        expect(await rightEdge(figure.locator("text", { hasText: part }).first())).toBeLessThan(end);
    });
  });

  describe("on a phone", () => {
    it("the chat comes first with a visible command line, and the splits are one tap away", async () => {
      const chat = await fullChat(browser);
      const { page } = await browser.visit(chat, PHONE);
      const last = await messageWith(page, "The last one");
      await expect.poll(() => last.boundingBox().then((box) => box !== null && box.y + box.height < 740)).toBe(true);
      const input = await page.getByLabel("Command").boundingBox();
      expect(input && input.y + input.height).toBeLessThanOrEqual(740);
      expect(await page.getByRole("table").isVisible()).toBe(false);
      await page
        .getByRole("button", { name: "Splits 3" })
        .tap()
        .catch(() => page.locator("#view-splits").click());
      expect(await page.getByRole("table").isVisible()).toBe(true);
      expect(await page.getByLabel("Command").isVisible()).toBe(false);
      await page.locator("#splits-body .ticker").first().click();
      await page.getByRole("heading", { name: "BETA" }).waitFor();
      expect(await page.getByRole("table").isVisible()).toBe(false);
    });
  });

  describe("the messages", () => {
    it("scroll to a new message only if the end is visible", async () => {
      const chat = await fullChat(browser);
      const { page } = await browser.visit(chat);
      await messageWith(page, "The last one");
      const fromEnd = "(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight)";
      const distance = () => page.evaluate<number>(`${fromEnd}(document.querySelector('#scroller'))`);
      await expect.poll(distance).toBeLessThan(2);
      await page.setViewportSize({ width: 1280, height: 500 });
      await expect.poll(distance).toBeLessThan(2);
      await page.locator("#scroller").hover();
      await page.mouse.wheel(0, -2_000);
      await expect.poll(distance).toBeGreaterThan(500);
      await chat.deliver(GENERAL, [card({ title: "Something new" })]);
      const newer = page.getByRole("button", { name: "New messages" });
      await newer.waitFor();
      expect(await distance()).toBeGreaterThan(500);
      await newer.click();
      await expect.poll(distance).toBeLessThan(2);
      expect(await newer.isVisible()).toBe(false);
    });

    it("stay at the end if an answer arrives before the browser reports the scroll to it", async () => {
      const chat = await browser.startChat({ commands: createFakeCommands() });
      const { page } = await browser.visit(chat, { viewport: { width: 1280, height: 1200 } });
      for (let count = 0; count < 4; count += 1) await send(page, "help");
      const bottom = await page.evaluate<number>(`new Promise((resolve) => {
        const scroller = document.querySelector("#scroller");
        const answer = document.querySelector("#timeline").lastElementChild;
        answer.style.minHeight = answer.offsetHeight + 10 + "px";
        requestAnimationFrame(() => requestAnimationFrame(() => {
          // The browser reports the scroll in the next frame; the answer grows before that.
          answer.style.minHeight = answer.offsetHeight + 120 + "px";
          scroller.dispatchEvent(new Event("scroll"));
          requestAnimationFrame(() => requestAnimationFrame(() =>
            resolve(scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight)));
        }));
      })`);
      expect(bottom).toBe(0);
    });

    it("scroll a long answer to its start", async () => {
      const rows = Array.from({ length: 40 }, (_, index) => ({ title: `Row ${index}`, detail: "A detail" }));
      const commands = createFakeCommands({ list: [card({ title: "A long list", rows })] });
      const chat = await browser.startChat({ commands });
      await chat.deliver(GENERAL, [card({ title: "Before" })]);
      const { page } = await browser.visit(chat);
      await messageWith(page, "Before");
      await send(page, "/splits list");
      const answer = await messageWith(page, "A long list");
      const scroller = await page.locator("#scroller").boundingBox();
      await expect
        .poll(() => answer.boundingBox().then((box) => Math.round((box?.y ?? 0) - (scroller?.y ?? 0))))
        .toBe(12);
    });

    it("appear without motion if reduced motion is preferred", async () => {
      const chat = await browser.startChat();
      await chat.deliver(GENERAL, [card({ title: "Still" })]);
      for (const [reducedMotion, name] of [
        ["reduce", "none"],
        ["no-preference", "arrive"],
      ] as const) {
        const { page } = await browser.visit(chat, { reducedMotion });
        const message = await messageWith(page, "Still");
        const id = await message.getAttribute("id");
        expect(await page.evaluate(`getComputedStyle(document.getElementById("${id}")).animationName`)).toBe(name);
      }
    });
  });

  describe("the focus", () => {
    it("is visible on every focusable element", async () => {
      const chat = await fullChat(browser);
      const { page } = await browser.visit(chat);
      await messageWith(page, "The last one");
      const seen = new Set<string>();
      for (let step = 0; step < 80; step += 1) {
        await page.keyboard.press("Tab");
        const [name, shown] = await page.evaluate<[string, boolean]>(FOCUS_SHOWN);
        expect({ name, shown }).toEqual({ name, shown: true });
        seen.add(name);
      }
      expect(seen.size).toBeGreaterThan(20);
    });
  });
}
