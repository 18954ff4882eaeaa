import { XMLValidator } from "fast-xml-parser";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/app.ts";
import { aRecord, day, exchange, ticker } from "../../../test/support/builders.ts";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { type RecordedLog, recordedLog } from "../../../test/support/recorded-log.ts";
import { createXmlParser } from "../../../test/support/xml.ts";
import { type Announced, type EventId, NO_EVIDENCE } from "../../domain/alert/event.ts";
import type { SplitId } from "../../domain/split/split.ts";
import { eventCard } from "../../messages/alerts/event-card.ts";
import type { Card } from "../../messages/message.ts";
import { SILENT_LOG } from "../../ports/log.ts";
import { type Store, StoreError } from "../../ports/store.ts";
import { configuredStore } from "../../store/index.ts";
import { type AlertPayload, alertPayload } from "../alert-payload.ts";
import { createFeedPlatform, type FeedPlatform } from "./platform.ts";
import { ALERTS } from "./settings.ts";

const PUBLIC_URL = "https://splits.example";
const FORMATS = ["atom", "rss", "json"] as const;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let clock: ManualClock;
let store: Store;
let platform: FeedPlatform;
/** Number of times that the postings were read. */
let reads: number;
let failure: StoreError | null;
let log: RecordedLog;

beforeEach(async () => {
  folder = await temporaryFolder();
  clock = new ManualClock();
  store = await configuredStore({ dataDir: folder.path }).open({ clock, log: SILENT_LOG });
  failure = null;
  log = recordedLog();
  begin();
});

afterEach(async () => {
  await platform.stop();
  await store.close();
  await folder.remove();
});

function begin(): void {
  reads = 0;
  const { postings } = store;
  const counted: Store["postings"] = {
    post: (posting) => postings.post(posting),
    find: (id) => postings.find(id),
    count: (...given) => postings.count(...given),
    onPosted: (listener) => postings.onPosted(listener),
    list: (request) => {
      reads += 1;
      return failure === null ? postings.list(request) : Promise.reject(failure);
    },
  };
  platform = createFeedPlatform({ store: { postings: counted }, clock, log, publicUrl: PUBLIC_URL });
}

function announced(name: string, parts: Partial<Parameters<typeof aRecord>[0]> = {}): Announced {
  const record = aRecord({ ticker: name, ...parts });
  const base = { id: `${name}.1` as EventId, at: clock.now(), sample: false, splitId: name as SplitId, record };
  return { ...base, ...NO_EVIDENCE, kind: "announced", alreadyEffective: false };
}

function payloadOf(event: Announced, changes: Partial<Card> = {}): AlertPayload {
  const context = { now: event.at, today: day("2026-03-02"), timezone: "America/New_York", expireAfterMs: 86_400_000 };
  return alertPayload(event, { ...eventCard(event, context), ...changes });
}

/** Stores an alert as a delivery does. */
function publish(event: Announced, changes: Partial<Card> = {}): Promise<void> {
  return post(event.id, { alerts: [payloadOf(event, changes)] });
}

async function post(messageId: string, body: unknown): Promise<void> {
  await store.postings.post({ to: ALERTS, messageId, replyTo: null, body, at: clock.now() });
  clock.skip(1_000);
}

function get(path: string, headers: Readonly<Record<string, string>> = {}, method = "GET"): Promise<Response> {
  return Promise.resolve(platform.routes.request(`${PUBLIC_URL}/feeds/${path}`, { headers, method }));
}

/** What a reader sees of an entry, in any format. */
interface ReadEntry {
  readonly id: string;
  readonly title: string;
  readonly html: string;
  readonly link: string | undefined;
  readonly at: number;
  readonly tags: readonly string[];
}

interface ReadFeed {
  readonly title: string;
  readonly self: string;
  readonly entries: readonly ReadEntry[];
}

const parser = createXmlParser(["entry", "item", "link", "category"]);

type Xml = Readonly<Record<string, unknown>>;

function parseXml(text: string): Xml {
  expect(XMLValidator.validate(text)).toBe(true);
  // XML 1.0 forbids these characters.
  expect(text).not.toMatch(/(?![\t\n\r])\p{Cc}|[\uFFFE\uFFFF]/u);
  return parser.parse(text) as Xml;
}

