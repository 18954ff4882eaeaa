import { describe, expect, it } from "vitest";
import type { CurrentSplit, Overview } from "../../src/chat/web/page/protocol.ts";
import { card } from "../../src/messages/message.ts";
import { day, GENERAL } from "../support/builders.ts";
import { type BrowserTest, focusedId, linesAsked } from "./support/visit.ts";
import { CALM } from "./support/web-chat.ts";

export function aCurrentSplit(parts: Partial<CurrentSplit> = {}): CurrentSplit {
  return {
    ticker: "ACME",
    company: "Acme Robotics Inc.",
    exchange: "NASDAQ",
    ratio: "1-for-20",
    oldPerNew: 20,
    exDate: "2026-03-10",
    effectiveText: "in 3 trading days",
    badges: [],
    warnings: [],
    treatment: null,
    ...parts,
  };
}

const HOUR_MS = 3_600_000;

/** Overview with current splits and problems of every kind. Times are hours ago, whose texts stay the same while a test runs. */
export function busyOverview(): Overview {
  return {
    version: "9.8.7",
    source: {
      name: "The sample",
      sample: true,
      note: "Invented companies.",
      state: "stale",
      readAt: Date.now() - 2 * HOUR_MS,
      problem: "The last list was only half as long as the one before.",
    },
    isSubscribed: false,
    today: day("2026-03-06"),
    closedDays: [day("2026-03-13")],
    splits: [
      aCurrentSplit({ warnings: ["The ex date is a holiday"], badges: ["SAMPLE", "MISSING"], treatment: "round_up" }),
      aCurrentSplit({ ticker: "ZETA", company: "Zeta plc", ratio: "1-for-5", oldPerNew: 5, exDate: "2026-03-12" }),
      aCurrentSplit({ ticker: "BETA", company: "Beta Co.", ratio: "odd", oldPerNew: null, exDate: "2026-03-09" }),
    ],
    deliveries: {
      waiting: 3,
      held: 2,
      problems: [
        {
          state: "failed",
          where: "#desk on Slack",
          reason: "The channel was deleted.",
          at: Date.now() - HOUR_MS,
          count: 2,
        },
        { state: "delayed", where: "bob", reason: "The store was full.", at: Date.now() + 2 * HOUR_MS, count: 1 },
      ],
    },
    sources: [
      { name: "PR Newswire", word: "OK", tone: "good", lastNewAt: Date.now() - 3 * HOUR_MS, problem: null },
      {
        name: "Business Wire",
        word: "refusing",
        tone: "bad",
        lastNewAt: null,
        problem: "Requests refused since Mon 2 Mar 2026, 09:00 EST: 403 Forbidden; not read since startup",
      },
      {
        name: "Newsfile",
        word: "gap",
        tone: "warning",
        lastNewAt: Date.now() - 2 * HOUR_MS,
        problem: "1 gap since startup, the last Mon 2 Mar 2026, 09:00 EST: items may be missing",
      },
      { name: "FINRA daily list", word: "not read yet", tone: "plain", lastNewAt: null, problem: null },
    ],
  };
}

function ticker(number: number): string {
  return `T${String(number).padStart(3, "0")}`;
}

