import { describe, expect, it } from "vitest";
import { recordedLog } from "../../../../test/support/recorded-log.ts";
import { type Card, type CardFile, card } from "../../../messages/message.ts";
import type { SlackAnswer } from "../alerts/render.ts";
import { LIMITS } from "../block-kit/blocks.ts";
import { jsonLength } from "../block-kit/card.ts";
import { CallError, type CallFailure } from "../web-api.ts";
import { renderDelivered } from "./answer.ts";
import { type DeliveredFiles, deliverFiles, fileMessages } from "./attachments.ts";

const MISSING_SCOPE: CallFailure = { kind: "refused", code: "missing_scope", needed: "files:write" };

function fail(failure: CallFailure): () => Promise<void> {
  return () => Promise.reject(new CallError("files.getUploadURLExternal", failure, null));
}

function deliver(files: readonly CardFile[], sendFiles: () => Promise<void>): Promise<DeliveredFiles> {
  return deliverFiles([card({ title: "Yours", files })], { sendFiles, log: recordedLog() });
}

function exportedFile(text: string): CardFile {
  return { name: "splitwatch.json", mediaType: "application/json", text, path: null };
}

function calendarFile(name: string): CardFile {
  return { name, mediaType: "text/calendar", text: "BEGIN:VCALENDAR", path: `/calendar/${name}` };
}

/** Text of the code blocks as a user copies it. */
function copiedText(texts: readonly SlackAnswer[]): string {
  const blocks = texts.flatMap((message) =>
    message.blocks.flatMap((block) => ("text" in block ? [block.text.text] : [])),
  );
  return blocks
    .map((text) => text.replace(/^```\n|\n```$/g, ""))
    .join("\n")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

describe("a file in an answer on Slack", () => {
  it("is sent to the caller, with a note about where to find it", async () => {
    const sentFiles: unknown[] = [];
    const parts = { sendFiles: async (files: unknown) => void sentFiles.push(files), log: recordedLog() };
    const files = [calendarFile("all.ics"), calendarFile("own.ics")];
    const one = await deliverFiles([card({ title: "Yours", files: [exportedFile("{}")] })], parts);
    const two = await deliverFiles([card({ title: "Calendar", files })], parts);
    expect(sentFiles).toEqual([[exportedFile("{}")], files]);
    expect(one.cards).toEqual([
      card({ title: "Yours", lines: ["The file is in your direct messages with splitwatch."] }),
    ]);
    expect(two.cards[0]?.lines).toEqual(["The files are in your direct messages with splitwatch."]);
    expect([...one.unsent, ...two.unsent]).toEqual([]);
  });

  it("is shown as text if it can't be sent", async () => {
    const { cards, unsent } = await deliver([exportedFile('{"a": "<&>"}\n')], fail(MISSING_SCOPE));
    expect(cards[0]?.lines).toEqual([
      "splitwatch couldn't send the file. To receive files, ask an admin to add the scope files:write. The text follows.",
    ]);
    expect(unsent.flatMap((file) => fileMessages(file, 3))).toEqual([
      {
        text: "splitwatch.json",
        blocks: [
          { type: "section", text: { type: "mrkdwn", verbatim: true, text: '```\n{"a": "&lt;&amp;&gt;"}\n```' } },
        ],
      },
    ]);
  });

  it("that the web page has too is not shown as text", async () => {
    const { cards, unsent } = await deliver([calendarFile("all.ics")], fail(MISSING_SCOPE));
    expect(cards[0]?.lines.join()).toContain("A file with all ex dates is also on the splitwatch web page.");
    expect(unsent).toEqual([]);
  });

  it.each<[CallFailure, string]>([
    [{ ...MISSING_SCOPE, needed: "im:write" }, "ask an admin to add the scope im:write."],
    [
      { kind: "refused", code: "file_type_not_allowed", needed: null },
      "Slack refused the upload (file_type_not_allowed).",
    ],
    [{ kind: "rate-limited", retryAfterMs: 1_000 }, "Slack is limiting requests."],
    [{ kind: "unreachable", detail: "no connection" }, "Slack can't be reached."],
    [{ kind: "unknown", detail: "the request timed out" }, "Check your direct messages before you try again."],
  ])("that can't be sent has a note with the cause: %o", async (failure, text) => {
    const { cards } = await deliver([calendarFile("all.ics")], fail(failure));
    expect(cards[0]?.lines.join()).toContain(text);
    expect(cards[0]?.lines.join().includes("scope")).toBe(
      failure.kind === "refused" && failure.code === "missing_scope",
    );
  });

  it("that is long is shown in parts that contain the whole text", () => {
    const names = Array.from({ length: 1_500 }, (_, index) => `A${index.toString(36).toUpperCase()}`);
    const text = `${names.map((name) => `"${name}"`).join(",\n")}\n${JSON.stringify(names)}`;
    const texts = fileMessages(exportedFile(text), 5);
    expect(texts).toHaveLength(3);
    for (const { blocks } of texts) {
      expect(jsonLength(blocks)).toBeLessThan(LIMITS.json);
      for (const block of blocks)
        expect("text" in block ? block.text.text.length : 0).toBeLessThanOrEqual(LIMITS.section);
    }
    expect(copiedText(texts).replace(/\s/g, "") === text.replace(/\s/g, "")).toBe(true);
  });

  it("that is far too long is truncated with a note", () => {
    const texts = fileMessages(exportedFile("ACME,\n".repeat(20_000)), 5);
    expect(texts).toHaveLength(3);
    expect(copiedText(texts)).toContain("The rest doesn't fit here.");
  });

  it.each([1, 40])("has at most five messages together with %i cards, and states what is left out", (cardCount) => {
    const rows = Array.from({ length: 40 }, (_, index) => ({ title: `Row ${index}`, detail: "x".repeat(200) }));
    const cards: Card[] = Array.from({ length: cardCount }, (_, index) => card({ title: `Card ${index}`, rows }));
    const unsent = [exportedFile("ACME,\n".repeat(20_000))];
    const messages = renderDelivered({ cards, unsent }, null);
    expect(messages.length).toBeLessThanOrEqual(5);
    expect(messages.length).toBeGreaterThanOrEqual(4);
    expect(JSON.stringify(messages).includes("more don't fit here, starting with")).toBe(cardCount > 1);
    expect(JSON.stringify(messages.at(-1))).toContain("The rest doesn't fit here.");
  });
});
