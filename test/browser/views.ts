import type { Page } from "playwright-core";
import { calendarEntries } from "../../src/domain/split/calendar-entries.ts";
import { calendarAltText, calendarSvg } from "../../src/messages/calendar/calendar-picture.ts";
import { button, type Card, card } from "../../src/messages/message.ts";
import { ALICE, aSplit, day, GENERAL } from "../support/builders.ts";
import { detailChat, RELEASE_URL } from "./details.ts";
import { busyOperation, openOperator, selectState } from "./operator.ts";
import { busyOverview } from "./side-panel.ts";
import { createFakeCommands } from "./support/fake-commands.ts";
import { type BrowserTest, messageWith, send, suggestions, type VisitOptions } from "./support/visit.ts";
import type { WebChat } from "./support/web-chat.ts";

/** A view of the page in one state. Every view is checked for accessibility; see `accessibility.ts`. */
export interface View {
  readonly name: string;
  /** Opens the page and brings it into the state. */
  open(browser: BrowserTest, options: VisitOptions): Promise<Page>;
}

const TONES = ["new", "change", "warning", "due", "good", "bad", "plain"] as const;

/** A conversation with a card of every tone, whose texts are long. */
export async function fullChat(browser: BrowserTest): Promise<WebChat> {
  const chat = await browser.startChat({ overview: busyOverview() });
  for (const tone of TONES) {
    await chat.deliver(GENERAL, [
      card({
        tone,
        badges: ["SAMPLE", "LATE", "TEST"],
        title: `A ${tone} card with a rather long title that has to find its place on a phone as well`,
        link: "https://wire.example/1",
        lines: ["A line.", "averyverylongwordwithoutanyplacetobreakit".repeat(5)],
        facts: [{ label: "Ratio", value: "1-for-25", was: "1-for-20" }],
        rows: [{ title: "ACME", detail: "x".repeat(90), badges: ["MISSING"] }],
        quotes: [{ text: "What it says.", source: "newsfile", link: "https://wire.example/2" }],
        warnings: ["Odd"],
        buttons: [
          button("Watch", "watch ACME", "primary"),
          button("Details", "show ACME"),
          button("Stop", "x", "danger"),
        ],
        footer: "Seen at 9:31",
      }),
    ]);
  }
  await chat.deliver(ALICE, [card({ title: "The last one" })], { mentions: ["alice"] });
  return chat;
}

const AT = { now: Date.parse("2026-03-02T14:00:00Z"), today: day("2026-03-02"), timezone: "America/New_York" };

/** A picture with an entry of each treatment. */
export function calendarCard(): Card {
  const treatments = ["round_up", "round_nearest", "round_down", "cash_in_lieu"] as const;
  const splits = ["ACME", "BOLT", "CRUX", "DELT", "ECHO"].map((ticker) => aSplit({ ticker }));
  const entries = calendarEntries(splits, new Map(), AT.today).map((entry, index) => {
    const treatment = treatments[index];
    const stated = { level: null, sentence: "As stated.", url: "https://wire.example/1", source: "newsfile" };
    const fraction = treatment === undefined ? null : { treatment, ...stated };
    return { ...entry, evidence: { ...entry.evidence, fraction } };
  });
  const picture = { entries, sample: true, source: "news wires", hasList: true, readAt: AT.now };
  const svg = calendarSvg(picture, AT);
  return card({
    title: "What is ahead",
    picture: { name: "upcoming-splits", svg, alt: calendarAltText(picture, AT), link: null },
    files: [{ name: "all.ics", mediaType: "text/calendar", text: "", path: "/calendar/all.ics" }],
  });
}

