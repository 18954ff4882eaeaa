import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { button, card } from "../../src/messages/message.ts";
import { GENERAL } from "../support/builders.ts";
import { busyOverview } from "./side-panel.ts";
import { type BrowserTest, focusedId, linesAsked, messageWith, send, suggestions } from "./support/visit.ts";

async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** Presses Tab until an element with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let step = 0; step < 60; step += 1) {
    await page.keyboard.press("Tab");
    if ((await page.evaluate<string>("document.activeElement?.textContent ?? ''")).trim() === name) return;
  }
  throw new Error(`Tab does not reach "${name}"`);
}

/** Opens a page, types `text` into the command line and waits for suggestions. */
async function typing(browser: BrowserTest, text: string) {
  const chat = await browser.startChat();
  const { page } = await browser.visit(chat);
  const input = page.getByRole("combobox", { name: "Command" });
  await input.focus();
  await page.keyboard.type(text);
  await suggestions(page).first().waitFor();
  return { chat, page, input };
}

export function describeKeyboard(browser: BrowserTest): void {
  describe("with the keyboard alone", () => {
    it("a new user gets from the first page to a shared answer", async () => {
      const chat = await browser.startChat();
      const { page } = await browser.visit(chat, { name: null });
      await page.getByLabel("Your name").waitFor();
      await page.keyboard.type("carol");
      await press(page, "Enter");
      await expect.poll(() => focusedId(page)).toBe("command");
      await page.keyboard.type("list");
      await press(page, "Escape", "Enter");
      await messageWith(page, "page 1 of 2");
      await press(page, "Escape");
      await page.keyboard.press("Shift+Tab");
      await page.evaluate("document.querySelector('#scroller').focus()");
      await tabTo(page, "Share with the channel");
      await press(page, "Enter");
      await page.locator(".answer", { hasText: "Shared in #general" }).waitFor();
      expect(linesAsked(chat.commands)).toEqual(["list", "list"]);
    });

    it("the first Tab stop skips to the command line", async () => {
      const chat = await browser.startChat();
      const { page } = await browser.visit(chat);
      await press(page, "Tab");
      expect(await focusedId(page)).toBe("skip");
      await press(page, "Enter");
      expect(await focusedId(page)).toBe("command");
    });

    it.each(["/", "Control+k", "Meta+k"])("%s moves the focus to the command line from anywhere", async (key) => {
      const chat = await browser.startChat();
      const { page } = await browser.visit(chat);
      await page.locator("#who").focus();
      await press(page, key);
      expect(await focusedId(page)).toBe("command");
      expect(await page.getByLabel("Command").inputValue()).toBe("");
    });

    it("a slash is typed as text while an input has the focus", async () => {
      const chat = await browser.startChat();
      const { page } = await browser.visit(chat);
      await page.getByLabel("Command").focus();
      await page.keyboard.type("/splits a/b");
      expect(await page.getByLabel("Command").inputValue()).toBe("/splits a/b");
    });

    it("a card's button and a row of the table can be activated", async () => {
      const chat = await browser.startChat({ overview: busyOverview() });
      await chat.deliver(GENERAL, [card({ title: "An alert", buttons: [button("Details", "show ACME")] })]);
      const { page } = await browser.visit(chat);
      await messageWith(page, "An alert");
      await page.locator("#splits-body .ticker").first().waitFor();
      await tabTo(page, "Details");
      await press(page, "Enter");
      await messageWith(page, "ACME: 1-for-20");
      await tabTo(page, "ZETA");
      await press(page, "Enter");
      await page.getByRole("heading", { name: "ZETA" }).waitFor();
      expect(linesAsked(chat.commands)).toEqual(["show ACME"]);
    });
  });
}

