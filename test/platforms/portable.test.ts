import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Card, CommandAnswer } from "../../src/chat/web/page/protocol.ts";
import { storedPartsNaming } from "../support/store-under-test.ts";
import { type BothPlatforms, openBothPlatforms } from "./both-platforms.ts";
import { textOf } from "./discord/model.ts";
import type { FakeDiscord } from "./discord/server.ts";
import type { Traders } from "./discord/traders.ts";
import type { SlackBench } from "./slack/bench.ts";
import { ACME, BRAVO, MONDAY } from "./slack/rows.ts";
import { shownText } from "./slack/users/message-text.ts";

/** One app on Slack, Discord and the web page. */
let both: BothPlatforms;
let discord: FakeDiscord;
let bench: SlackBench;
let onDiscord: Traders;

beforeEach(async () => {
  both = await openBothPlatforms({ now: MONDAY, splits: [BRAVO] });
  ({ discord, bench, onDiscord } = both);
});

afterEach(() => both.close());

/** Imports a file as the page does. */
async function importOnWeb(name: string, content: string | Buffer): Promise<readonly Card[]> {
  const response = await fetch(`${bench.address}/api/command`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      name,
      direct: true,
      line: "import",
      file: { name: "list.json", base64: Buffer.from(content).toString("base64") },
    }),
  });
  return ((await response.json()) as CommandAnswer).cards;
}

async function pressOnWeb(name: string, cards: readonly Card[], label: string): Promise<readonly Card[]> {
  const button = cards.flatMap(({ buttons }) => buttons).find((one) => one.label === label);
  if (!button) throw new Error(`no button ${label}: ${JSON.stringify(cards)}`);
  return bench.onWeb(name, button.command);
}

/** Text of the last file that was sent to Discord. */
function fileFromDiscord(): string {
  const [file] = discord.requests.findLast(({ files }) => files.length > 0)?.files ?? [];
  return file?.bytes.toString("utf8") ?? "";
}

function partsNaming(word: string): Promise<readonly string[]> {
  return storedPartsNaming(word, bench.dataDir);
}

describe("a watchlist and rules", () => {
  it("are exported and imported from Discord to the web page, to Slack and back to Discord, as files and as text", async () => {
    const { ada } = onDiscord;
    await ada.slash("/splits watch", { tickers: "ACME BRK.B GLOBX" }, "dm");
    await ada.slash("/splits subscribe", { exchange: "NASDAQ", minratio: "20" }, "dm");
    await ada.slash("/splits export", {}, "dm");
    const file = fileFromDiscord();

    const [onWeb] = await importOnWeb("carol", file);
    expect(onWeb?.title).toBe("Imported from list.json: 3 tickers and 1 rule");
    const exported = await bench.onWeb("carol", "export");
    expect(exported[0]?.files).toEqual([{ name: "splitwatch.json", mediaType: "application/json", text: file }]);

    const bob = bench.slack.user("bob");
    const typed = file.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    const [shown] = (await bob.slash(`import ${typed}`)).messages;
    expect(shown && shownText(shown)).toContain("Imported from your text: 3 tickers and 1 rule");
    await bob.slash("export");
    const sent = bench.slack.uploads.find(({ filename }) => filename === "splitwatch.json");
    expect(sent?.bytes?.toString("utf8")).toBe(file);
    expect(sent?.channel).toBe("directmessage");

    const { bird } = onDiscord;
    const attached = discord.addFile("splitwatch.json", file);
    const imported = await bird.slash("/splits import", { file: attached }, "dm");
    expect(imported.text).toContain("Imported from splitwatch.json: 3 tickers and 1 rule");
    await bird.slash("/splits export", {}, "dm");
    expect(fileFromDiscord()).toBe(file);
    const undone = await bird.press(imported.message, "Undo", "dm");
    expect(undone.text).toContain("Import undone: ");
    expect(undone.message.id).toBe(imported.message.id);
    expect((await bird.slash("/splits watchlist", {}, "dm")).text).toContain("Your watchlist is empty");
  });

  it("are undone after a restart, by the person who imported them, on each platform", async () => {
    const { bird } = onDiscord;
    const bob = bench.slack.user("bob");
    const onWeb = await bench.onWeb("carol", "import ACME, GLOBX");
    const imported = await bird.slash("/splits import", { text: "ACME, GLOBX" }, onDiscord.alerts);
    const [shown] = (await bob.slash("import ACME, GLOBX", { channel: "general" })).messages;
    if (!shown) throw new Error("no answer");
    await bench.restart();
    await bench.until("Discord is connected again", () => discord.gateway.connected > 0);

    expect((await pressOnWeb("carol", onWeb, "Undo"))[0]?.title).toBe("Import undone: 2 tickers");
    expect((await bird.press(imported.message, "Undo", onDiscord.alerts)).text).toContain("Import undone: 2 tickers");
    const [undone] = (await bob.press(shown, "Undo")).messages;
    expect(undone && shownText(undone)).toContain("Import undone: 2 tickers");
    const later = await bird.slash("/splits import", { text: "ACME" }, onDiscord.alerts);
    const other = await onDiscord.ada.press(later.message, "Undo", onDiscord.alerts);
    expect(other.text).toContain("can't be undone anymore");
  });

  it("in an invalid file are refused with one line, on Discord and on the page", async () => {
    const zip = Buffer.from("PK\u0003\u0004 a spreadsheet");
    const { ada } = onDiscord;
    const said = await ada.slash("/splits import", { file: discord.addFile("list.xlsx", zip) }, "dm");
    expect(said.text).toContain("Got a zip archive or a spreadsheet");
    expect((await importOnWeb("carol", zip))[0]?.lines[0]).toContain("Got a zip archive or a spreadsheet");
    const foreign = { filename: "list.txt", size: 4, url: "https://files.example.com/list.txt" };
    expect((await ada.slash("/splits import", { file: foreign }, "dm")).text).toContain(
      "its address doesn't belong to Discord",
    );
    const long = Array.from({ length: 10_001 }, (_, index) => `A${index.toString(36)}`).join("\n");
    expect((await ada.slash("/splits import", { file: discord.addFile("a.txt", long) }, "dm")).text).toContain(
      "10,001",
    );
    const whole = long.slice(0, long.lastIndexOf("\n"));
    const read = await ada.slash("/splits import", { file: discord.addFile("a.txt", whole) }, "dm");
    expect(read.text).toContain("500 tickers");
    expect(Math.max(...discord.acknowledgedMs)).toBeLessThan(2_500);
  });

  it("are shown as text on Slack if the app is not allowed to send files", async () => {
    const bob = bench.slack.user("bob");
    await bob.slash("watch ACME GLOBX");
    bench.slack.faults.add({ method: "files.getUploadURLExternal", effect: { kind: "error", code: "missing_scope" } });
    const { messages } = await bob.slash("export");
    await bench.until("the text is posted", () =>
      bob.visibleMessages().some((message) => shownText(message).includes('"GLOBX"')),
    );
    expect(messages.map(shownText).join("\n")).toContain(
      "To receive files, ask an admin to add the scope files:write.",
    );
  });
});

