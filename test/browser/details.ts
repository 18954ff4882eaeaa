import { describe, expect, it } from "vitest";
import { convert, parseShares, settle } from "../../src/domain/split/share-conversion.ts";
import { calcPicture } from "../../src/messages/answers/calc-picture.ts";
import { button, type Card, card } from "../../src/messages/message.ts";
import type { ReleaseView } from "../../src/messages/release-view.ts";
import type { SplitView, TimelineStep } from "../../src/messages/split-view.ts";
import { day, GENERAL } from "../support/builders.ts";
import { createFakeCommands } from "./support/fake-commands.ts";
import { type BrowserTest, focusedId, linesAsked, messageWith, send } from "./support/visit.ts";
import type { WebChatOptions } from "./support/web-chat.ts";

export const RELEASE_URL = "https://wire.example/1?a=b&c=%3Cd%3E#e";

const QUOTE = "Fractions are rounded up.";

function aStep(parts: Partial<TimelineStep> & Pick<TimelineStep, "label">): TimelineStep {
  return {
    day: day("2026-03-02"),
    dayText: "Mon 2 Mar 2026",
    detail: null,
    release: null,
    time: "past",
    isCertain: true,
    ...parts,
  };
}

function splitView(watched = false): SplitView {
  const toggle = watched ? button("Unwatch ACME", "unwatch ACME") : button("Watch ACME", "watch ACME");
  return {
    ticker: "ACME",
    company: "Acme Robotics Inc.",
    isSample: true,
    sections: [
      {
        steps: [
          aStep({ label: "Announced" }),
          aStep({ label: "Changed", detail: "Ratio 1-for-20 → 1-for-25" }),
          aStep({ label: "Postponed", detail: "According to a release", release: RELEASE_URL, time: "today" }),
          aStep({ label: "Ex date", time: "ahead", detail: "Listed, but postponed", isCertain: false }),
        ],
        cards: [
          card({
            title: "ACME 1-for-20 reverse split",
            facts: [{ label: "Release", value: "Acme announces", link: RELEASE_URL, isRelease: true }],
            quotes: [{ text: QUOTE, source: "Newsfile", link: RELEASE_URL }],
            buttons: [toggle, button("List", "list")],
          }),
        ],
      },
    ],
    cards: [
      card({
        title: "1 press release",
        rows: [{ title: "A release", detail: "", link: RELEASE_URL, isRelease: true }],
      }),
    ],
  };
}

const RELEASE: ReleaseView = {
  heading: "Acme <b>announces</b>",
  byline: "Newsfile, Mon 2 Mar 2026",
  url: RELEASE_URL,
  isSample: true,
  tickers: ["ACME", "BOLT"],
  warnings: ["By Hollis & Grant LLP, not known as the issuer."],
  quotes: [{ sentence: QUOTE, terms: ["Fractional shares"] }],
  paragraphs: [
    [{ text: "<img src=x onerror='window.hacked=1'> Acme announces.", isQuoted: false }],
    [
      { text: QUOTE, isQuoted: true },
      { text: " More.", isQuoted: false },
    ],
  ],
  isCut: false,
};

function calcCard(): Card {
  const conversion = convert(parseShares("150") ?? { numerator: 150n, denominator: 1n }, {
    newShares: 1,
    oldShares: 20,
  });
  const settlement = settle("round_up", conversion);
  const ratio = { newShares: 1, oldShares: 20 };
  const picture = calcPicture({ conversion, ratio, settlement, resultText: "8 new shares" });
  return card({ title: "150 ACME shares at 1-for-20: 8 new shares", picture });
}

/** A chat with a split and its release. */
export function detailChat(): Partial<WebChatOptions> {
  const list = card({ title: "The splits", rows: [{ title: "ACME 1-for-20", detail: "soon", ticker: "ACME" }] });
  const commands = createFakeCommands({ calc: [calcCard()], list: [list] });
  return { commands, splits: { ACME: splitView() }, releases: { [RELEASE_URL]: RELEASE } };
}

