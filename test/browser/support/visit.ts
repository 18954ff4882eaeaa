import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { findChromium, launchChromium } from "./chromium.ts";
import type { FakeCommands } from "./fake-commands.ts";
import { buildPage } from "./page-build.ts";
import { startWebChat, type WebChat, type WebChatOptions } from "./web-chat.ts";

export interface VisitOptions extends BrowserContextOptions {
  /** Name chosen on an earlier visit; null for the first visit. */
  readonly name?: string | null;
  readonly channel?: string;
  /** Null keeps the empty page open. */
  readonly path?: string | null;
}

/** Browser of one person with the page open. */
export interface Visit {
  readonly page: Page;
  /** Problems that the browser reported: script errors, failed resources, policy violations. */
  readonly problems: readonly string[];
}

/** Tools of one browser test. */
export interface BrowserTest {
  startChat(options?: Partial<WebChatOptions>): Promise<WebChat>;
  visit(chat: WebChat, options?: VisitOptions): Promise<Visit>;
  /** Ignores browser problems in this test, for example those caused by an unreachable server. */
  allowProblems(): void;
}

/** One browser and one build of the page for all tests of a file. A test fails if a browser reported a problem. */
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
  page.setDefaultTimeout(60_000);
  const problems: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  return { page, problems };
}

/** Sets values in local storage like an earlier visit. Keeps later changes of the page. */
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

/** Waits for the message or answer that contains `text`. */
export async function messageWith(page: Page, text: string | RegExp): Promise<Locator> {
  const message = page.locator(".message", { hasText: text }).last();
  await message.waitFor();
  return message;
}

/** Suggestions for the command line. */
export function suggestions(page: Page): Locator {
  return page.getByRole("listbox").getByRole("option");
}

/** Waits until the page receives live messages. */
export async function waitForConnection(page: Page): Promise<void> {
  await page.locator("body[data-connection=live]").waitFor();
}

/** Lines of all commands. */
export function linesAsked(commands: FakeCommands): readonly string[] {
  return commands.asked.map((asked) => asked.line);
}