describe("forget", () => {
  it("on the web page deletes all data of the person from the whole state", async () => {
    await bench.onWeb("quillon", "watch ACME");
    await bench.onWeb("quillon", "subscribe");
    await bench.onWeb("quillon", "subscribe", "traders");
    await bench.onWeb("quillon", "test", "traders");
    await bench.onWeb("quillon", "test");
    await bench.onWeb("quillon", "settings reminders:off");
    await bench.onWeb("quillon", "calendar");
    await bench.onWeb("quillon", "import GLOBX");
    await share("quillon", "list", "traders");
    await bench.list(BRAVO, ACME);
    expect(await partsNaming("quillon")).not.toEqual([]);

    await pressOnWeb("quillon", await bench.onWeb("quillon", "forget"), "Delete it all");
    expect(await partsNaming("quillon")).toEqual([]);
    expect(await bench.cardsOnWeb("traders")).toMatchObject([
      { badges: ["TEST"] },
      {},
      { title: expect.stringContaining("ACME") },
    ]);
    await bench.restart();
    expect(await partsNaming("quillon")).toEqual([]);
  });

  it("on Discord deletes all data of the person from the whole state, and stops their alerts", async () => {
    const { bird, alerts, ada } = onDiscord;
    await ada.slash("/splits subscribe", {}, alerts);
    await bird.slash("/splits watch", { tickers: "ACME" }, "dm");
    await bird.slash("/splits test", {}, "dm");
    await ada.slash("/splits watch", { tickers: "ACME" }, "dm");
    expect(await partsNaming(bird.id)).not.toEqual([]);
    const asked = await bird.slash("/splits forget", {}, "dm");
    expect((await bird.press(asked.message, "Delete it all", "dm")).text).toContain("was deleted");
    expect(await partsNaming(bird.id)).toEqual([]);

    await bench.list(BRAVO, ACME);
    expect(discord.messages(ada.direct).map(textOf).join()).toContain("ACME");
    expect(discord.messages(bird.direct).map(textOf).join()).not.toContain("1-for-20");
    expect(await partsNaming(bird.id)).toEqual([]);
  });

  it("on Slack deletes all data of the person from the whole state, including mentions in channels' rules", async () => {
    const bob = bench.slack.user("bob");
    await bob.slash("watch ACME");
    await bob.slash("subscribe mention:me", { channel: "general" });
    await bob.slash("test", { channel: "general" });
    await bob.slash("test");
    await bench.list(BRAVO, ACME);
    expect(await partsNaming(bob.id)).not.toEqual([]);
    const [asked] = (await bob.slash("forget")).messages;
    if (!asked) throw new Error("no question");
    await bob.press(asked, "Delete it all");
    expect(await partsNaming(bob.id)).toEqual([]);
    const [rules] = (await bench.slack.user("ada").slash("subscriptions", { channel: "general" })).messages;
    expect(rules && shownText(rules)).toContain("has 1 rule");
  });
});

async function share(name: string, line: string, channel: string): Promise<void> {
  const response = await fetch(`${bench.address}/api/share`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name, line, channel }),
  });
  expect(response.status).toBe(201);
}
