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
  let built: Awaited<ReturnType<typeof buildPage>>;
  let browser: Browser;
  let visits: OpenVisit[] = [];
  let idle: OpenVisit[] = [];
  let chats: WebChat[] = [];
  let problemsAllowed = false;

  beforeAll(async () => {
    built = await buildPage();
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
  afterEach(async ({ task }) => {
    const problems = visits.flatMap((visit) => visit.problems);
    const isClean = problems.length === 0 && task.result?.state !== "fail";
    const reused = await Promise.all(visits.map((visit) => (isClean ? leave(visit) : close(visit))));
    idle = [...idle, ...reused.flat()];
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
      const isPlain = path !== null && Object.keys(context).length === 0;
      const visit = (isPlain ? idle.pop() : undefined) ?? (await openVisit(browser, context, isPlain));
      visits.push(visit);
      if (name !== null) await remember(visit, { "splitwatch.name": name, "splitwatch.channel": channel });
      if (path !== null) await visit.page.goto(chat.address + path);
      return visit;
    },
    allowProblems() {
      problemsAllowed = true;
    },
  };
}

const VIEWPORT = { width: 1280, height: 800 };

interface OpenVisit extends Visit {
  /** Whether later tests may use the page: it was opened without options and not prepared before its first request. */
  readonly isReusable: boolean;
  readonly problems: string[];
  initScript: { dispose(): Promise<void> } | null;
}

async function openVisit(browser: Browser, options: BrowserContextOptions, isReusable: boolean): Promise<OpenVisit> {
  const context = await browser.newContext({ viewport: VIEWPORT, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const problems: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  return { page, problems, isReusable, initScript: null };
}

/**
 * Resets the page and returns it for later tests, because a new one takes most of the time of a short test. Every chat has an
 * origin of its own, and so its own local storage.
 */
async function leave(visit: OpenVisit): Promise<readonly OpenVisit[]> {
  if (!visit.isReusable) return close(visit);
  const { page } = visit;
  page.removeAllListeners("request");
  await visit.initScript?.dispose();
  visit.initScript = null;
  await page.goto("about:blank");
  await page.context().clearCookies();
  await page.setViewportSize(VIEWPORT);
  await page.mouse.move(0, 0);
  // Requests that the navigation cut off are no problem of the next test.
  visit.problems.length = 0;
  return [visit];
}

async function close({ page }: Visit): Promise<readonly OpenVisit[]> {
  await page.context().close();
  return [];
}

/** Sets values in local storage like an earlier visit. Keeps later changes of the page. */
async function remember(visit: OpenVisit, values: Readonly<Record<string, string>>): Promise<void> {
  visit.initScript = await visit.page.addInitScript(`
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
