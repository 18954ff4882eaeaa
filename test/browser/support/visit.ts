import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { findChromium, launchChromium } from "./chromium.ts";
import type { FakeCommands } from "./fake-commands.ts";
import { buildPage } from "./page-build.ts";
import { startWebChat, type WebChat, type WebChatOptions } from "./web-chat.ts";

export interface VisitOptions extends BrowserContextOptions {
  /** Picked on an earlier visit; null: this is the first one. */
  readonly name?: string | null;
  readonly channel?: string;
  /** Null: the browser stays at an empty page. */
  readonly path?: string | null;
}

/** One person's browser, open at the page. */
export interface Visit {
  readonly page: Page;
  /** What the browser complained about: script errors, refused resources, broken policy. */
  readonly problems: readonly string[];
}

/** What each browser test works with: it is made anew for each. */
export interface BrowserTest {
  startChat(options?: Partial<WebChatOptions>): Promise<WebChat>;
  visit(chat: WebChat, options?: VisitOptions): Promise<Visit>;
  /** The test expects the browser to complain, about a server that is away for example. */
  allowProblems(): void;
}

/** One browser and one build of the page for all tests of a file. After each test, no browser may have complained. */
export function useBrowser(): BrowserTest {
  let built: ReturnType<typeof buildPage>;
  let browser: Browser;
  let visits: Visit[] = [];
  let chats: WebChat[] = [];
  let problemsAllowed = false;

  beforeAll(async () => {
    built = buildPage();
    browser = await launchChromium(findChromium() ?? "chromium");
  });
  afterAll(async () => {
    await browser.close();
    built.remove();
  });
  beforeEach(() => {
    visits = [];
    chats = [];
    problemsAllowed = false;
  });
  afterEach(async () => {
    const problems = visits.flatMap((visit) => visit.problems);
    await Promise.all(visits.map((visit) => visit.page.context().close()));
    await Promise.all(chats.map((chat) => chat.stop()));
    expect(problemsAllowed ? [] : problems).toEqual([]);
  });

  return {
    async startChat(options = {}) {
      const chat = await startWebChat({ assetsDir: built.assetsDir, ...options });
      chats.push(chat);
      return chat;
    },
    async visit(chat, { name = "alice", channel = "general", path = "/", ...context } = {}) {
      const visit = await openVisit(browser, context);
      visits.push(visit);
      if (name !== null) await remember(visit.page, { "splitwatch.name": name, "splitwatch.channel": channel });
      if (path !== null) await visit.page.goto(chat.address + path);
      return visit;
    },
    allowProblems() {
      problemsAllowed = true;
    },
  };
}

async function openVisit(browser: Browser, options: BrowserContextOptions): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const problems: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  return { page, problems };
}

/** As an earlier visit would have left it. A later change in the page stays. */
function remember(page: Page, values: Readonly<Record<string, string>>): Promise<unknown> {
  return page.addInitScript(`
    for (const [key, value] of Object.entries(${JSON.stringify(values)})) {
      if (localStorage.getItem(key) === null) localStorage.setItem(key, value);
    }
  `);
}

export function focusedId(page: Page): Promise<string> {
  return page.evaluate<string>("document.activeElement?.id ?? ''");
}

/** Types a command line and sends it. */
export async function send(page: Page, line: string): Promise<void> {
  await page.getByRole("combobox", { name: "Command" }).fill(line);
  await page.keyboard.press("Enter");
}

/** The message or answer that holds `text`, once it is there. */
export async function messageWith(page: Page, text: string | RegExp): Promise<Locator> {
  const message = page.locator(".message", { hasText: text }).last();
  await message.waitFor();
  return message;
}

/** What the command line can become. */
export function suggestions(page: Page): Locator {
  return page.getByRole("listbox").getByRole("option");
}

/** Resolves once the page follows what is posted. */
export async function waitForConnection(page: Page): Promise<void> {
  await page.locator("body[data-connection=live]").waitFor();
}

/** The commands that were asked for, without who asked. */
export function linesAsked(commands: FakeCommands): readonly string[] {
  return commands.asked.map((asked) => asked.line);
}
