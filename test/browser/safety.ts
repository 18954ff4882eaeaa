import { request } from "node:http";
import { describe, expect, it } from "vitest";
import type { CurrentSplit } from "../../src/chat/web/page/protocol.ts";
import { button, type Card, card } from "../../src/messages/message.ts";
import { ALICE, anAttempt, GENERAL } from "../support/builders.ts";
import { aCurrentSplit } from "./side-panel.ts";
import { FOREIGN_NAME } from "./support/chromium.ts";
import { createFakeCommands } from "./support/fake-commands.ts";
import { type BrowserTest, linesAsked, messageWith, send, suggestions, waitForConnection } from "./support/visit.ts";
import { CALM, type WebChat } from "./support/web-chat.ts";

const ATTACKS = [
  '<img src=x onerror="window.hacked = 1">',
  "</script><script>window.hacked = 1</script>",
  '"><svg onload="window.hacked = 1">',
  "\u202Egnp.exe\u202C \u2066turned\u2069",
  "javascript:window.hacked=1",
  "long".repeat(1_250),
];

function hostileCard(text: string): Card {
  return card({
    badges: [text],
    title: text,
    link: "javascript:window.hacked=1",
    lines: [text],
    facts: [{ label: text, value: text, was: text, link: "javascript:window.hacked=1" }],
    rows: [{ title: text, detail: text, badges: [text], link: "data:text/html,<script>1</script>" }],
    quotes: [{ text, source: text, link: "javascript:window.hacked=1" }],
    warnings: [text],
    buttons: [button(text, `show ${text.slice(0, 80)}`)],
    footer: text,
  });
}

function hostileSplit(text: string): CurrentSplit {
  return aCurrentSplit({
    ticker: text,
    company: text,
    exchange: text,
    ratio: text,
    exDate: text,
    effectiveText: text,
    badges: [text],
    warnings: [text],
  });
}

/** Traces of a successful attack: a mark on the window, an injected element, a script link. */
const TRACES = `({
  hacked: window.hacked ?? null,
  elements: document.querySelectorAll("#timeline img, #timeline svg, #timeline script, .side img, .side svg, #suggestions img").length,
  links: [...document.links].map((link) => link.protocol).filter((protocol) => !["http:", "https:"].includes(protocol)),
})`;

const NO_TRACE = { hacked: null, elements: 0, links: [] };

export function describeInjection(browser: BrowserTest): void {
  describe("a hostile text", () => {
    it.each(ATTACKS)("is shown as text in every part of a card: %#", async (text) => {
      const chat = await browser.startChat({ commands: createFakeCommands({ list: [hostileCard(text)] }) });
      const { page } = await browser.visit(chat);
      await waitForConnection(page);
      await chat.deliver(GENERAL, [hostileCard(text)], { mentions: [text] });
      await send(page, "/splits list");
      await page.locator(".answer .card").waitFor();
      expect(await page.locator(".card").count()).toBe(2);
      for (const element of await page.locator(".card .button").all()) await element.click();
      await expect.poll(() => page.locator(".answer").count()).toBe(3);
      expect(await page.evaluate(TRACES)).toEqual(NO_TRACE);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    });

    it("is shown as text in the side panel", async () => {
      const everything = ATTACKS.join(" ");
      const chat = await browser.startChat({
        overview: {
          ...CALM,
          source: { ...CALM.source, name: everything, note: everything, problem: everything },
          splits: ATTACKS.map(hostileSplit),
          deliveries: {
            waiting: 1,
            held: 0,
            problems: ATTACKS.map((text) => ({ state: "failed", where: text, reason: text, at: 0, count: 1 })),
          },
        },
      });
      const { page } = await browser.visit(chat);
      await expect.poll(() => page.locator("#splits-body .ticker").count()).toBe(ATTACKS.length);
      expect(await page.evaluate(TRACES)).toEqual(NO_TRACE);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    });

    it("is shown as text in suggestions, commands and error messages", async () => {
      const commands = {
        ...createFakeCommands(),
        complete: async () => ATTACKS.map((text) => ({ line: text, label: text, hint: text })),
      };
      const chat = await browser.startChat({ commands });
      const { page } = await browser.visit(chat);
      for (const [index] of ATTACKS.entries()) {
        await page.getByLabel("Command").fill("x");
        await suggestions(page).nth(index).click();
        await page.keyboard.press("Escape");
        await page.keyboard.press("Enter");
        await expect.poll(() => page.locator(".answer .card").count()).toBe(index + 1);
      }
      expect(await page.evaluate(TRACES)).toEqual(NO_TRACE);
    });

    it("has no effect even in stored messages that no renderer would produce", async () => {
      const chat = await browser.startChat();
      const text = ATTACKS.join(" ");
      const files = [{ name: text, path: "javascript:window.hacked=1" }];
      await chat.platform.send(
        anAttempt({
          messageId: 'x" onfocus="window.hacked=1',
          to: GENERAL,
          body: { cards: [{ ...hostileCard(text), files }], mentions: [text], shared: { by: text, line: text } },
          replyTo: { id: "'><img>", link: null },
        }),
      );
      const { page } = await browser.visit(chat);
      await page.locator(".message .card").waitFor();
      await page.locator(".message").focus();
      expect(await page.evaluate(TRACES)).toEqual(NO_TRACE);
    });
  });

  describe("the page's policy", () => {
    it("blocks foreign scripts and resources from other servers", async () => {
      browser.allowProblems();
      const chat = await browser.startChat();
      const { page } = await browser.visit(chat);
      await waitForConnection(page);
      await page.evaluate(`
        const script = document.createElement("script");
        script.textContent = "window.hacked = 1";
        document.body.append(script);
        document.body.insertAdjacentHTML("beforeend", '<img src=x onerror="window.hacked = 1">');
      `);
      const outside = await page.evaluate('fetch("http://127.0.0.1:9/").then(() => "came", () => "refused")');
      expect([await page.evaluate("window.hacked ?? null"), outside]).toEqual([null, "refused"]);
    });

    it("allows requests only to its own server", async () => {
      const chat = await browser.startChat();
      const { page } = await browser.visit(chat);
      const asked: string[] = [];
      page.on("request", (sent) => asked.push(new URL(sent.url()).origin));
      await page.reload();
      await waitForConnection(page);
      await chat.deliver(ALICE, [card({ title: "Linked", link: "https://wire.example/" })]);
      await messageWith(page, "Linked");
      expect([...new Set(asked)]).toEqual([chat.address]);
    });
  });
}

