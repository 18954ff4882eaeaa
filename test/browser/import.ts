import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { button, card } from "../../src/messages/message.ts";
import { createFakeCommands, type FakeCommands } from "./support/fake-commands.ts";
import { type BrowserTest, focusedId, linesAsked, messageWith, send, type VisitOptions } from "./support/visit.ts";

const audit = readFileSync(new URL("./support/audit.js", import.meta.url), "utf8");

const SCREENS: readonly (readonly [string, VisitOptions])[] = [
  ["a light desktop", { colorScheme: "light" }],
  ["a dark phone", { colorScheme: "dark", viewport: { width: 360, height: 740 } }],
];

function commands(): FakeCommands {
  const text = '{\n  "splitwatch": 1\n}\n';
  return createFakeCommands({
    import: [card({ title: "Imported: 2 tickers", buttons: [button("Undo", "import undo:1")] })],
    export: [
      card({
        title: "Yours, to take along",
        files: [{ name: "splitwatch.json", mediaType: "application/json", text, path: null }],
      }),
    ],
  });
}

/** Attachments of each command. */
async function filesAsked({ asked }: FakeCommands): Promise<readonly unknown[]> {
  const files: unknown[] = [];
  for (const { call } of asked) files.push(await call.fetchAttachment?.());
  return files;
}

function submit(page: Page): Locator {
  return page.getByRole("dialog").getByRole("button", { name: "Import" });
}

export function describeImport(browser: BrowserTest): void {
  describe("an import", () => {
    it("accepts a selected file", async () => {
      const chat = await browser.startChat({ commands: commands() });
      const { page } = await browser.visit(chat);
      await send(page, "list");
      await messageWith(page, "page 1 of 2");
      await page.getByRole("button", { name: "Import", exact: true }).click();
      const file = { name: "list.csv", mimeType: "text/csv", buffer: Buffer.from("ACME\nGLOBX") };
      await page.getByLabel("An exported file").setInputFiles(file);
      await submit(page).click();
      const answer = await messageWith(page, "Imported: 2 tickers");
      expect((await filesAsked(chat.commands)).at(-1)).toEqual({ kind: "text", name: "list.csv", text: "ACME\nGLOBX" });
      await answer.getByRole("button", { name: "Undo" }).click();
      await expect.poll(() => linesAsked(chat.commands)).toEqual(["list", "import", "import undo:1"]);
      // An import for the person includes rules for direct messages, regardless of the open channel.
      expect(chat.commands.asked.map(({ call }) => call.destination.kind)).toEqual(["channel", "person", "person"]);
    });

    it("is opened by its command and accepts pasted text using only the keyboard", async () => {
      const chat = await browser.startChat({ commands: commands() });
      const { page } = await browser.visit(chat);
      await page.keyboard.press("/");
      await page.keyboard.type("import");
      await page.keyboard.press("Escape");
      await page.keyboard.press("Enter");
      await expect.poll(() => focusedId(page)).toBe("import-file");
      await page.keyboard.press("Tab");
      expect(await focusedId(page)).toBe("import-text");
      await page.keyboard.type("ACME, GLOBX/");
      await page.keyboard.press("Tab");
      expect(await focusedId(page)).toBe("import-scope");
      await page.keyboard.type("The rules");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await messageWith(page, "Imported: 2 tickers");
      expect(linesAsked(chat.commands)).toEqual(["import scope:channel"]);
      expect(chat.commands.asked[0]?.call.destination.kind).toBe("channel");
      expect(await filesAsked(chat.commands)).toEqual([{ kind: "text", name: "pasted text", text: "ACME, GLOBX/" }]);
    });

    it("that is empty or too large is not sent, with an explanation", async () => {
      const chat = await browser.startChat({ commands: commands() });
      const { page } = await browser.visit(chat);
      await send(page, "import");
      await submit(page).click();
      await page.getByText("Pick a file, or paste a list.").waitFor();
      const file = { name: "list.csv", mimeType: "text/csv", buffer: Buffer.alloc(1024 * 1024 + 1, "A") };
      await page.getByLabel("An exported file").setInputFiles(file);
      await submit(page).click();
      await page.getByText("The file or text is larger than 1 MB.").waitFor();
      await page.keyboard.press("Escape");
      expect(await page.locator("dialog[open]").count()).toBe(0);
      expect(chat.commands.asked).toEqual([]);
    });

    it.each(SCREENS)("is readable and operable on %s", async (_, options) => {
      const chat = await browser.startChat({ commands: commands() });
      const { page } = await browser.visit(chat, options);
      await send(page, "import");
      await submit(page).waitFor();
      await page.evaluate("Promise.all(document.getAnimations().map((animation) => animation.finished))");
      expect(await page.evaluate<readonly string[]>(audit)).toEqual([]);
    });
  });

  describe("an export", () => {
    it("is downloaded unchanged", async () => {
      const chat = await browser.startChat({ commands: commands() });
      const { page } = await browser.visit(chat);
      await send(page, "export");
      await messageWith(page, "Yours, to take along");
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: "Download splitwatch.json" }).click(),
      ]);
      expect(download.suggestedFilename()).toBe("splitwatch.json");
      expect(readFileSync(await download.path(), "utf8")).toBe('{\n  "splitwatch": 1\n}\n');
    });
  });
}
