import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { rulesOf } from "../../src/chat/configured-rules.ts";
import type { Destination } from "../../src/domain/alert/destination.ts";
import { DEFAULT_FILTER } from "../../src/domain/settings/rule.ts";
import { MINUTE_MS } from "../../src/domain/time/day.ts";
import type { SourceStatus } from "../../src/ports/source-status.ts";
import type { Store } from "../../src/ports/store.ts";
import { initialStatus } from "../../src/sources/source-status.ts";
import { announced, attemptOf, commitOne, deliveryOf, listedSplit, patchOf } from "../contract/store-builders.ts";
import { ALICE, aRule, GENERAL } from "../support/builders.ts";
import { SILENT_SOURCES, TEST_SOURCE } from "../support/operator-view.ts";
import { nasdaq, onlySplit } from "../support/statements.ts";
import { type BrowserTest, waitForConnection } from "./support/visit.ts";
import type { WebChat } from "./support/web-chat.ts";

const HOSTILE = `<img src=x onerror="window.hacked=1"><b>bold</b> "quoted" 'x' & שלום`;

function status(name: string, parts: Partial<SourceStatus> = {}): SourceStatus {
  const now = Date.now();
  return {
    ...initialStatus(name, now),
    verdict: "up",
    condition: "ok",
    since: now - 86_400_000,
    // Hours ago, so that their text stays the same while a test runs.
    lastReadAt: now - 3_600_000,
    lastOkAt: now - 3_600_000,
    lastNewAt: now - 7_200_000,
    itemCount: 20,
    newItemCount: 31,
    requests: 1_440,
    ...parts,
  };
}

/** The statements on the split of ACME. */
const ACME = onlySplit(nasdaq("2026-03-02"));

const DESK: Destination = { platform: "slack", kind: "channel", id: "C0123DESK" };

/** Settles 40 messages, one a minute: every second one at a desk, every tenth one failed. */
async function sendMany(store: Store, now: number): Promise<void> {
  const sent = Array.from({ length: 40 }, (_, n) => {
    const event = announced(`sent${n}`, { ticker: n % 4 === 0 ? "BOLT" : "ACME" });
    const to = { ...(n % 2 === 0 ? GENERAL : DESK), id: n % 2 === 0 ? `general-${n}` : `C0${n}DESK` };
    return {
      event,
      delivery: deliveryOf(event, to),
      messageId: `m${n}`,
      at: now - MINUTE_MS * (40 - n),
      hasFailed: n % 10 === 9,
    };
  });
  const [events, deliveries] = [sent.map(({ event }) => event), sent.map(({ delivery }) => delivery)];
  await store.snapshot.commit({ patch: null, events, deliveries });
  await Promise.all(
    sent.map(({ messageId, delivery, hasFailed }) =>
      store.outbox.saveAttempt(attemptOf(messageId, [delivery], { sends: hasFailed ? 3 : 1 })),
    ),
  );
  await Promise.all(
    sent.map(({ messageId, at, hasFailed }) =>
      hasFailed
        ? store.outbox.markFailed(messageId, `The platform refused it: ${HOSTILE}`, at)
        : store.outbox.markSent(messageId, { id: messageId, link: `https://chat.example/${messageId}` }, at),
    ),
  );
}

