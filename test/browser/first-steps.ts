import { describe, expect, it } from "vitest";
import { card } from "../../src/messages/message.ts";
import { GENERAL } from "../support/builders.ts";
import { busyOverview } from "./side-panel.ts";
import { type BrowserTest, focusedId, linesAsked, messageWith, send, waitForConnection } from "./support/visit.ts";
import { CALM } from "./support/web-chat.ts";

const EXPLANATION = { name: "What a reverse split does to your shares" };

export function describeExplanation(browser: BrowserTest): void {
  describe("the explanation", () => {
    it("shows an example and the next steps until it is closed, and can be opened again", async () => {
      const chat = await browser.startChat({ overview: busyOverview() });
      const { page } = await browser.visit(chat);
      const panel = page.getByRole("region", EXPLANATION);
      expect(await panel.innerText()).toMatch(/150 → 7\.5 → 8 shares[\s\S]*7 shares and cash for 0\.5/);
      expect(await panel.getByRole("listitem").count()).toBe(5);
      await panel.getByRole("button", { name: "Close the explanation" }).click();
      await page.getByRole("heading", { name: "All quiet in #general" }).waitFor();
      expect(await focusedId(page)).toBe("command");
      await page.reload();
      await waitForConnection(page);
      expect(await panel.isVisible()).toBe(false);
      await page.getByRole("button", { name: "What is a reverse split?" }).click();
      await panel.waitFor();
    });

    it("begins at its start on a phone", async () => {
      const { page } = await browser.visit(await browser.startChat(), { viewport: { width: 390, height: 640 } });
      await waitForConnection(page);
      await expect.poll(() => page.locator("#scroller").evaluate(({ scrollTop }) => scrollTop)).toBe(0);
      expect(await page.getByRole("heading", EXPLANATION).isVisible()).toBe(true);
    });

    it("leads to a split", async () => {
      const { page } = await browser.visit(await browser.startChat({ overview: busyOverview() }));
      await page.getByText("Zeta plc").waitFor();
      await page.getByRole("button", { name: "Open a split" }).click();
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "BETA" }).waitFor();
      expect(new URL(page.url()).hash).toBe("#/splits/BETA");
    });
  });

  describe("the offers to subscribe", () => {
    it("disappear once the channel is subscribed, and come back without rules", async () => {
      const chat = await browser.startChat();
      await chat.deliver(GENERAL, [card({ title: "Before" })]);
      const { page } = await browser.visit(chat);
      await messageWith(page, "Before");
      const offers = page.getByRole("button", { name: /^Subscribe #general/ });
      expect(await offers.count()).toBe(2);
      chat.overview = { ...CALM, isSubscribed: true };
      await offers.first().click();
      await page.getByText("#general is subscribed: alerts arrive here.").waitFor();
      expect(await offers.count()).toBe(0);
      chat.overview = CALM;
      await send(page, "list");
      await offers.first().waitFor();
    });
  });
}

export function describeSavedAnswers(browser: BrowserTest): void {
  describe("the reader's own answers", () => {
    it("survive a reload in their place, with working buttons", async () => {
      const chat = await browser.startChat();
      await chat.deliver(GENERAL, [card({ title: "Before" })]);
      const { page } = await browser.visit(chat);
      await messageWith(page, "Before");
      await send(page, "list");
      await messageWith(page, "page 1 of 2");
      await chat.deliver(GENERAL, [card({ title: "After" })]);
      await messageWith(page, "After");
      await page.reload();
      const answer = await messageWith(page, "page 1 of 2");
      const titles = await page.locator("#timeline .title").allTextContents();
      expect(titles).toEqual(["Before", "Current splits, page 1 of 2", "After"]);
      expect(await answer.textContent()).toContain("Only you see this");
      await answer.getByRole("button", { name: "Next" }).click();
      await messageWith(page, "page 2 of 2");
      await page.reload();
      await messageWith(page, "page 2 of 2");
      expect(await page.locator(".answer").count()).toBe(1);
      expect(linesAsked(chat.commands)).toEqual(["list", "list page:2"]);
    });

    it("are left out if another version has saved them in another form", async () => {
      const { page } = await browser.visit(await browser.startChat());
      await send(page, "list");
      await messageWith(page, "page 1 of 2");
      await page.evaluate(`(() => {
        const [answer] = JSON.parse(sessionStorage.getItem("splitwatch.answers"));
        const others = [null, 1, { ...answer, id: "2", answer: { cards: [{}] } }, { ...answer, id: "3", answer: null }];
        sessionStorage.setItem("splitwatch.answers", JSON.stringify([...others, answer]));
      })()`);
      await page.reload();
      await messageWith(page, "page 1 of 2");
      expect(await page.locator(".answer").count()).toBe(1);
    });

    it("belong to the reader and the channel", async () => {
      const { page } = await browser.visit(await browser.startChat());
      await send(page, "list");
      await messageWith(page, "page 1 of 2");
      await page.locator("#who").click();
      await page.getByLabel("Your name").fill("bob");
      await page.keyboard.press("Enter");
      await waitForConnection(page);
      expect(await page.locator(".answer").count()).toBe(0);
      await page.locator("#who").click();
      await page.getByLabel("Your name").fill("alice");
      await page.keyboard.press("Enter");
      await messageWith(page, "page 1 of 2");
    });

    it("are removed by forget and by signing out", async () => {
      browser.allowProblems();
      const adminToken = "the-token-of-this-test";
      const chat = await browser.startChat({ adminToken });
      const { page } = await browser.visit(chat);
      const signIn = async () => {
        await page.getByLabel("Token").fill(adminToken);
        await page.getByRole("button", { name: "Sign in" }).click();
        await waitForConnection(page);
      };
      await signIn();
      await send(page, "list");
      await messageWith(page, "page 1 of 2");
      await send(page, "forget");
      await messageWith(page, "is not a command");
      await page.reload();
      await messageWith(page, "is not a command");
      expect(await page.locator(".answer").count()).toBe(1);
      await page.locator("#who").click();
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByLabel("Token").waitFor();
      await signIn();
      expect(await page.locator(".answer").count()).toBe(0);
    });
  });
}