export function describeDetails(browser: BrowserTest): void {
  describe("the view of a split", () => {
    it("is opened by a row of an answer, has the focus, and returns to the answer", async () => {
      const { page } = await browser.visit(await browser.startChat(detailChat()));
      await send(page, "list");
      const answer = await messageWith(page, "The splits");
      await answer.getByRole("link", { name: "ACME 1-for-20" }).click();
      const heading = page.getByRole("heading", { name: "ACME · Acme Robotics Inc." });
      await heading.waitFor();
      await expect.poll(() => page.evaluate("document.activeElement.tagName")).toBe("H2");
      expect(await answer.isVisible()).toBe(false);
      await page.getByRole("link", { name: "Back" }).click();
      await answer.waitFor();
      expect(await heading.isVisible()).toBe(false);
      expect(await page.evaluate("document.activeElement.textContent")).toBe("ACME 1-for-20");
    });

    it("is closed by Escape, except while its input has the focus", async () => {
      const { page } = await browser.visit(await browser.startChat(detailChat()));
      await send(page, "list");
      const answer = await messageWith(page, "The splits");
      await answer.getByRole("link", { name: "ACME 1-for-20" }).click();
      const shares = page.getByLabel("Shares that you hold");
      await shares.fill("150");
      await page.keyboard.press("Escape");
      expect(await shares.inputValue()).toBe("150");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Escape");
      await expect.poll(() => answer.isVisible()).toBe(true);
      expect(await shares.isVisible()).toBe(false);
      expect(await page.evaluate("document.activeElement.textContent")).toBe("ACME 1-for-20");
    });

    it("shows the timeline with the state of each step as text", async () => {
      const { page } = await browser.visit(await browser.startChat(detailChat()), { path: "/#/splits/ACME" });
      const steps = page.getByRole("list", { name: "Timeline of the split" }).getByRole("listitem");
      await steps.first().waitFor();
      expect(await steps.allTextContents()).toEqual([
        "Announced (done)Mon 2 Mar 2026",
        "Changed (done)Mon 2 Mar 2026Ratio 1-for-20 → 1-for-25",
        "Postponed (today)Mon 2 Mar 2026According to a release",
        "Ex date (ahead)Mon 2 Mar 2026Listed, but postponed",
      ]);
      await steps.getByRole("link", { name: "According to a release" }).click();
      await page.getByRole("heading", { name: "Acme <b>announces</b>" }).waitFor();
    });

    it("calculates a holding in place", async () => {
      const chat = await browser.startChat(detailChat());
      const { page } = await browser.visit(chat, { path: "/#/splits/ACME" });
      await page.getByLabel("Shares that you hold").fill('1"50');
      await page.keyboard.press("Enter");
      await page.getByRole("status").getByText("150 ACME shares at 1-for-20: 8 new shares").waitFor();
      expect(await page.getByRole("img", { name: "Old and new shares" }).isVisible()).toBe(true);
      expect(linesAsked(chat.commands)).toEqual(['calc ACME shares:"150"']);
    });

    it("keeps what was typed, the result and the focus when a message arrives, and everything if it can't be read", async () => {
      browser.allowProblems();
      const chat = await browser.startChat(detailChat());
      const { page } = await browser.visit(chat, { path: "/#/splits/ACME", viewport: { width: 1000, height: 700 } });
      await page.getByLabel("Shares that you hold").fill("150");
      await page.keyboard.press("Enter");
      const result = page.getByRole("status").getByText("150 ACME shares at 1-for-20: 8 new shares");
      await result.waitFor();
      await page.getByLabel("Shares that you hold").fill("17");
      chat.splits = { ACME: splitView(true) };
      await chat.deliver(GENERAL, [card({ title: "An alert" })]);
      await page.getByRole("button", { name: "Unwatch ACME" }).waitFor();
      expect(await page.getByLabel("Shares that you hold").inputValue()).toBe("17");
      expect([await focusedId(page), await result.isVisible()]).toEqual(["calc-shares", true]);

      await page.getByRole("link", { name: "Read in context" }).focus();
      chat.splits = { ACME: splitView(false) };
      await chat.deliver(GENERAL, [card({ title: "Another alert" })]);
      await page.getByRole("button", { name: "Watch ACME", exact: true }).waitFor();
      expect(await page.evaluate("document.activeElement.textContent")).toBe("Read in context");

      await page.route("**/api/splits/**", (route) => route.abort());
      const failed = page.waitForEvent("requestfailed", (request) => request.url().includes("/api/splits/"));
      await chat.deliver(GENERAL, [card({ title: "A third alert" })]);
      await failed;
      await expect.poll(() => page.locator("#timeline").getByText("A third alert").count()).toBe(1);
      expect(await result.isVisible()).toBe(true);
    });

    it("asks to reload the page if a part of it has another address since an update", async () => {
      browser.allowProblems();
      const chat = await browser.startChat(detailChat());
      const { page } = await browser.visit(chat, { viewport: { width: 1000, height: 700 } });
      await page.route("**/assets/detail-view-*.js", (route) => route.fulfill({ status: 404 }));
      await page.evaluate("location.hash = '#/splits/ACME'");
      await page.getByRole("heading", { name: "Couldn't load this view" }).waitFor();
      expect(await page.locator("#detail-content").textContent()).toContain("Reload the page.");
      expect(await page.evaluate("document.activeElement.tagName")).toBe("H2");
    });

    it("watches the split in place, and runs other buttons in the chat", async () => {
      const chat = await browser.startChat(detailChat());
      const { page } = await browser.visit(chat, { name: null, path: "/#/splits/ACME" });
      await page.getByRole("button", { name: "Look around first" }).click();
      await page.getByRole("button", { name: "Watch ACME" }).click();
      await page.getByLabel("Your name").fill("carol");
      chat.splits = { ACME: splitView(true) };
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Unwatch ACME" }).waitFor();
      expect(await page.locator("#notice").textContent()).toBe("You watch ACME now");
      await page.getByRole("button", { name: "List" }).first().click();
      await messageWith(page, "The splits");
      expect(await page.locator("#detail").isVisible()).toBe(false);
      expect(chat.commands.asked.map(({ line, call }) => [line, call.person.id])).toEqual([
        ["watch ACME", "carol"],
        ["list", "carol"],
      ]);
    });

    it("is replaced by the chat with the key of the command line and the buttons of a phone", async () => {
      const options = { path: "/#/splits/ACME", viewport: { width: 390, height: 844 } };
      const { page } = await browser.visit(await browser.startChat(detailChat()), options);
      const heading = page.getByRole("heading", { name: "ACME · Acme Robotics Inc." });
      await heading.waitFor();
      await page.keyboard.press("/");
      await expect.poll(() => focusedId(page)).toBe("command");
      await page.goBack();
      await heading.waitFor();
      await page.getByRole("button", { name: "Splits" }).click();
      await page.getByText("No current splits.").waitFor();
      expect(await heading.isVisible()).toBe(false);
    });

    it("says why it can't be loaded", async () => {
      browser.allowProblems();
      const chat = await browser.startChat(detailChat());
      const { page } = await browser.visit(chat, { path: "/#/splits/not%20a%20ticker" });
      await page.getByRole("heading", { name: "Couldn't load this view" }).waitFor();
      expect(await page.locator("#detail-content").textContent()).toContain(
        'ticker: got "not a ticker", expected a ticker',
      );
    });
  });

  describe("the view of a release", () => {
    it("shows the text with the quoted sentence marked and explained, never as markup", async () => {
      const { page } = await browser.visit(await browser.startChat(detailChat()), { path: "/#/splits/ACME" });
      await page.getByRole("link", { name: "Read in context" }).click();
      await page.getByRole("heading", { name: "Acme <b>announces</b>" }).waitFor();
      expect(await page.locator(".release-text mark").allTextContents()).toEqual([QUOTE]);
      expect(await page.locator("#detail .warnings li").allTextContents()).toEqual(RELEASE.warnings);
      expect(await page.locator(".quotes").innerText()).toContain("Fractional shares");
      expect(await page.locator(".release-text p").allTextContents()).toEqual([
        "<img src=x onerror='window.hacked=1'> Acme announces.",
        `${QUOTE} More.`,
      ]);
      expect(await page.evaluate("window.hacked ?? null")).toBeNull();
      expect(await page.getByRole("link", { name: "Open at the source" }).getAttribute("href")).toBe(
        new URL(RELEASE_URL).href,
      );
      await page.getByRole("link", { name: "ACME", exact: true }).click();
      await page.getByRole("heading", { name: "ACME · Acme Robotics Inc." }).waitFor();
    });

    it("links to the source if the text or the release isn't stored", async () => {
      const chat = await browser.startChat(detailChat());
      chat.releases = { [RELEASE_URL]: { ...RELEASE, paragraphs: null } };
      const path = `/#/releases/${encodeURIComponent(RELEASE_URL)}`;
      const { page } = await browser.visit(chat, { path });
      await page.getByText("The text isn't stored here. Read it at the source.").waitFor();
      expect(await page.locator(".quotes").innerText()).toContain(QUOTE);
      await page.goto(`${chat.address}/#/releases/${encodeURIComponent("https://wire.example/2")}`);
      await page.getByRole("heading", { name: "This release isn't stored" }).waitFor();
      const source = page.getByRole("link", { name: "https://wire.example/2" });
      expect(await source.getAttribute("href")).toBe("https://wire.example/2");
      await page.goto(`${chat.address}/#/releases/${encodeURIComponent("javascript:alert(1)")}`);
      await page.getByText("javascript:alert(1)").waitFor();
      expect(await page.locator("#detail-content a").count()).toBe(0);
    });
  });
}