/** Every view of the page. */
export const VIEWS: readonly View[] = [
  {
    name: "the explanation",
    async open(browser, options) {
      const { page } = await browser.visit(await browser.startChat({ overview: busyOverview() }), options);
      await page.getByRole("heading", { name: /^What a reverse split/ }).waitFor();
      return page;
    },
  },
  {
    name: "a split",
    async open(browser, options) {
      const { page } = await browser.visit(await browser.startChat(detailChat()), {
        ...options,
        path: "/#/splits/ACME",
      });
      await page.getByRole("heading", { name: "ACME · Acme Robotics Inc." }).waitFor();
      await page.getByLabel("Shares that you hold").fill("150");
      await page.getByRole("button", { name: "Calculate" }).click();
      await page.getByRole("img", { name: "Old and new shares" }).waitFor();
      return page;
    },
  },
  {
    name: "a release",
    async open(browser, options) {
      const path = `/#/releases/${encodeURIComponent(RELEASE_URL)}`;
      const { page } = await browser.visit(await browser.startChat(detailChat()), { ...options, path });
      await page.getByRole("article", { name: "Text of the release" }).waitFor();
      return page;
    },
  },
  {
    name: "the empty chat",
    async open(browser, options) {
      const { page } = await browser.visit(await browser.startChat({ overview: busyOverview() }), options);
      await page.getByRole("button", { name: "Close the explanation" }).click();
      await page.getByRole("heading", { name: /^All quiet/ }).waitFor();
      return page;
    },
  },
  {
    name: "messages, an answer and suggestions",
    async open(browser, options) {
      const { page } = await browser.visit(await fullChat(browser), options);
      await messageWith(page, "The last one");
      await send(page, "/splits list");
      await messageWith(page, "page 1 of 2");
      await page.getByLabel("Command").fill("/splits s");
      await suggestions(page).filter({ hasText: "status" }).waitFor();
      await page.keyboard.press("ArrowDown");
      return page;
    },
  },
  {
    name: "a picture",
    async open(browser, options) {
      const commands = createFakeCommands({ calendar: [calendarCard()] });
      const { page } = await browser.visit(await browser.startChat({ commands }), options);
      await send(page, "calendar");
      await messageWith(page, "What is ahead");
      return page;
    },
  },
  {
    name: "the splits",
    async open(browser, options) {
      const { page } = await browser.visit(await browser.startChat({ overview: busyOverview() }), options);
      await page.locator("#splits-body .ticker").first().waitFor({ state: "attached" });
      // Hidden on wide screens, which show both views.
      await page.locator("#view-splits").dispatchEvent("click");
      return page;
    },
  },
  {
    name: "the dialog of a new user, with an error",
    async open(browser, options) {
      const { page } = await browser.visit(await browser.startChat(), { ...options, name: null });
      await page.getByRole("dialog").waitFor();
      await page.keyboard.press("Enter");
      await page.getByText("Use 1 to 32").waitFor();
      return page;
    },
  },
  {
    name: "the dialog for an import",
    async open(browser, options) {
      const { page } = await browser.visit(await browser.startChat(), options);
      await send(page, "import");
      await page.getByRole("dialog").getByRole("button", { name: "Import" }).click();
      await page.getByText("Pick a file, or paste a list.").waitFor();
      return page;
    },
  },
  {
    name: "a lost connection",
    async open(browser, options) {
      browser.allowProblems();
      const chat = await browser.startChat();
      const { page } = await browser.visit(chat, options);
      await page.locator("body[data-connection=live]").waitFor();
      await chat.disconnect();
      await page.getByText("Connection lost. Trying again…").waitFor();
      return page;
    },
  },
  {
    name: "the sign-in form, with an error",
    async open(browser, options) {
      browser.allowProblems();
      const { page } = await browser.visit(await browser.startChat({ adminToken: "the-token-of-this-test" }), options);
      await page.getByLabel("Token").fill("wrong");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("alert").getByText("Wrong token. Try again.").waitFor();
      return page;
    },
  },
  ...(["Recent", "Failed", "Waiting", "Paused"] as const).map((state): View => {
    return {
      name: `the operator view, ${state.toLowerCase()} deliveries`,
      async open(browser, options) {
        const { page } = await browser.visit(await busyOperation(browser), { ...options, path: "/operator" });
        await openOperator(page);
        await selectState(page, state);
        await page
          .locator("#deliveries-list .state", { hasText: state === "Recent" ? "Sent" : state })
          .first()
          .waitFor();
        return page;
      },
    };
  }),
  {
    name: "the operator view without data",
    async open(browser, options) {
      const { page } = await browser.visit(await browser.startChat(), { ...options, path: "/operator" });
      await page.getByText("No deliveries.").waitFor();
      return page;
    },
  },
];