export function describeCompletion(browser: BrowserTest): void {
  describe("completion", () => {
    it.each(["/", "/spl", "/splits "])("offers all commands after %j", async (text) => {
      const { page } = await typing(browser, text);
      expect(await suggestions(page).count()).toBe(7);
    });

    it("offers matching commands with a description", async () => {
      const { page, input } = await typing(browser, "/splits s");
      await expect
        .poll(() => suggestions(page).allTextContents())
        .toEqual([
          "showOne split with its history",
          "subscribeThis channel gets alerts",
          "statusHow fresh the data is",
        ]);
      expect(await input.getAttribute("aria-expanded")).toBe("true");
      expect(await input.getAttribute("aria-controls")).toBe(await page.getByRole("listbox").getAttribute("id"));
    });

    it("is navigated with the arrow keys, wrapping at both ends, and accepted with Enter", async () => {
      const { page, input } = await typing(browser, "/splits s");
      await expect.poll(() => suggestions(page).count()).toBe(3);
      const chosen = page.locator("[role=option][aria-selected=true] .suggestion-label");
      const walked: string[] = [];
      await chosen.waitFor();
      for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp"]) {
        await press(page, key);
        walked.push((await chosen.textContent()) ?? "");
      }
      expect(walked).toEqual(["subscribe", "status", "show", "subscribe", "show"]);
      const active = await input.getAttribute("aria-activedescendant");
      expect(await page.locator(`#${active} .suggestion-label`).textContent()).toBe("show");
      await press(page, "ArrowUp", "ArrowDown", "Enter");
      expect(await input.inputValue()).toBe("/splits show ");
    });

    it("accepts the first suggestion with Enter while the line is incomplete, then runs it", async () => {
      const { chat, page, input } = await typing(browser, "sh");
      const chosen = page.locator("[role=option][aria-selected=true] .suggestion-label");
      await chosen.filter({ hasText: "show" }).waitFor();
      expect(await input.getAttribute("aria-activedescendant")).toBe("suggestion-0");
      await press(page, "Enter");
      expect(await input.inputValue()).toBe("/splits show ");
      await chosen.filter({ hasText: "ACME" }).waitFor();
      await press(page, "Enter");
      expect(await input.inputValue()).toBe("/splits show ACME");
      await expect.poll(() => suggestions(page).count()).toBe(0);
      await press(page, "Enter");
      await messageWith(page, "ACME: 1-for-20");
      expect(linesAsked(chat.commands)).toEqual(["show ACME"]);
    });

    it("doesn't accept a suggestion for an earlier text with Enter", async () => {
      const { chat, page } = await typing(browser, "sta");
      await page.locator("[role=option][aria-selected=true]").waitFor();
      await page.route("**/api/complete", () => undefined);
      await page.keyboard.type("tus");
      await press(page, "Enter");
      await messageWith(page, "All commands");
      expect(linesAsked(chat.commands)).toEqual(["status"]);
      await page.unroute("**/api/complete");
    });

    it("accepts the first suggestion with Tab, then offers its arguments, and Enter runs the line", async () => {
      const { chat, page, input } = await typing(browser, "sh");
      await expect.poll(() => suggestions(page).count()).toBe(1);
      await press(page, "Tab");
      expect(await input.inputValue()).toBe("/splits show ");
      await suggestions(page).filter({ hasText: /ACRE/ }).waitFor();
      await page.keyboard.type("acm");
      await expect.poll(() => suggestions(page).count()).toBe(1);
      await press(page, "Tab");
      expect(await input.inputValue()).toBe("/splits show ACME");
      await expect.poll(() => input.getAttribute("aria-expanded")).toBe("false");
      await press(page, "Enter");
      await messageWith(page, "ACME: 1-for-20");
      expect(linesAsked(chat.commands)).toEqual(["show ACME"]);
      expect(await input.inputValue()).toBe("");
    });

    it("is closed by Escape, after which Tab leaves the input", async () => {
      const { page, input } = await typing(browser, "/splits s");
      await press(page, "Escape");
      expect(await page.getByRole("listbox").isVisible()).toBe(false);
      expect([await input.inputValue(), await input.getAttribute("aria-expanded")]).toEqual(["/splits s", "false"]);
      await press(page, "Tab");
      expect(await focusedId(page)).not.toBe("command");
    });

    it("can be accepted with a click", async () => {
      const { page, input } = await typing(browser, "/splits wat");
      await suggestions(page)
        .filter({ hasText: /^watchlist/ })
        .click();
      expect(await input.inputValue()).toBe("/splits watchlist ");
      expect(await focusedId(page)).toBe("command");
    });

    it("starts after a quick start button whose command needs arguments", async () => {
      const chat = await browser.startChat();
      const { page } = await browser.visit(chat);
      await page
        .getByRole("button", { name: /^Watch a ticker/ })
        .first()
        .click();
      await suggestions(page).filter({ hasText: /ACME/ }).waitFor();
      expect(await page.getByLabel("Command").inputValue()).toBe("/splits watch ");
    });
  });

  describe("the command history", () => {
    it("is navigated with the arrow keys, and returns to the unfinished line", async () => {
      const chat = await browser.startChat();
      const { page } = await browser.visit(chat);
      for (const line of ["/splits list", "/splits help", "/splits help"]) await send(page, line);
      await expect.poll(() => chat.commands.asked.length).toBe(3);
      await page.reload();
      const input = page.getByLabel("Command");
      await input.focus();
      const seen: string[] = [];
      for (const key of ["ArrowUp", "ArrowUp", "ArrowUp", "ArrowDown", "ArrowDown"]) {
        await press(page, key);
        seen.push(await input.inputValue());
      }
      expect(seen).toEqual(["/splits help", "/splits list", "/splits list", "/splits help", ""]);
    });
  });
}