export function describeSidePanel(browser: BrowserTest): void {
  describe("the side panel", () => {
    it("lists the current splits by ex date, or as the user sorts them", async () => {
      const chat = await browser.startChat({ overview: busyOverview() });
      const { page } = await browser.visit(chat);
      const tickers = page.locator("#splits-body .ticker");
      await tickers.first().waitFor();
      expect(await tickers.allTextContents()).toEqual(["BETA", "ACME", "ZETA"]);
      await page.getByRole("button", { name: /^Ratio/ }).click();
      expect(await tickers.allTextContents()).toEqual(["ZETA", "ACME", "BETA"]);
      await page.getByRole("button", { name: /^Ratio/ }).click();
      expect(await tickers.allTextContents()).toEqual(["BETA", "ACME", "ZETA"]);
      expect(await page.getByRole("columnheader", { name: /^Ratio/ }).getAttribute("aria-sort")).toBe("descending");
      const row = (await page.getByRole("row", { name: /^ACME NASDAQ/ }).innerText()).replaceAll(/\s+/g, " ");
      expect(row).toMatch(
        /^ACME NASDAQ MISSING Acme Robotics Inc\. 1-for-20 ▲ rounded up 10 Mar(?: 2026)? in 3 trading days$/,
      );
    });

    it("shows the warnings of a split in the full width below its row, which they open", async () => {
      const { page } = await browser.visit(await browser.startChat({ overview: busyOverview() }));
      const split = page.getByRole("row", { name: /^ACME NASDAQ/ });
      const warnings = page.locator("[data-ticker=ACME] + [data-ticker=ACME]");
      expect(await warnings.innerText()).toBe("ACME:\nThe ex date is a holiday");
      const [above, below] = [await split.boundingBox(), await warnings.boundingBox()];
      expect(below).toMatchObject({ x: above?.x, y: (above?.y ?? 0) + (above?.height ?? 0), width: above?.width });
      await warnings.getByText("The ex date is a holiday").click();
      await page.getByRole("heading", { name: "ACME" }).waitFor();
    });

    it("keeps no count of matching splits without filters", async () => {
      const { page } = await browser.visit(await browser.startChat({ overview: busyOverview() }));
      await page.locator("#splits-body .ticker").first().waitFor();
      expect(await page.locator("#filter-count").textContent()).toBe("");
      await page.getByLabel("Ticker or company").fill("zeta");
      await page.getByRole("status").getByText("1 of 3 splits").waitFor();
      await page.getByRole("button", { name: "Clear filters" }).click();
      expect(await page.locator("#filter-count").textContent()).toBe("");
    });

    it("shows long lists step by step, in order, and moves the focus to the first new row", async () => {
      const splits = Array.from({ length: 120 }, (_, number) => aCurrentSplit({ ticker: ticker(119 - number) }));
      const { page } = await browser.visit(await browser.startChat({ overview: { ...CALM, splits } }));
      const tickers = page.locator("#splits-body .ticker");
      await tickers.first().waitFor();
      expect([await tickers.count(), await tickers.last().textContent()]).toEqual([25, ticker(24)]);
      expect(await page.locator(".side [data-split-count]").textContent()).toBe("120");
      await page.getByRole("button", { name: "Show more (95)" }).press("Enter");
      await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe(ticker(25));
      await tickers.last().scrollIntoViewIfNeeded();
      await page.locator(".side").evaluate((side) => side.scrollTo(0, side.scrollHeight));
      await expect.poll(() => tickers.count()).toBe(120);
      expect(await page.getByRole("button", { name: /^Show more/ }).count()).toBe(0);
      await page
        .getByRole("columnheader", { name: /^Split/ })
        .getByRole("button")
        .click();
      expect([await tickers.count(), await tickers.first().textContent()]).toEqual([25, ticker(0)]);
    });

    it("opens a split after a click anywhere in its row", async () => {
      const chat = await browser.startChat({ overview: busyOverview() });
      const { page } = await browser.visit(chat);
      await page.getByRole("row", { name: /ZETA/ }).getByText("Zeta plc").click();
      await page.getByRole("heading", { name: "ZETA" }).waitFor();
      expect(new URL(page.url()).hash).toBe("#/splits/ZETA");
    });

    it("searches and filters the splits, and says how many match", async () => {
      const { page } = await browser.visit(await browser.startChat({ overview: busyOverview() }));
      const tickers = page.locator("#splits-body .ticker");
      await tickers.first().waitFor();
      await page.getByLabel("Ticker or company").fill("zeta p");
      expect(await tickers.allTextContents()).toEqual(["ZETA"]);
      await page.getByRole("status").getByText("1 of 3 splits").waitFor();
      await page.getByLabel("Ticker or company").fill("$ac");
      expect(await tickers.allTextContents()).toEqual(["ACME"]);
      await page.getByRole("button", { name: "Clear filters" }).click();
      expect(await tickers.count()).toBe(3);
      expect(await focusedId(page)).toBe("filter-text");
      await page.getByLabel("Fractions", { exact: true }).selectOption("rounded up");
      expect(await tickers.allTextContents()).toEqual(["ACME"]);
      await page.getByLabel("Ex date", { exact: true }).selectOption("Today");
      await page.getByRole("status").getByText("No split matches.").waitFor();
      expect(await page.getByRole("table").isVisible()).toBe(false);
      await page.getByRole("button", { name: "Clear filters" }).click();
      await page.getByLabel("Ex date", { exact: true }).selectOption("Next 7 days");
      expect(await tickers.allTextContents()).toEqual(["BETA", "ACME", "ZETA"]);
      await page.getByLabel("Exchange", { exact: true }).selectOption("NASDAQ");
      expect(await tickers.count()).toBe(3);
    });

    it("keeps a filter and its name when the last split that it selects is gone", async () => {
      const overview = busyOverview();
      const chat = await browser.startChat({ overview });
      const { page } = await browser.visit(chat);
      await page.locator("#splits-body .ticker").first().waitFor();
      await page.locator("#filter-treatment").selectOption("rounded up");
      await page.getByRole("status").getByText("1 of 3 splits").waitFor();
      chat.overview = { ...overview, splits: overview.splits.filter(({ treatment }) => treatment !== "round_up") };
      await chat.deliver(GENERAL, [card({ title: "An alert" })]);
      await page.getByRole("status").getByText("No split matches.").waitFor();
      const selected = "document.querySelector('#filter-treatment').selectedOptions[0].textContent";
      expect(await page.evaluate(selected)).toBe("rounded up");
    });

    it("shows the ex dates of the coming two weeks with the treatment as a sign and as text", async () => {
      const splits = Array.from({ length: 6 }, (_, number) => aCurrentSplit({ ticker: ticker(number) }));
      const overview = busyOverview();
      const { page } = await browser.visit(
        await browser.startChat({ overview: { ...overview, splits: [...overview.splits, ...splits] } }),
      );
      const panel = page.getByRole("region", { name: "Ex dates in the coming two weeks" });
      const cells = panel.locator("#strip > li");
      await cells.first().waitFor();
      const days = await cells.locator("time").allTextContents();
      expect(days).toEqual(
        ["Today 6", "Mon 9", "Tue 10", "Wed 11", "Thu 12"].concat(["Fri 13", "Mon 16", "Tue 17", "Wed 18", "Thu 19"]),
      );
      expect(await cells.nth(5).textContent()).toBe("Fri 13closed");
      expect(await cells.nth(1).locator("a").textContent()).toBe("? BETA, odd, not stated");
      expect(await cells.nth(2).locator("a").first().textContent()).toBe("▲ ACME, 1-for-20, rounded up, missing");
      expect((await panel.locator("#strip-legend").innerText()).replaceAll(/\s+/g, " ")).toBe(
        "Fractions: ▲ rounded up ? not stated",
      );
      await cells.nth(2).getByRole("button", { name: "3 more" }).click();
      await page.getByRole("status").getByText("7 of 9 splits").waitFor();
      expect(await page.getByLabel("Ex date", { exact: true }).locator("option:checked").textContent()).toMatch(
        /^10 Mar/,
      );
      await cells.nth(1).getByRole("link", { name: /BETA/ }).click();
      await page.getByRole("heading", { name: "BETA" }).waitFor();
    });

    it("shows the source's state, sample mark and problem, and runs status on a click", async () => {
      const chat = await browser.startChat({ overview: busyOverview() });
      const { page } = await browser.visit(chat);
      await page.getByText("only half as long").waitFor();
      expect(await page.locator("#note").textContent()).toContain("SAMPLE");
      const source = page.getByRole("button", { name: /The sample/ });
      expect((await source.innerText()).replaceAll(/\s+/g, " ")).toContain("last updated 2 h ago");
      await source.click();
      await expect.poll(() => linesAsked(chat.commands)).toEqual(["status"]);
    });

    it("marks the current splits as sample only while they are", async () => {
      const chat = await browser.startChat({ overview: busyOverview() });
      const { page } = await browser.visit(chat);
      const mark = page.locator("#splits-sample");
      await expect.poll(() => mark.isVisible()).toBe(true);
      const live = busyOverview();
      const other = await browser.startChat({ overview: { ...live, source: { ...live.source, sample: false } } });
      const { page: livePage } = await browser.visit(other);
      await livePage.getByText("Zeta plc").waitFor();
      expect(await livePage.locator("#splits-sample").isVisible()).toBe(false);
    });

    it("shows waiting and failed deliveries with the reasons", async () => {
      const chat = await browser.startChat({ overview: busyOverview() });
      const { page } = await browser.visit(chat);
      const panel = page.getByRole("region", { name: "Waiting or failed" });
      await panel.getByText("3 alerts waiting.").waitFor();
      const text = (await panel.innerText()).replaceAll(/\s+/g, " ");
      expect(text).toContain("Failed #desk on Slack 2 alerts 1 h ago The channel was deleted.");
      expect(text).toContain("Delayed bob 1 alert next try in 2 h The store was full.");
      expect(await page.getByText("splitwatch 9.8.7").count()).toBe(1);
    });

    it("shows each source with its state, its last new item and its problem", async () => {
      const chat = await browser.startChat({ overview: busyOverview() });
      const { page } = await browser.visit(chat);
      const panel = page.getByRole("region", { name: "Sources" });
      await panel.getByText("PR Newswire").waitFor();
      const items = await panel.getByRole("listitem").allInnerTexts();
      expect(items.map((text) => text.replaceAll(/\s+/g, " ").trim())).toEqual([
        "PR Newswire OK new 3 h ago",
        "Business Wire refusing Requests refused since Mon 2 Mar 2026, 09:00 EST: 403 Forbidden; not read since startup",
        "Newsfile gap new 2 h ago 1 gap since startup, the last Mon 2 Mar 2026, 09:00 EST: items may be missing",
        "FINRA daily list not read yet",
      ]);
    });

    it("has no panel of sources if none is known", async () => {
      const chat = await browser.startChat();
      const { page } = await browser.visit(chat);
      await page.getByText("No alerts waiting or failed.").waitFor();
      expect(await page.getByRole("region", { name: "Sources" }).count()).toBe(0);
    });

    it("explains an empty list", async () => {
      const chat = await browser.startChat();
      const { page } = await browser.visit(chat);
      await page.getByText("No alerts waiting or failed.").waitFor();
      expect(await page.getByText("No current splits.").isVisible()).toBe(true);
      expect(await page.getByRole("table").isVisible()).toBe(false);
    });

    it("is updated after the next command", async () => {
      const chat = await browser.startChat();
      const { page } = await browser.visit(chat);
      await page.getByText("No alerts waiting or failed.").waitFor();
      chat.overview = { ...CALM, deliveries: { waiting: 1, held: 0, problems: [] } };
      await page
        .getByRole("button", { name: /^List splits/ })
        .first()
        .click();
      await page.getByText("1 alert waiting.").waitFor();
      expect(await page.getByText("No alerts waiting or failed.").count()).toBe(0);
    });
  });
}
