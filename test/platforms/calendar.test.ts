import ICAL from "ical.js";
import { afterEach, describe, expect, it } from "vitest";
import type { Card } from "../../src/chat/web/page/protocol.ts";
import { textsIn } from "../support/svg.ts";
import { type BothPlatforms, openBothPlatforms } from "./both-platforms.ts";
import { objectsIn, textOf } from "./discord/model.ts";
import type { FakeDiscord } from "./discord/server.ts";
import type { Traders } from "./discord/traders.ts";
import type { SlackBench } from "./slack/bench.ts";
import { ACME, ACME_LATER, ACME_RELEASE, BRAVO, MONDAY } from "./slack/rows.ts";
import { buttonsOn, shownText } from "./slack/users/message-text.ts";

const PUBLIC_URL = "https://splits.example";
const TOKEN = /\/calendar\/([0-9a-f]{40})\.ics/;

let both: BothPlatforms;
let discord: FakeDiscord;
let bench: SlackBench;
let onDiscord: Traders;

/** Starts one app on Slack, Discord and the web page. */
async function open(env: Readonly<Record<string, string>> = {}): Promise<void> {
  both = await openBothPlatforms({ now: MONDAY, splits: [ACME, BRAVO], articles: [ACME_RELEASE], env });
  ({ discord, bench, onDiscord } = both);
}

afterEach(() => both.close());

/** Tickers in a calendar file, read by an independent parser. */
async function tickersAt(path: string): Promise<readonly string[]> {
  const calendar = new ICAL.Component(ICAL.parse(await (await fetch(bench.address + path)).text()) as unknown[]);
  const summaries = calendar.getAllSubcomponents("vevent").map((event) => event.getFirstPropertyValue("summary"));
  return summaries.map((summary) => String(summary).split(" ")[0] ?? "").toSorted();
}

function ownPath(cards: readonly Card[]): string {
  const path = TOKEN.exec(JSON.stringify(cards))?.[0];
  if (path === undefined) throw new Error("no private address on the card");
  return path;
}

function isPng(bytes: Buffer | undefined): boolean {
  return bytes?.subarray(1, 4).toString("ascii") === "PNG";
}

describe("a calendar address", () => {
  it("serves all splits, or the current watchlist of a person until the address is revoked", async () => {
    await open({ PUBLIC_URL });
    await bench.onWeb("ada", "watch ACME");
    const path = ownPath(await bench.onWeb("ada", "calendar"));
    expect(await tickersAt("/calendar/all.ics")).toEqual(["ACME", "BRVO"]);
    expect(await tickersAt(path)).toEqual(["ACME"]);
    await bench.onWeb("ada", "watch BRVO");
    expect(await tickersAt(path)).toEqual(["ACME", "BRVO"]);

    await bench.onWeb("ada", "calendar address:renew sure:yes");
    const renewed = ownPath(await bench.onWeb("ada", "calendar"));
    expect(renewed).not.toBe(path);
    expect((await fetch(bench.address + path)).status).toBe(404);
    expect((await fetch(bench.address + renewed)).status).toBe(200);
    await bench.restart();
    expect((await fetch(bench.address + path)).status).toBe(404);
    expect((await fetch(bench.address + renewed)).status).toBe(200);
    expect(bench.log.text()).not.toMatch(TOKEN);
    expect(bench.log.text()).not.toContain(TOKEN.exec(renewed)?.[1]);
  });

  it("keeps a split's UID and increments SEQUENCE when its ex date changes", async () => {
    await open();
    const eventOf = async (): Promise<ICAL.Component> => {
      const file = await (await fetch(`${bench.address}/calendar/all.ics`)).text();
      const events = new ICAL.Component(ICAL.parse(file) as unknown[]).getAllSubcomponents("vevent");
      const found = events.find((event) => String(event.getFirstPropertyValue("summary")).startsWith("ACME"));
      if (!found) throw new Error("no event for ACME");
      return found;
    };
    const etag = async (): Promise<string | null> =>
      (await fetch(`${bench.address}/calendar/all.ics`)).headers.get("etag");
    const [before, tag] = [await eventOf(), await etag()];
    await bench.poll();
    expect(await etag()).toBe(tag);
    await bench.list(ACME_LATER, BRAVO);
    const after = await eventOf();
    expect(after.getFirstPropertyValue("uid")).toBe(before.getFirstPropertyValue("uid"));
    expect(String(after.getFirstPropertyValue("dtstart"))).toBe(String(ACME_LATER.ex_date));
    expect(Number(after.getFirstPropertyValue("sequence"))).toBeGreaterThan(
      Number(before.getFirstPropertyValue("sequence")),
    );
    expect(await etag()).not.toBe(tag);
  });

  it("is served without the token that protects the page", async () => {
    await open({ ADMIN_TOKEN: "open-sesame-open-sesame" });
    for (const file of ["all.ics", "upcoming.svg", "upcoming.png"])
      expect((await fetch(`${bench.address}/calendar/${file}`)).status).toBe(200);
    expect((await fetch(`${bench.address}/api/overview`)).status).toBe(401);
    expect(textsIn(await (await fetch(`${bench.address}/calendar/upcoming.svg`)).text())).toContain("ACME");
  });
});

