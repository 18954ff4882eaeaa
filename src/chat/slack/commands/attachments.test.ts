import { describe, expect, it } from "vitest";
import { recordedLog } from "../../../../test/support/recorded-log.ts";
import { type CardFile, card } from "../../../messages/message.ts";
import { LIMITS } from "../block-kit/blocks.ts";
import { jsonLength } from "../block-kit/card.ts";
import { type DeliveredFiles, deliverFiles } from "./attachments.ts";

function deliverText(text: string, sendFile: (file: CardFile) => Promise<void>): Promise<DeliveredFiles> {
  const file: CardFile = { name: "splitwatch.json", mediaType: "application/json", text, path: null };
  return deliverFiles([card({ title: "Yours", files: [file] })], { sendFile, log: recordedLog() });
}

const refuse = (): Promise<void> => Promise.reject(new Error("missing_scope"));

/** Text of the code blocks as a user copies it. */
function copiedText({ texts }: DeliveredFiles): string {
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
    const delivered = await deliverText("{}", async ({ name }) => void sentFiles.push(name));
    expect(sentFiles).toEqual(["splitwatch.json"]);
    expect(delivered.cards[0]?.lines).toEqual(["The file is in your direct messages with splitwatch."]);
    expect(delivered.texts).toEqual([]);
  });

  it("is shown as text if it can't be sent", async () => {
    const delivered = await deliverText('{"a": "<&>"}\n', refuse);
    expect(delivered.cards[0]?.lines.join()).toContain("files:write");
    expect(delivered.texts).toEqual([
      {
        text: "splitwatch.json",
        blocks: [
          { type: "section", text: { type: "mrkdwn", verbatim: true, text: '```\n{"a": "&lt;&amp;&gt;"}\n```' } },
        ],
      },
    ]);
  });

  it("that is long is shown in parts that contain the whole text", async () => {
    const names = Array.from({ length: 1_500 }, (_, index) => `A${index.toString(36).toUpperCase()}`);
    const text = `${names.map((name) => `"${name}"`).join(",\n")}\n${JSON.stringify(names)}`;
    const delivered = await deliverText(text, refuse);
    expect(delivered.texts).toHaveLength(3);
    for (const { blocks } of delivered.texts) {
      expect(jsonLength(blocks)).toBeLessThan(LIMITS.json);
      for (const block of blocks)
        expect("text" in block ? block.text.text.length : 0).toBeLessThanOrEqual(LIMITS.section);
    }
    expect(copiedText(delivered).replace(/\s/g, "") === text.replace(/\s/g, "")).toBe(true);
  });

  it("that is far too long is truncated with a note", async () => {
    const delivered = await deliverText("ACME,\n".repeat(20_000), refuse);
    expect(delivered.texts).toHaveLength(3);
    expect(copiedText(delivered)).toContain("The rest doesn't fit here.");
  });

  it("that splitwatch serves over HTTP is linked", async () => {
    const file: CardFile = { name: "all.ics", mediaType: "text/calendar", text: "", path: "/calendar/all.ics" };
    const cards = [card({ title: "Calendar", files: [file] })];
    expect(await deliverFiles(cards, { sendFile: refuse, log: recordedLog() })).toEqual({ cards, texts: [] });
  });
});