/** A chat whose store has deliveries, sources and rules of every kind. */
export async function busyOperation(browser: BrowserTest, adminToken?: string): Promise<WebChat> {
  const chat = await browser.startChat({
    ...(adminToken !== undefined && { adminToken }),
    configuredRules: rulesOf({ ...GENERAL, id: HOSTILE.slice(0, 30) }, [DEFAULT_FILTER]),
    operator: {
      source: {
        ...TEST_SOURCE,
        live: { ...SILENT_SOURCES, splitOf: ({ ticker }) => (ticker === "ACME" ? ACME : null) },
      },
      deliveries: {
        platformProblems: () => [
          {
            name: "discord",
            reason: "Discord rejects the token",
            rejected: { since: Date.now() - 600_000, retryAt: Date.now() + 60_000 },
          },
        ],
      },
    },
  });
  const { store } = chat;
  const now = Date.now();
  const header = { ...patchOf().header, source: TEST_SOURCE.id };
  const splits = [listedSplit("s1", "ACME"), listedSplit("s2", "BOLT")];
  await store.snapshot.commit({ patch: patchOf({ header, splits }), events: [], deliveries: [] });
  await store.sourceStatuses.write([
    status("nasdaq"),
    status("prnewswire"),
    status("businesswire", {
      verdict: "down",
      condition: "refusing",
      problem: "403 Forbidden",
      lastOkAt: null,
      faults: { refused: 12 },
    }),
    status("newsfile", { gaps: 2, lastGapAt: now - 3_600_000 }),
  ]);
  await store.sourceReads.put([
    { source: "prnewswire", firstReadAt: now - 864_000_000, lastReadAt: now, filledAt: now },
  ]);
  await store.polls.write({
    resource: "splits",
    at: now - 30_000,
    outcome: "complete",
    detail: "12 splits",
    records: 12,
    quarantined: [`row 4 (BAD): ${HOSTILE}`, "row 9 (ODD): ex_date: expected YYYY-MM-DD"],
    lastCompleteAt: now - 30_000,
  });
  await store.polls.write({
    resource: "articles",
    at: now - 90_000,
    outcome: "failed",
    detail: "answer 503",
    records: 0,
    quarantined: [],
    lastCompleteAt: now - 900_000,
  });
  await sendMany(store, now);
  const waiting = await commitOne(store, announced("waits"), ALICE);
  await store.outbox.saveAttempt(
    attemptOf("w1", [waiting], { state: "uncertain", sends: 2, problem: "timeout", notBefore: now + 60_000 }),
  );
  await commitOne(store, announced("paused"), DESK);
  await store.pauses.pause(DESK, HOSTILE, now - 300_000);
  await store.rules.add({ ...aRule(), createdAt: now - 86_400_000 });
  return chat;
}

export async function openOperator(page: Page): Promise<void> {
  await page.locator("#counts li").first().waitFor();
  await page.locator("#deliveries-list li").first().waitFor();
}

/** Selects which deliveries are listed. */
export function selectState(page: Page, state: "Recent" | "Failed" | "Waiting" | "Paused"): Promise<void> {
  return page.getByRole("radio", { name: state }).click();
}

