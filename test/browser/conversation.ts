import { describe, expect, it } from "vitest";
import { button, card } from "../../src/messages/message.ts";
import { ALICE, BOB, GENERAL } from "../support/builders.ts";
import { type BrowserTest, focusedId, linesAsked, messageWith, send, waitForConnection } from "./support/visit.ts";

const ANNOUNCED = card({
  tone: "new",
  badges: ["SAMPLE"],
  title: "ACME: 1-for-20, ex date Mar 10",
  facts: [{ label: "Ratio", value: "1-for-20" }],
  buttons: [button("Watch ACME", "watch ACME", "primary")],
});

export function describeFirstVisit(browser: BrowserTest): void {
  describe("a new user", () => {
    it("chooses a name, reads what it is for, and sees how to start", async () => {
      const chat = await browser.startChat();
      const { page } = await browser.visit(chat, { name: null });
      const dialog = page.getByRole("dialog", { name: "Welcome to splitwatch" });
      await dialog.waitFor();
      await page.keyboard.type("not a name");
      await page.keyboard.press("Enter");
      expect(await dialog.getByText("Use 1 to 32 letters, digits, - _ or .").count()).toBe(1);
      await dialog.getByLabel("Your name").fill("Alice");
      await dialog.getByRole("button", { name: "Start" }).click();
      await dialog.waitFor({ state: "hidden" });
      expect(await page.locator("#who").textContent()).toMatch(/alice\s+in\s+#general/);
      expect(await page.getByRole("heading", { name: "What a reverse split does to your shares" }).count()).toBe(1);
      await page
        .getByRole("button", { name: /^Subscribe #general/ })
        .first()
        .click();
      await messageWith(page, "channel general is subscribed");
      expect(chat.commands.asked).toEqual([
        {
          line: "subscribe",
          call: {
            person: ALICE,
            destination: GENERAL,
            isOperator: true,
            mayManage: expect.any(Function),
            reserveRoom: expect.any(Function),
            reservePost: expect.any(Function),
            hints: { file: "select Import" },
          },
        },
      ]);
    });

    it("receives the page in four requests and the tab icon", async () => {
      const chat = await browser.startChat();
      const { page } = await browser.visit(chat, { name: null, path: null });
      const paths: string[] = [];
      page.on("request", (sent) => paths.push(new URL(sent.url()).pathname));
      await page.goto(chat.address);
      await waitForConnection(page);
      // Browsers request the icon at any time.
      const besidesIcon = paths.filter((path) => path !== "/assets/favicon.svg");
      const main = expect.stringMatching(/^\/assets\/main-[\w-]{12}\.js$/);
      expect(besidesIcon).toEqual(["/", main, "/api/start", "/api/stream"]);
    });

    it("can explore first and is asked for a name when they run a command", async () => {
      const chat = await browser.startChat();
      const { page } = await browser.visit(chat, { name: null });
      await page.getByRole("button", { name: "Look around first" }).click();
      await send(page, "/splits list");
      await page.getByLabel("Your name").fill("bob");
      await page.keyboard.press("Enter");
      await messageWith(page, "Current splits, page 1");
      expect(chat.commands.asked.map((asked) => asked.call.person)).toEqual([BOB]);
    });

    it("sees the page before the server sends data", async () => {
      const chat = await browser.startChat();
      const { page } = await browser.visit(chat, { name: null, path: null });
      await page.route("**/api/**", () => undefined);
      await page.goto(chat.address);
      await page.getByRole("dialog").waitFor();
      expect(await page.getByRole("heading", { name: "splitwatch", exact: true }).isVisible()).toBe(true);
      expect(await page.getByLabel("Command").isVisible()).toBe(true);
    });
  });
}

export function describeCommands(browser: BrowserTest): void {
  describe("a command", () => {
    it("is answered only to the person, with or without /splits", async () => {
      const chat = await browser.startChat();
      const alice = await browser.visit(chat);
      const bob = await browser.visit(chat, { name: "bob" });
      await send(alice.page, "/splits list");
      await send(alice.page, "watchlist");
      const answer = await messageWith(alice.page, "Current splits, page 1");
      expect(await answer.getByText("Only you see this").count()).toBe(1);
      await expect.poll(() => linesAsked(chat.commands)).toEqual(["list", "watchlist"]);
      expect(await bob.page.locator(".message").count()).toBe(0);
    });

    it("that is invalid is answered with a working example", async () => {
      const chat = await browser.startChat();
      const { page } = await browser.visit(chat);
      await send(page, "/splits lsit");
      const answer = await messageWith(page, '"lsit" is not a command');
      expect(await answer.getByText("Try: /splits list").count()).toBe(1);
      expect(await answer.locator(".line code").allTextContents()).toEqual(["/splits list"]);
    });

    it("runs in direct messages when they are open", async () => {
      const chat = await browser.startChat();
      const { page } = await browser.visit(chat);
      await page.getByLabel("Where").selectOption("Direct");
      await send(page, "/splits subscribe");
      await messageWith(page, "person alice is subscribed");
      expect(chat.commands.asked[0]?.call.destination).toEqual(ALICE);
    });

    it("of a card's button is run unchanged", async () => {
      const chat = await browser.startChat();
      const { page } = await browser.visit(chat);
      await waitForConnection(page);
      await chat.deliver(GENERAL, [ANNOUNCED]);
      await (await messageWith(page, "ACME: 1-for-20")).getByRole("button", { name: "Watch ACME" }).click();
      await (await messageWith(page, "You watch ACME now")).getByRole("button", { name: "Undo" }).click();
      await messageWith(page, "You watch ACME no more");
      expect(linesAsked(chat.commands)).toEqual(["watch ACME", "unwatch ACME"]);
    });

    it("for another page of an answer replaces the answer", async () => {
      const chat = await browser.startChat();
      const { page } = await browser.visit(chat);
      await send(page, "/splits list");
      await (await messageWith(page, "page 1 of 2")).getByRole("button", { name: "Next" }).click();
      const second = await messageWith(page, "page 2 of 2");
      expect(await second.locator(".command").textContent()).toBe("/splits list page:2");
      expect(await page.locator(".message").count()).toBe(1);
    });

    it("can be shared, and the channel then sees the answer and who shared it", async () => {
      const chat = await browser.startChat();
      const alice = await browser.visit(chat);
      const bob = await browser.visit(chat, { name: "bob" });
      await waitForConnection(bob.page);
      await send(alice.page, "/splits list");
      const answer = alice.page.locator(".answer");
      await answer.getByRole("button", { name: "Share with the channel" }).click();
      await answer.getByText("Shared in #general").waitFor();
      const shared = await messageWith(bob.page, "alice shared");
      expect(await shared.getByText("/splits list").count()).toBe(1);
      expect(await shared.getByText("ACME 1-for-20").count()).toBe(1);
    });

    it("with a private answer cannot be shared", async () => {
      const chat = await browser.startChat();
      const { page } = await browser.visit(chat);
      await send(page, "/splits help");
      const answer = await messageWith(page, "All commands");
      expect(await answer.getByRole("button", { name: /Share/ }).count()).toBe(0);
    });
  });
}

export function describeLiveMessages(browser: BrowserTest): void {
  describe("an alert", () => {
    it("appears without a reload with its full content, and is announced to screen readers", async () => {
      const chat = await browser.startChat();
      const { page } = await browser.visit(chat);
      await waitForConnection(page);
      await chat.deliver(
        GENERAL,
        [
          card({
            tone: "change",
            badges: ["SAMPLE", "LATE"],
            title: "ACME changed",
            facts: [{ label: "Ratio", value: "1-for-25", was: "1-for-20" }],
            quotes: [{ text: "Each holder gets one whole share.", source: "newsfile", link: "https://wire.example/1" }],
            warnings: ["The ex date is a holiday"],
            footer: "Seen at 9:31",
          }),
        ],
        { mentions: ["bob"] },
      );
      const message = await messageWith(page, "ACME changed");
      const text = (await message.innerText()).replaceAll(/\s+/g, " ");
      for (const part of [
        "SAMPLE",
        "LATE",
        "was 1-for-20 → , is now 1-for-25",
        "Each holder gets",
        "The ex date is a holiday",
      ]) {
        expect(text).toContain(part);
      }
      expect(text).toContain("For bob");
      expect(text).toMatch(/#general (?:just now|\d+ s ago)/);
      expect(await message.locator("del").textContent()).toBe("1-for-20");
      const source = message.getByRole("link", { name: "newsfile" });
      expect(await source.getAttribute("href")).toBe("https://wire.example/1");
      expect(await source.getAttribute("rel")).toContain("noopener");
      expect(await page.getByRole("status").textContent()).toContain("New in #general: ACME changed");
    });

    it("for one person is visible only to that person", async () => {
      const chat = await browser.startChat();
      const alice = await browser.visit(chat);
      const bob = await browser.visit(chat, { name: "bob" });
      await Promise.all([waitForConnection(alice.page), waitForConnection(bob.page)]);
      await chat.deliver(ALICE, [card({ title: "Your ACME tomorrow" })]);
      await chat.deliver(GENERAL, [card({ title: "For all of us" })]);
      const own = await messageWith(alice.page, "Your ACME tomorrow");
      expect(await own.getByText("Only to you").count()).toBe(1);
      await messageWith(bob.page, "For all of us");
      expect(await bob.page.locator(".message").count()).toBe(1);
    });

    it("links to the first alert about the same split", async () => {
      const chat = await browser.startChat();
      const { page } = await browser.visit(chat);
      const first = await chat.deliver(GENERAL, [ANNOUNCED]);
      await chat.deliver(GENERAL, [card({ title: "ACME changed" })], { replyTo: first });
      const second = await messageWith(page, "Follows up on");
      await second.getByRole("link", { name: ANNOUNCED.title }).click();
      await expect.poll(() => focusedId(page)).toBe(`message-${first}`);
    });

    it("remains after a reload", async () => {
      const chat = await browser.startChat();
      const { page } = await browser.visit(chat);
      await waitForConnection(page);
      await chat.deliver(GENERAL, [ANNOUNCED]);
      await messageWith(page, "ACME: 1-for-20");
      await page.reload();
      await messageWith(page, "ACME: 1-for-20");
      expect(await page.locator(".message").count()).toBe(1);
    });

    it("is counted in the title while the page is hidden", async () => {
      const chat = await browser.startChat();
      const { page } = await browser.visit(chat);
      await waitForConnection(page);
      await page.evaluate('Object.defineProperty(document, "hidden", { value: true })');
      await chat.deliver(GENERAL, [ANNOUNCED]);
      await messageWith(page, "ACME: 1-for-20");
      expect(await page.title()).toBe("(1) splitwatch");
    });

    it("shows its age and updates it", async () => {
      const chat = await browser.startChat();
      await chat.deliver(GENERAL, [ANNOUNCED]);
      const { page } = await browser.visit(chat, { path: null });
      await page.clock.install();
      await page.goto(chat.address);
      const message = await messageWith(page, "ACME: 1-for-20");
      expect(await message.locator("time").textContent()).toMatch(/^(?:just now|\d+ s ago)$/);
      await page.route("**/api/overview", (route) => route.abort());
      browser.allowProblems();
      await page.clock.fastForward("05:00");
      await message.getByText("5 min ago").waitFor();
    });
  });

  describe("a channel", () => {
    it("can be changed without changing the name, and shows its messages", async () => {
      const chat = await browser.startChat();
      await chat.deliver({ ...GENERAL, id: "desk" }, [card({ title: "Said at the desk" })]);
      const { page } = await browser.visit(chat);
      await page.getByTitle("Change your name or the channel").click();
      const dialog = page.getByRole("dialog", { name: "Name and channel" });
      await dialog.getByLabel("Channel").fill("#Desk");
      await dialog.getByRole("button", { name: "Save" }).click();
      await messageWith(page, "Said at the desk");
      expect(await page.locator("#who").textContent()).toMatch(/alice\s+in\s+#desk/);
      await page.reload();
      await messageWith(page, "Said at the desk");
    });

    it("is opened by a link to one of its messages", async () => {
      const chat = await browser.startChat();
      const id = await chat.deliver({ ...GENERAL, id: "desk" }, [card({ title: "Said at the desk" })]);
      const { page } = await browser.visit(chat, { path: `/#message-${id}` });
      await messageWith(page, "Said at the desk");
      expect(await page.locator("#who").textContent()).toContain("#desk");
      await expect.poll(() => focusedId(page)).toBe(`message-${id}`);
    });

    it("reports a link to a message that no longer exists", async () => {
      browser.allowProblems();
      const chat = await browser.startChat();
      const { page } = await browser.visit(chat, { path: "/#message-gone" });
      await page.locator("#notice").waitFor();
      expect(await page.locator("#notice").textContent()).toBe("This message doesn't exist or was removed.");
    });
  });
}

export function describeConnection(browser: BrowserTest): void {
  describe("a lost connection", () => {
    it("is reported, and every message is shown once after it is restored", async () => {
      browser.allowProblems();
      const chat = await browser.startChat();
      const { page } = await browser.visit(chat);
      await waitForConnection(page);
      await chat.deliver(GENERAL, [card({ title: "before" })]);
      await messageWith(page, "before");
      const away = await chat.disconnect();
      await page.getByText("Connection lost. Trying again…").waitFor();
      await chat.deliver(GENERAL, [card({ title: "meanwhile" })]);
      await away.back();
      await messageWith(page, "meanwhile");
      await chat.deliver(GENERAL, [card({ title: "after" })]);
      await messageWith(page, "after");
      expect(await page.getByText("Connection lost. Trying again…").isVisible()).toBe(false);
      expect(await page.locator(".message .title").allTextContents()).toEqual(["before", "meanwhile", "after"]);
      expect(await page.getByRole("status").textContent()).toContain("Connected again.");
    });

    it("of the browser's network is handled likewise", async () => {
      browser.allowProblems();
      const chat = await browser.startChat();
      const { page } = await browser.visit(chat);
      await waitForConnection(page);
      await page.context().setOffline(true);
      await page.getByText("Connection lost. Trying again…").waitFor();
      await chat.deliver(GENERAL, [card({ title: "meanwhile" })]);
      await page.context().setOffline(false);
      await messageWith(page, "meanwhile");
      await waitForConnection(page);
      expect(await page.locator(".message").count()).toBe(1);
    });

    it("keeps the command that could not be sent, for another try", async () => {
      browser.allowProblems();
      const chat = await browser.startChat();
      const { page } = await browser.visit(chat);
      await waitForConnection(page);
      const away = await chat.disconnect();
      await send(page, "/splits list");
      const answer = await messageWith(page, "The command wasn't delivered");
      await away.back();
      await answer.getByRole("button", { name: "Try again" }).click();
      await messageWith(page, "page 1 of 2");
      expect(await page.locator(".message").count()).toBe(1);
    });
  });
}