describe("the calendar on Discord", () => {
  it("has its picture, and its files if there is no public address", async () => {
    await open();
    await onDiscord.ada.slash("/splits watch", { tickers: "BRVO" }, onDiscord.alerts);
    const answer = await onDiscord.ada.slash("/splits calendar", {}, onDiscord.alerts);
    const sent = discord.requests.find(({ files }) => files.length > 0);
    expect(sent?.files.map(({ name, type }) => [name, type])).toEqual([
      ["upcoming-splits.png", "image/png"],
      ["reverse-splits.ics", "text/calendar"],
      ["my-watchlist.ics", "text/calendar"],
    ]);
    expect(isPng(sent?.files[0]?.bytes)).toBe(true);
    expect(sent?.files[2]?.bytes.toString("utf8")).toContain("SUMMARY:BRVO");
    expect(sent?.files[2]?.bytes.toString("utf8")).not.toContain("SUMMARY:ACME");
    expect(answer.message.embeds[0]?.image).toEqual({ url: "attachment://upcoming-splits.png" });
    expect(answer.ephemeral).toBe(true);
  });

  it("is shared with the picture and without private data", async () => {
    await open({ PUBLIC_URL });
    const answer = await onDiscord.ada.slash("/splits calendar", {}, onDiscord.alerts);
    expect(answer.text).toMatch(TOKEN);
    expect(answer.text).toContain(`<${PUBLIC_URL}/calendar/all.ics>`);
    const shared = await onDiscord.ada.press(answer.message, "Share", onDiscord.alerts);
    expect(shared.ephemeral).toBe(false);
    expect(textOf(shared.message)).toContain("ACME");
    expect(textOf(shared.message)).not.toMatch(TOKEN);
    expect(discord.requests.filter(({ files }) => isPng(files[0]?.bytes))).toHaveLength(2);
  });

  it("loses its files when another answer replaces it", async () => {
    await open({ PUBLIC_URL });
    const answer = await onDiscord.ada.slash("/splits calendar", {}, onDiscord.alerts);
    await onDiscord.ada.press(answer.message, "Turn off private address", onDiscord.alerts);
    const update = discord.requests.map(({ body }) => objectsIn([body])[0]).find((body) => body?.type === 7);
    expect(objectsIn([update?.data])[0]?.attachments).toEqual([]);
    expect(textOf(answer.message)).toContain("Turn off your calendar address?");
    const done = await onDiscord.ada.press(answer.message, "Yes, turn it off", onDiscord.alerts);
    expect(done.text).toContain("is turned off");
  });
});