export function describeStrangers(browser: BrowserTest): void {
  describe("a foreign name for this machine", () => {
    it("gets an explanation instead of the page", async () => {
      browser.allowProblems();
      const chat = await browser.startChat();
      const { page } = await browser.visit(chat);
      const response = await page.goto(chat.address.replace("127.0.0.1", FOREIGN_NAME));
      expect(response?.status()).toBe(403);
      expect(await page.locator("body").textContent()).toContain(`got \\"${FOREIGN_NAME}`);
    });

    it.each(["/", "/assets/style.css", "/api/overview", "/api/stream"])("gets nothing at %s", async (path) => {
      const chat = await browser.startChat();
      expect(await statusFor(chat, path, { host: "evil.example" })).toBe(403);
      expect(await statusFor(chat, path, {})).toBe(200);
    });
  });

  describe("a page protected by a token", () => {
    const adminToken = "the-token-of-this-test";

    it("opens after signing in, including live messages, and closes after signing out", async () => {
      browser.allowProblems();
      const chat = await browser.startChat({ adminToken });
      const { page } = await browser.visit(chat);
      await page.getByLabel("Token").fill(adminToken);
      await page.getByRole("button", { name: "Sign in" }).click();
      await waitForConnection(page);
      expect(await page.evaluate("document.cookie")).toBe("");
      const [cookie] = await page.context().cookies();
      expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict", secure: false });
      expect(cookie?.value).not.toContain(adminToken);
      await chat.deliver(GENERAL, [card({ title: "For those inside" })]);
      await messageWith(page, "For those inside");
      await page.getByRole("button", { name: /^alice/ }).click();
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("heading", { name: "Sign in to splitwatch" }).waitFor();
      await page.reload();
      expect(await page.getByText("For those inside").count()).toBe(0);
    });

    it("returns to the sign-in form when the session ends", async () => {
      browser.allowProblems();
      const chat = await browser.startChat({ adminToken });
      const { page } = await browser.visit(chat);
      await page.getByLabel("Token").fill(adminToken);
      await page.keyboard.press("Enter");
      await waitForConnection(page);
      await page.context().clearCookies();
      await send(page, "/splits list");
      await page.getByRole("heading", { name: "Sign in to splitwatch" }).waitFor();
      expect(linesAsked(chat.commands)).toEqual([]);
    });
  });
}

/** Sends the request without a browser, which does not allow a custom Host header. */
function statusFor(chat: WebChat, path: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(chat.address + path, { headers }, (response) => {
      resolve(response.statusCode);
      response.destroy();
    });
    sent.on("error", reject);
    sent.end();
  });
}