export function describeOperator(browser: BrowserTest): void {
  describe("the operator view", () => {
    it("shows counts, problems, sources, quarantined records, rules and processes, all of it as text", async () => {
      const { page } = await browser.visit(await busyOperation(browser), { path: "/operator" });
      await openOperator(page);
      const text = (await page.locator("main").innerText()).replaceAll(/\s+/g, " ");
      for (const part of [
        "2 alerts waiting",
        "1 destination paused",
        "4 messages failed",
        "Discord Discord rejects the token",
        "businesswire",
        "403 Forbidden",
        "failed reads: refused 12",
        "2 gaps, last 1 h ago",
        "complete Poll of splits",
        "failed Poll of articles",
        "row 9 (ODD)",
        HOSTILE,
        "#general on the web page 1 rule",
        "listed again or in effect. 1 day ago",
        "listed again or in effect. in the settings",
        "this process",
        "first read 10 days ago",
        "OK nasdaq read 1 h ago new item 2 h ago no gaps states 1 of 2 listed splits",
        "states 0 of 2 listed splits",
      ])
        expect(text).toContain(part);
      // Its gaps are unknown, because it was never read.
      expect(text).toMatch(/businesswire new item 2 h ago states 0 of 2 listed splits/);
      expect(await page.locator("main img, main b").count()).toBe(0);
      expect(await page.evaluate("window.hacked ?? null")).toBeNull();
    });

    it("lists deliveries in pages, by state, destination and ticker", async () => {
      // The last search is refused.
      browser.allowProblems();
      const { page } = await browser.visit(await busyOperation(browser), { path: "/operator" });
      await openOperator(page);
      const entries = page.locator("#deliveries-list > li");
      expect(await entries.count()).toBe(30);
      expect(await entries.first().getByRole("link", { name: "Open message" }).count()).toBe(0);
      expect(await entries.first().innerText()).toContain("3 attempts");
      expect(await entries.nth(1).innerText()).toContain("1 attempt");
      expect(await entries.nth(1).getByRole("link", { name: "Open message" }).getAttribute("href")).toBe(
        "https://chat.example/m38",
      );
      await page.locator("#deliveries-more").click();
      await expect.poll(() => entries.count()).toBe(40);
      await selectState(page, "Failed");
      await expect.poll(() => entries.count()).toBe(4);
      await selectState(page, "Recent");
      await page.getByLabel("Destination").fill("desk");
      await page.getByLabel("Ticker").fill("bolt");
      await page.keyboard.press("Enter");
      await page.getByText("No deliveries.").waitFor();
      await page.getByLabel("Destination").fill("general");
      await page.keyboard.press("Enter");
      await expect.poll(() => entries.count()).toBe(10);
      await page.getByLabel("Ticker").fill("not a ticker");
      await page.keyboard.press("Enter");
      await page.locator("#deliveries-state").getByText("expected a ticker").waitFor();
    });

    it("resumes a paused destination", async () => {
      const chat = await busyOperation(browser);
      const { page } = await browser.visit(chat, { path: "/operator" });
      await openOperator(page);
      await selectState(page, "Paused");
      const entry = page.locator("#deliveries-list > li");
      await entry.getByText("1 refusal").waitFor();
      await entry.getByRole("button", { name: "Resume #C0123DESK on Slack" }).click();
      await page.locator("#notice").getByText("waiting alerts are being sent").waitFor();
      expect(await chat.store.pauses.of(DESK)).toMatchObject({ refusals: 0 });
      await entry.getByText("0 refusals").waitFor();
    });

    it("asks for the token, and opens after signing in", async () => {
      browser.allowProblems();
      const chat = await busyOperation(browser, "the-token-of-this-test");
      const { page } = await browser.visit(chat, { path: "/operator" });
      await page.getByLabel("Token").fill("wrong");
      await page.keyboard.press("Enter");
      await page.getByText("Wrong token. Try again.").waitFor();
      await page.getByLabel("Token").fill("the-token-of-this-test");
      await page.keyboard.press("Enter");
      await openOperator(page);
      expect(page.url()).toBe(`${chat.address}/operator`);
      await page.context().clearCookies();
      await selectState(page, "Failed");
      await page.getByRole("heading", { name: "Sign in to splitwatch" }).waitFor();
    });

    it("is linked from the chat, which loads none of its files", async () => {
      const chat = await browser.startChat();
      const { page } = await browser.visit(chat, { path: null });
      const paths: string[] = [];
      page.on("request", (sent) => paths.push(new URL(sent.url()).pathname));
      await page.goto(chat.address);
      await waitForConnection(page);
      expect(paths.filter((path) => path.includes("operator"))).toEqual([]);
      expect(paths.length).toBeLessThanOrEqual(5);
      await page.getByRole("link", { name: "Operator", exact: true }).click();
      await page.getByRole("heading", { name: "Operator view" }).waitFor();
    });

    it("says that the server can't be reached, and keeps its content", async () => {
      browser.allowProblems();
      const chat = await busyOperation(browser);
      const { page } = await browser.visit(chat, { path: "/operator" });
      await openOperator(page);
      const connection = await chat.disconnect();
      await selectState(page, "Failed");
      await page.locator("#deliveries-state").getByText("Can't reach splitwatch").waitFor();
      expect(await page.getByRole("heading", { name: "Operator view" }).isVisible()).toBe(true);
      await connection.back();
      await selectState(page, "Paused");
      await page.getByRole("button", { name: "Resume #C0123DESK on Slack" }).waitFor();
    });
  });
}