/** Text of an element with or without attributes. */
function textOf(element: unknown): string {
  if (typeof element === "string") return element;
  return (element as { readonly "#text"?: string } | undefined)?.["#text"] ?? "";
}

function linkOf(links: unknown, rel: string): string | undefined {
  return (links as readonly Xml[] | undefined)?.find((link) => link["@_rel"] === rel)?.["@_href"] as string | undefined;
}

/** Reads an Atom document; fails without an element that RFC 4287 requires. */
function readAtom(text: string): ReadFeed {
  const { feed } = parseXml(text) as { readonly feed: Xml };
  expect(feed["@_xmlns"]).toBe("http://www.w3.org/2005/Atom");
  for (const name of ["id", "title", "updated"]) expect(textOf(feed[name])).not.toBe("");
  expect((feed.author as Xml).name).toBe("splitwatch");
  expect(textOf(feed.updated)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
  const entries = ((feed.entry ?? []) as readonly Xml[]).map((entry) => {
    for (const name of ["id", "title", "updated"]) expect(textOf(entry[name])).not.toBe("");
    expect((entry.content as Xml)["@_type"]).toBe("html");
    return {
      id: textOf(entry.id),
      title: textOf(entry.title),
      html: textOf(entry.content),
      link: linkOf(entry.link, "alternate"),
      at: Date.parse(textOf(entry.updated)),
      tags: (entry.category as readonly Xml[]).map((category) => String(category["@_term"])),
    };
  });
  return { title: textOf(feed.title), self: linkOf(feed.link, "self") ?? "", entries };
}

function readRss(text: string): ReadFeed {
  const { rss } = parseXml(text) as { readonly rss: Xml };
  expect(rss["@_version"]).toBe("2.0");
  const channel = rss.channel as Xml;
  for (const name of ["title", "description"]) expect(textOf(channel[name])).not.toBe("");
  expect(channel.link).toEqual([`${PUBLIC_URL}/`]);
  const entries = ((channel.item ?? []) as readonly Xml[]).map((item) => {
    expect((item.guid as Xml)["@_isPermaLink"]).toBe("false");
    return {
      id: textOf(item.guid),
      title: textOf(item.title),
      html: textOf(item.description),
      link: (item.link as readonly string[] | undefined)?.[0],
      at: Date.parse(textOf(item.pubDate)),
      tags: (item.category as readonly unknown[]).map(textOf),
    };
  });
  const [self] = [channel["atom:link"]].flat() as readonly Xml[];
  return { title: textOf(channel.title), self: String(self?.["@_href"]), entries };
}

/** Reads a JSON Feed; fails without a field that version 1.1 requires. */
function readJson(text: string): ReadFeed {
  const feed = JSON.parse(text) as Readonly<Record<string, unknown>>;
  expect(feed.version).toBe("https://jsonfeed.org/version/1.1");
  expect([feed.title, feed.home_page_url, feed.items]).toEqual([
    expect.any(String),
    `${PUBLIC_URL}/`,
    expect.any(Array),
  ]);
  const items = feed.items as readonly Readonly<Record<string, unknown>>[];
  const entries = items.map((item) => {
    expect([item.id, item.title, item.content_html]).toEqual([
      expect.any(String),
      expect.any(String),
      expect.any(String),
    ]);
    return {
      id: String(item.id),
      title: String(item.title),
      html: String(item.content_html),
      link: item.external_url as string | undefined,
      at: Date.parse(String(item.date_published)),
      tags: item.tags as readonly string[],
    };
  });
  return { title: String(feed.title), self: String(feed.feed_url), entries };
}

const READERS = { atom: readAtom, rss: readRss, json: readJson };

/** RSS states times in whole seconds. */
function inSeconds(entries: readonly ReadEntry[]): unknown {
  return entries.map((entry) => ({ ...entry, at: Math.floor(entry.at / 1_000) }));
}

async function read(format: (typeof FORMATS)[number], query = ""): Promise<ReadFeed> {
  const response = await get(`alerts.${format}${query}`);
  expect(response.status).toBe(200);
  return READERS[format](await response.text());
}

describe("a feed", () => {
  it.each(FORMATS)("without alerts is valid: %s", async (format) => {
    const { entries, self } = await read(format);
    expect(entries).toEqual([]);
    expect(self).toBe(`${PUBLIC_URL}/feeds/alerts.${format}`);
  });

  it("has the same entries in all formats, newest first, with permanent ids", async () => {
    await publish(announced("ACME"));
    await publish(announced("BOLT"));
    const [atom, rss, json] = [await read("atom"), await read("rss"), await read("json")];
    expect(atom.entries.map(({ title }) => title.slice(0, 4))).toEqual(["BOLT", "ACME"]);
    expect(inSeconds(rss.entries)).toEqual(inSeconds(atom.entries));
    expect(json.entries).toEqual(atom.entries);
    for (const { id } of atom.entries)
      expect(id).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(new Set(atom.entries.map(({ id }) => id)).size).toBe(2);
    expect(atom.entries[1]?.tags).toEqual(["announced", "ACME", "NASDAQ"]);
    expect(atom.entries[1]?.html).toContain("<li><b>Ratio:</b> 1-for-20 (1:20): 20 old shares become 1 new</li>");

    await platform.stop();
    await store.close();
    store = await configuredStore({ dataDir: folder.path }).open({ clock, log: SILENT_LOG });
    begin();
    expect(await read("atom")).toEqual(atom);
  });

  it("has all terms of an alert in JSON", async () => {
    await publish(announced("ACME"));
    const { items } = (await (await get("alerts.json")).json()) as { items: readonly unknown[] };
    const splits = [{ ticker: "ACME", ratio: "1:20", ex_date: "2026-03-10" }];
    expect(items).toMatchObject([{ _splitwatch: { kind: "announced", splits } }]);
  });

  it("links the release that an alert is based on", async () => {
    const release = {
      url: "https://wire.example/a?b=1&c=2",
      source: "newsfile",
      heading: "Split",
      published: day("2026-03-02"),
      kind: "reverse_split",
    } as const;
    await publish({ ...announced("ACME"), release });
    for (const format of FORMATS) expect((await read(format)).entries[0]?.link).toBe(release.url);
    expect((await read("atom")).entries[0]?.html).toContain('<a href="https://wire.example/a?b=1&amp;c=2">');
  });

  it.each([
    ['<script>alert("1")</script> & <b>bold</b>', '<script>alert("1")</script> & <b>bold</b>'],
    ["]]> <![CDATA[ x ]]> &amp; &lt; &#0; &nope;", "]]> <![CDATA[ x ]]> &amp; &lt; &#0; &nope;"],
    ["a\u0000b\u0008c\u001bd\uFFFEe\uFFFFf\uD800g", "abcd\uFFFDe\uFFFDf\uFFFDg"],
    ["\"quotes\" and 'others'", "\"quotes\" and 'others'"],
    ["\u202Eright to left \u2066x", "right to left x"],
    ["株式併合 👩‍👩‍👧 שלום", "株式併合 👩‍👩‍👧 שלום"],
  ])("shows %j as text in every format", async (text, shown) => {
    await publish(announced("ACME"), {
      title: text,
      lines: [text],
      warnings: [text],
      facts: [
        { label: text, value: text, was: text },
        { label: "link", value: text, link: "javascript:alert(1)" },
      ],
    });
    for (const format of FORMATS) {
      const [entry] = (await read(format)).entries;
      // Only JSON can contain the two characters that XML forbids.
      expect(entry?.title.replaceAll(/[\uFFFE\uFFFF]/g, "\uFFFD")).toBe(shown);
      expect(entry?.html).not.toMatch(/<script|<b>bold|href="javascript:/);
      expect(entry?.html.replaceAll(/<\/?(?:p|ul|li|b)>/g, "")).not.toMatch(/[<>]/);
    }
  });

  it("contains only the alerts of the requested tickers and exchanges", async () => {
    await publish(announced("ACME"));
    await publish(announced("BOLT", { exchange: "NYSE" }));
    await publish(announced("CORE", { exchange: "OTC" }));
    const tickers = async (query: string): Promise<readonly string[]> =>
      (await read("json", query)).entries.map(({ title }) => title.slice(0, 4));
    expect(await tickers("?ticker=acme,core")).toEqual(["CORE", "ACME"]);
    expect(await tickers("?exchange=nyse,OTC")).toEqual(["CORE", "BOLT"]);
    expect(await tickers("?ticker=ACME&exchange=NYSE")).toEqual([]);
    expect((await read("atom", "?ticker=BOLT,ACME")).self).toBe(`${PUBLIC_URL}/feeds/alerts.atom?ticker=ACME,BOLT`);
    expect([ticker("ACME"), exchange("NYSE")]).toEqual(["ACME", "NYSE"]);
  });

  it.each([
    ["HARL.A", "HARL-A"],
    ["HARL.A", "nyse:harl/a"],
    ["MAPL", "MAPL.V"],
    ["MAPL", "TSXV:MAPL"],
  ])("contains the alerts of %s for the ticker %s", async (name, requested) => {
    await publish(announced("HARL.A", { exchange: "NYSE" }));
    await publish(announced("MAPL", { exchange: "TSXV" }));
    const { entries } = await read("json", `?ticker=${encodeURIComponent(requested)}`);
    expect(entries.map(({ title }) => title.split(" ")[0])).toEqual([name]);
  });

  it.each([
    ["?ticker=", 'ticker: got "", expected one list of at most 50 tickers such as ACME,BOLT'],
    ["?ticker=A&ticker=B", 'ticker: got "A", expected one list'],
    ["?ticker=a%20b%20c", 'ticker: got "a b c"'],
    ["?exchange=N%3CASDAQ", 'exchange: got "N<ASDAQ"'],
    ["?format=xml", '"format": unknown parameter, expected ticker or exchange'],
    [`?ticker=${"A,".repeat(60)}A`, "at most 50"],
  ])("refuses %s", async (query, detail) => {
    const response = await get(`alerts.atom${query}`);
    expect(response.status).toBe(400);
    expect(((await response.json()) as { detail: string }).detail).toContain(detail);
  });

  it.each(FORMATS)("shows alerts of a version with other fields, without what they lack: %s", async (format) => {
    const { facts: _facts, disagreements: _disagreements, ...older } = payloadOf(announced("OLD"));
    await post("older", { alerts: [older] });
    const { id: _id, ...unreadable } = payloadOf(announced("GONE"));
    await post("unreadable", { alerts: [unreadable, null, "text"] });
    for (const body of [null, "text", { alerts: 7 }]) await post(`body ${JSON.stringify(body)}`, body);
    await post("newer", { alerts: [{ ...payloadOf(announced("NEW")), added: true }] });
    await publish(announced("ACME"));
    const { entries } = await read(format);
    expect(entries.map(({ title }) => title.split(" ")[0])).toEqual(["ACME", "NEW", "OLD"]);
    const [current, newer, reduced] = entries;
    expect(newer?.html.replaceAll("NEW", "ACME")).toBe(current?.html);
    expect(reduced?.html).toBe(current?.html.replaceAll("ACME", "OLD").replace(/<ul>.*<\/ul>\n?/, ""));
    expect(reduced?.tags).toEqual(["announced", "OLD", "NASDAQ"]);
    expect((await read(format, "?ticker=OLD")).entries).toEqual([reduced]);
  });

  it("has the terms of alerts in JSON only if they have the documented fields", async () => {
    const { facts: _, ...older } = payloadOf(announced("OLD"));
    await post("older", { alerts: [older] });
    await publish(announced("ACME"));
    const { items } = (await (await get("alerts.json")).json()) as { items: readonly Record<string, unknown>[] };
    expect(items.map((item) => "_splitwatch" in item)).toEqual([true, false]);
  });

  it("logs once that it reduces or skips alerts of another version", async () => {
    await publish(announced("ACME"));
    await read("json");
    expect(log.lines).toEqual([]);
    const { facts: _, ...older } = payloadOf(announced("OLD"));
    await post("older", { alerts: [older, null] });
    for (let times = 0; times < 3; times += 1) {
      await publish({ ...announced("BOLT"), id: `BOLT.${times}` as EventId });
      await read("json");
    }
    const fields = { reduced: 1, skipped: 1 };
    expect(log.lines).toEqual([{ level: "warn", event: "alerts of another version in feeds", fields }]);
  });

  it("has at most 100 entries", async () => {
    for (let number = 0; number < 105; number += 1)
      await publish({ ...announced("ACME"), id: `e${number}` as EventId });
    const { entries } = await read("json");
    expect(entries).toHaveLength(100);
    expect(entries[0]?.id).not.toBe(entries[99]?.id);
  });
});

describe("a request of a feed", () => {
  it("reads the alerts once, until the next one", async () => {
    await publish(announced("ACME"));
    const first = await get("alerts.atom");
    const etag = first.headers.get("etag") ?? "";
    for (let times = 0; times < 5; times += 1) await get("alerts.atom");
    await get("alerts.rss");
    await get("alerts.atom?ticker=ACME");
    expect(reads).toBe(1);
    await publish(announced("BOLT"));
    const second = await get("alerts.atom", { "if-none-match": etag });
    expect([second.status, reads]).toEqual([200, 2]);
    expect(second.headers.get("etag")).not.toBe(etag);
  });

  it("is answered with the document after an alert for an event that is older than the others", async () => {
    const late = announced("LATE");
    clock.skip(60_000);
    await publish(announced("ACME"));
    const modified = (await get("alerts.atom")).headers.get("last-modified") ?? "";
    await publish(late);
    const response = await get("alerts.atom", { "if-modified-since": modified });
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining("LATE")]);
  });

  it("is answered with 304 if nothing has changed", async () => {
    await publish(announced("ACME"));
    for (const format of FORMATS) {
      const { headers } = await get(`alerts.${format}`);
      const etag = headers.get("etag") ?? "";
      const modified = headers.get("last-modified") ?? "";
      expect(etag).toMatch(/^"[\w-]{22}"$/);
      const status = async (condition: Readonly<Record<string, string>>): Promise<number> =>
        (await get(`alerts.${format}`, condition)).status;
      expect(await status({ "if-none-match": etag })).toBe(304);
      expect(await status({ "if-none-match": `"other", W/${etag}` })).toBe(304);
      expect(await status({ "if-none-match": '"other"' })).toBe(200);
      expect(await status({ "if-modified-since": modified })).toBe(304);
      expect(await status({ "if-modified-since": new Date(Date.parse(modified) - 1_000).toUTCString() })).toBe(200);
      expect(await status({ "if-modified-since": modified, "if-none-match": '"other"' })).toBe(200);
      expect(await status({ "if-modified-since": "yesterday" })).toBe(200);
    }
  });

  it("has no time yet in the second of its newest alert, because another one can follow", async () => {
    await publish(announced("ACME"));
    clock.jump(-1_000);
    const { headers } = await get("alerts.json");
    expect([headers.get("last-modified"), headers.has("etag")]).toEqual([null, true]);
    const since = new Date(clock.now()).toUTCString();
    expect((await get("alerts.json", { "if-modified-since": since })).status).toBe(200);
    clock.skip(1_000);
    expect((await get("alerts.json", { "if-modified-since": since })).status).toBe(304);
  });

  it("states the media type, forbids indexing and scripts, and permits short caching", async () => {
    const types = { atom: "application/atom+xml; charset=utf-8", rss: "application/rss+xml; charset=utf-8" };
    for (const [format, type] of Object.entries({ ...types, json: "application/feed+json" })) {
      const { headers } = await get(`alerts.${format}`);
      expect(headers.get("content-type")).toBe(type);
      expect(headers.get("cache-control")).toBe("public, max-age=60");
      expect(headers.get("x-robots-tag")).toBe("noindex");
      expect(headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  it("is answered without a body to HEAD, and refused for other methods and paths", async () => {
    const head = await get("alerts.atom", {}, "HEAD");
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect((await get("alerts.atom", {}, "POST")).status).toBe(405);
    expect((await get("alerts.txt")).status).toBe(404);
  });

  it("is answered with 503 while the store fails, and correctly afterward", async () => {
    await publish(announced("ACME"));
    failure = new StoreError("the database is gone");
    const response = await get("alerts.atom");
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "60"]);
    expect(await response.text()).not.toContain("database");
    failure = null;
    expect((await read("atom")).entries).toHaveLength(1);
  });

  it("is limited to 600 a minute", async () => {
    for (let times = 0; times < 600; times += 1) await get("alerts.json");
    const { status, headers } = await get("alerts.json");
    expect([status, headers.get("retry-after")]).toEqual([429, "60"]);
  });
});