describe("the calendar on Slack", () => {
  it("shows the picture by its public URL, and only text if Slack can't fetch it", async () => {
    await open({ PUBLIC_URL });
    const ada = bench.slack.user("ada");
    const [first] = (await ada.slash("calendar", { channel: "general" })).messages;
    const picture = first?.blocks.find(({ type }) => type === "image");
    expect(picture?.image_url).toMatch(/^https:\/\/splits\.example\/calendar\/upcoming\.png\?at=\d+$/);
    expect(picture?.alt_text).toContain("ACME");

    bench.slack.responseUrls.fetchesPictures = false;
    const [second] = (await ada.slash("calendar", { channel: "general" })).messages;
    expect(second?.blocks.some(({ type }) => type === "image")).toBe(false);
    expect(second && shownText(second)).toContain("ACME 1-for-20 on Nasdaq");
  });

  it("sends its files to the caller's direct messages if it has no public address, once per answer", async () => {
    await open();
    const ada = bench.slack.user("ada");
    await ada.slash("watch BRVO");
    const [message] = (await ada.slash("calendar", { channel: "general" })).messages;
    expect(message && shownText(message)).toContain("The files are in your direct messages with splitwatch.");
    expect(message?.blocks.some(({ type }) => type === "image")).toBe(false);
    const [all, own, ...others] = bench.slack.uploads;
    expect([all, own].map((file) => [file?.filename, file?.channel])).toEqual([
      ["reverse-splits.ics", "directmessage"],
      ["my-watchlist.ics", "directmessage"],
    ]);
    expect(others).toEqual([]);
    expect(all?.bytes?.toString("utf8")).toContain("SUMMARY:ACME");
    expect(own?.bytes?.toString("utf8")).toContain("SUMMARY:BRVO");
    expect(own?.bytes?.toString("utf8")).not.toContain("SUMMARY:ACME");
  });

  it("states why it can't send its files", async () => {
    await open();
    bench.slack.scopes.delete("files:write");
    const [message] = (await bench.slack.user("ada").slash("calendar", { channel: "general" })).messages;
    expect(message && shownText(message)).toContain("To receive files, ask an admin to add the scope files:write.");
    expect(message && shownText(message)).toContain("A file with all ex dates is also on the splitwatch web page");
    expect(bench.slack.uploads).toEqual([]);
  });

  it("is shared with the picture uploaded into the channel", async () => {
    await open();
    const ada = bench.slack.user("ada");
    const [message] = (await ada.slash("calendar", { channel: "general" })).messages;
    if (!message) throw new Error("no answer");
    expect(buttonsOn(message).map(({ label }) => label)).toContain("Share with the channel");
    await ada.press(message, "Share with the channel");
    await bench.until("the picture is posted", () => bench.slack.uploads.some(({ channel }) => channel === "general"));
    const [upload, ...others] = bench.slack.uploads.filter(({ channel }) => channel === "general");
    expect(others).toEqual([]);
    expect([upload?.filename, isPng(upload?.bytes ?? undefined)]).toEqual(["upcoming-splits.png", true]);
    expect(upload?.alt).toContain("ACME");
    const shared = bench.slack.messages("general").map(shownText).join("\n");
    expect(shared).toContain("ACME 1-for-20 on Nasdaq");
    expect(shared).toContain("Shared by ada");
    expect(shared).toContain("To get the calendar file in your direct messages, run /splits calendar.");
  });

  it.each([
    ["the scope is missing", () => void bench.slack.scopes.delete("files:write")],
    [
      "splitwatch is not in the channel",
      () => void Object.assign(bench.slack.channel("general"), { botIsMember: false }),
    ],
  ])("is shared as text if %s", async (_, disturb) => {
    await open();
    const ada = bench.slack.user("ada");
    const [message] = (await ada.slash("calendar", { channel: "general" })).messages;
    if (!message) throw new Error("no answer");
    disturb();
    await ada.press(message, "Share with the channel");
    await bench.until("the upload has failed", () => bench.log.count("slack picture upload failed") === 1);
    expect(bench.slack.messages("general").map(shownText).join("\n")).toContain("ACME 1-for-20 on Nasdaq");
    expect(bench.slack.uploads.filter(({ channel }) => channel === "general")).toEqual([]);
  });
});
