import { describe, expect, it } from "vitest";
import { ENTITY_BOMB } from "../../../test/support/http-faults.ts";
import { growthFactor, HOSTILE_QUARTER } from "../../../test/support/timing.ts";
import { FetchError } from "./fetch-error.ts";
import type { FeedItem } from "./read-feed.ts";
import { readFeed } from "./read-feed.ts";
import type { WebAnswer } from "./web-answer.ts";

function answer(body: string | Buffer, type: string | null = "text/xml"): WebAnswer {
  return {
    status: 200,
    url: new URL("https://wire.example/feed"),
    header: (name) => (name === "content-type" ? type : null),
    headers: () => [],
    body: Buffer.from(body),
  };
}

const rss = (items: string, head = ""): string =>
  `${head}<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Wire</title>${items}</channel></rss>`;

const item = (inner: string): string => rss(`<item>${inner}</item>`);

const LINK = "<link>https://wire.example/1</link>";

async function only(body: string | Buffer, type: string | null = "text/xml"): Promise<FeedItem> {
  const { items } = readFeed(answer(body, type));
  expect(items).toHaveLength(1);
  return items[0] as FeedItem;
}

/** The FetchError of reading the feed; null if it can be read. */
async function problemOf(body: string | Buffer): Promise<FetchError | null> {
  try {
    readFeed(answer(body));
    return null;
  } catch (error) {
    if (error instanceof FetchError) return error;
    throw error;
  }
}

async function versionOf(title: string, date: string, link = LINK): Promise<string> {
  return (await only(item(`<title>${title}</title>${link}<pubDate>${date}</pubDate>`))).version;
}

describe("a feed", () => {
  it.each([
    [
      "RSS 2.0",
      rss(`<item><title>Orvane splits</title>${LINK}<pubDate>Mon, 02 Mar 2026 13:30:00 GMT</pubDate></item>`),
    ],
    [
      "RSS 0.91",
      `<rss version="0.91"><channel><item><title>Orvane splits</title>${LINK}<pubDate>2 Mar 2026 08:30 EST</pubDate></item></channel></rss>`,
    ],
    [
      "RSS 1.0",
      `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
       <channel rdf:about="x"><title>Wire</title></channel>
       <item rdf:about="https://wire.example/1"><title>Orvane splits</title>${LINK}<dc:date>2026-03-02T13:30:00Z</dc:date></item></rdf:RDF>`,
    ],
    [
      "Atom",
      `<feed xmlns="http://www.w3.org/2005/Atom"><title>Wire</title><entry><title>Orvane splits</title><id>1</id>
       <link rel="enclosure" href="https://wire.example/logo.png"/><link href="https://wire.example/1"/>
       <author><name>A. Person</name></author><published>2026-03-02T08:30:00-05:00</published><updated>2026-03-03T00:00:00Z</updated></entry></feed>`,
    ],
    [
      "JSON",
      JSON.stringify({
        version: "https://jsonfeed.org/version/1.1",
        title: "Wire",
        items: [
          { id: "1", url: "https://wire.example/1", title: "Orvane splits", date_published: "2026-03-02T13:30:00Z" },
        ],
      }),
    ],
  ])("in %s is read", async (_, text) => {
    expect(await only(text)).toMatchObject({
      url: "https://wire.example/1",
      heading: "Orvane splits",
      publishedAt: Date.parse("2026-03-02T13:30:00Z"),
    });
  });

  it.each([
    ["with an empty channel", "<rss version='2.0'><channel></channel></rss>"],
    ["with a channel of a title alone", rss("")],
    ["of Atom without entries", '<feed xmlns="http://www.w3.org/2005/Atom"></feed>'],
  ])("%s has no items", async (_, text) => {
    expect(readFeed(answer(text)).items).toEqual([]);
  });

  it("skips entries without a heading or a valid address", async () => {
    const text = rss(
      `<item><title>No address</title></item><item>${LINK}</item><item><title>A number</title><guid>20260302005001</guid></item>
       <item><title>A script</title><link>javascript:alert(1)</link></item>
       <item><title>An address without end</title><link>https://wire.example/${"a".repeat(2_000)}</link></item><item><title>Whole</title>${LINK}</item>`,
    );
    expect(readFeed(answer(text)).items.map(({ heading }) => heading)).toEqual(["Whole"]);
  });

  it.each([
    ["the guid if there is no link", "<guid>https://wire.example/2</guid>", "https://wire.example/2"],
    ["a relative link", "<link>/news/3</link>", "https://wire.example/news/3"],
    ["a link with line breaks", "<link>\n  https://wire.example/4\n</link>", "https://wire.example/4"],
    ["an http link", "<link>http://wire.example/5</link>", "https://wire.example/5"],
    [
      "a link with tracking parameters",
      "<link>https://Wire.example/6?feedref=Jj&amp;id=7&amp;utm_source=rss#top</link>",
      "https://wire.example/6?id=7",
    ],
    [
      "a doubly escaped link",
      "<link>https://wire.example/8?a=1&amp;amp;utm_medium=x&amp;amp;b=2</link>",
      "https://wire.example/8?a=1&b=2",
    ],
  ])("resolves %s", async (_, link, url) => {
    expect((await only(item(`<title>Orvane</title>${link}`))).url).toBe(url);
  });

  it.each([
    ["line breaks", "<title>\n   Orvane Announces\n   a Reverse Split\n</title>", "Orvane Announces a Reverse Split"],
    ["CDATA", "<title><![CDATA[Orvane & Sons <b>split</b>]]></title>", "Orvane & Sons split"],
    ["entities", "<title>Orvan&#233;&#x2019;s A&amp;B</title>", "Orvané’s A&B"],
    ["doubly escaped entities", "<title>Orvane A&amp;amp;B &amp;#8211; split</title>", "Orvane A&B – split"],
    ["a less-than", "<title>Bid &lt; $1 at Orvane</title>", "Bid < $1 at Orvane"],
  ])("reads a heading with %s", async (_, title, heading) => {
    expect((await only(item(title + LINK))).heading).toBe(heading);
  });

  it("reads a title that is escaped twice", async () => {
    const escaped = `<title>Orvane Foods &amp;amp; Beverage&amp;#8217;s &amp;lt;b&amp;gt;Reverse Split</title>${LINK}`;
    expect((await only(item(escaped))).heading).toBe("Orvane Foods & Beverage’s <b>Reverse Split");
  });

  it.each([
    ['xml:base="https://news.example/2026/"', "", "r/1", "https://news.example/2026/r/1"],
    ['xml:base="https://news.example/2026/"', 'xml:base="march/"', "1", "https://news.example/2026/march/1"],
    ['xml:base="https://news.example/2026/"', 'xml:base="https://other.example/"', "1", "https://other.example/1"],
    ["", 'xml:base="archive/"', "1", "https://wire.example/archive/1"],
    ['xml:base="javascript:alert(1)"', "", "r/1", "https://wire.example/r/1"],
    ["", "", "r/1", "https://wire.example/r/1"],
  ])("resolves links of Atom against %s and %s", async (feedBase, entryBase, link, url) => {
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom" ${feedBase}><title>Wire</title><id>1</id>
      <entry ${entryBase}><id>2</id><title>Orvane</title><link href="${link}"/></entry></feed>`;
    expect((await only(atom)).url).toBe(url);
  });

  it("converts the teaser to plain text", async () => {
    const teaser = `<description><![CDATA[<p align="justify">DENVER &#8211; <a href="https://x.example">Orvane</a></p><p>splits.</p>]]></description>`;
    expect((await only(item(`<title>Orvane</title>${LINK}${teaser}`))).teaser).toBe("DENVER – Orvane splits.");
  });

  it.each([
    ["<pubDate>Mon, 02 Mar 2026 13:30 GMT</pubDate>", "2026-03-02T13:30:00Z"],
    ["<pubDate>Fri, 2 Mar 2026 13:30:05 +0000</pubDate>", "2026-03-02T13:30:05Z"],
    ["<pubDate>Mon, 02 Mar 2026 08:30:00 EST</pubDate>", "2026-03-02T13:30:00Z"],
    ["<pubDate>Mon, 02 Mar 2026 13:30:00 UT</pubDate>", "2026-03-02T13:30:00Z"],
    ["<pubDate>Mon, 02 Mar 2026 13:30:00</pubDate>", "2026-03-02T13:30:00Z"],
    ["<dc:date>2026-03-02T13:30:00Z</dc:date>", "2026-03-02T13:30:00Z"],
    ["<dc:date>2026-03-02T13:30:00</dc:date>", "2026-03-02T13:30:00Z"],
    ["<dc:date>2026-03-02T08:30:00-0500</dc:date>", "2026-03-02T13:30:00Z"],
  ])("reads the date of %s", async (written, at) => {
    expect((await only(item(`<title>Orvane</title>${LINK}${written}`))).publishedAt).toBe(Date.parse(at));
  });

  it.each(["", "<pubDate>soon</pubDate>", "<pubDate></pubDate>", "<pubDate>0001-01-01T00:00:00Z</pubDate>"])(
    "has no time for a missing or invalid date: %s",
    async (date) => {
      expect((await only(item(`<title>Orvane</title>${LINK}${date}`))).publishedAt).toBeNull();
    },
  );

  it("has the tickers of its stock categories only", async () => {
    const categories = [
      ["https://www.globenewswire.com/rss/stock", "Nasdaq:ORVN"],
      ["http://www.globenewswire.com/rss/stock", "TSX-V:ORV.P"],
      ["https://www.globenewswire.com/rss/stock", "OTC Markets:ORVFF"],
      ["https://www.globenewswire.com/rss/stock", "Other OTC:ORVGF"],
      ["https://www.globenewswire.com/rss/stock", "nothing"],
      ["https://www.globenewswire.com/rss/ISIN", "US0000000001"],
      ["https://wire.example/topics", "Nasdaq:NOPE"],
    ].map(([domain, name]) => `<category\n domain="${domain}">${name}</category>`);

    expect((await only(item(`<title>Orvane</title>${LINK}${categories.join("")}`))).tickers).toEqual([
      { ticker: "ORVN", exchange: "NASDAQ" },
      { ticker: "ORV.P", exchange: "TSXV" },
      { ticker: "ORVFF", exchange: "OTC" },
      { ticker: "ORVGF", exchange: "OTC" },
    ]);
  });

  it("has a version that depends on the heading and the time only", async () => {
    const first = await versionOf("Orvane splits", "Mon, 02 Mar 2026 13:30:00 GMT");

    expect(await versionOf("\n Orvane\n splits", "Mon, 02 Mar 2026 13:30 GMT")).toBe(first);
    expect(
      await versionOf("Orvane splits", "Mon, 02 Mar 2026 13:30 GMT", "<link>https://wire.example/1#a</link>"),
    ).toBe(first);
    expect(await versionOf("CORRECTION: Orvane splits", "Mon, 02 Mar 2026 13:30:00 GMT")).not.toBe(first);
    expect(await versionOf("Orvane splits", "Mon, 02 Mar 2026 14:30:00 GMT")).not.toBe(first);
  });
});

function declared(encoding: string): string {
  return rss(`<item><title>Orvané – “split”</title>${LINK}</item>`, `<?xml version="1.0" encoding="${encoding}"?>`);
}

function inLatin(encoding: string): Buffer {
  const declaration = `<?xml version="1.0" encoding="${encoding}"?>`;
  return Buffer.from(
    rss(`<item><title>Orvan\u00e9 \u0096 \u0093split\u0094</title>${LINK}</item>`, declaration),
    "latin1",
  );
}

describe("the encoding of a feed", () => {
  const wide = Buffer.from(`\ufeff${declared("utf-16")}`, "utf16le");

  it.each<[string, Buffer, string | null]>([
    ["UTF-8 without a declaration by the server", Buffer.from(declared("utf-8")), null],
    ["UTF-8 with a byte order mark", Buffer.from(`\ufeff${declared("utf-8")}`), "text/xml"],
    ["UTF-8 that its server declares as Latin", Buffer.from(declared("utf-8")), "text/xml; charset=ISO-8859-1"],
    ["Windows-1252 by its declaration", inLatin("windows-1252"), "text/xml"],
    ["Windows-1252 that is declared as ISO-8859-1", inLatin("ISO-8859-1"), null],
    ["Windows-1252 by its Content-Type header", inLatin("utf-8"), 'text/xml; charset="windows-1252"'],
    ["Windows-1252 with an unknown declaration", inLatin("no-such-encoding"), "application/rss+xml"],
    ["UTF-16 LE", wide, "text/xml"],
    ["UTF-16 BE", Buffer.from(wide).swap16(), "text/xml; charset=utf-16"],
    ["UTF-16 without a byte order mark", Buffer.from(declared("utf-16"), "utf16le"), null],
  ])("%s is decoded", async (_, body, type) => {
    expect((await only(body, type)).heading).toBe("Orvané – “split”");
  });
});

const entry = (n: number): string =>
  `<item><title>Release ${n} &amp; more</title><link>https://wire.example/${n}</link><pubDate>Mon, 02 Mar 2026 13:30 GMT</pubDate>
   <description><![CDATA[${n % 50 === 0 ? "<item>" : ""}<p>${"word ".repeat(500)}</p>]]></description></item>`;

describe("a large feed", () => {
  const large = rss(
    `<link>https://wire.example/</link><!-- <item> -->${Array.from({ length: 800 }, (_, n) => entry(n)).join("")}`,
  );

  it("is read up to 500 items", () => {
    const { title, items } = readFeed(answer(large));
    expect(title).toBe("Wire");
    expect(items.map(({ url }) => url)).toEqual(Array.from({ length: 500 }, (_, n) => `https://wire.example/${n}`));
    expect(new Set(items.map(({ teaser }) => teaser.length)).size).toBe(1);
  });

  it.each([
    ["5 MB of empty items", rss("<item/>".repeat(700_000)), 0],
    [
      "an item of 5 MB",
      rss(`<item><title>x</title>${LINK}<description>${"<b>x</b>".repeat(600_000)}</description></item>`),
      1,
    ],
    ["an item with 5 MB of attributes", rss(`<item ${"a='b' ".repeat(800_000)}><title>x</title>${LINK}</item>`), 1],
    ["a channel of 5 MB", rss(`${"<category>x</category>".repeat(220_000)}<item><title>x</title>${LINK}</item>`), 1],
    [
      "5 MB after the last item",
      rss(`<item><title>x</title>${LINK}</item>${"<category>x</category>".repeat(220_000)}`),
      1,
    ],
  ])("with %s is read", (_, body, count) => {
    expect(readFeed(answer(body)).items).toHaveLength(count);
  });

  it("of JSON with too many values is rejected before it is parsed", async () => {
    const body = `{"version":"https://jsonfeed.org/version/1.1","items":[${"{},".repeat(100_001)}{}]}`;
    expect((await problemOf(body))?.message).toMatch(/it has too many values$/);
  });
});

describe("an answer that is not a feed", () => {
  it.each([
    ["nothing", "", "got nothing"],
    ["a web page", "<!DOCTYPE html><html><body>Sorry</body></html>", "got a web page"],
    [
      "a web page that contains a feed",
      '<html><link type="application/rss+xml"><rss version="2.0"></rss></html>',
      "got a web page",
    ],
    ["a notice", "No data could be found.", 'got the notice "No data could be found"'],
    ["plain text", "Service unavailable", "expected RSS, Atom or a JSON feed"],
    ["other JSON", '{"error":"no"}', "expected RSS, Atom or a JSON feed"],
    ["other XML", "<note><to>you</to></note>", "expected RSS, Atom or a JSON feed"],
    ["half a feed", rss(`<item><title>Orvane</title>${LINK}</item><item><title>Ha`).slice(0, 190), "broken XML"],
    ["an entity bomb", ENTITY_BOMB, "declares entities, which aren't supported"],
    [
      "an external entity",
      '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><rss version="2.0"/>',
      "declares entities",
    ],
  ])("is reported: %s", async (_, body, message) => {
    const error = await problemOf(body);
    expect(error?.failure).toBe("unreadable");
    expect(error?.message).toContain(`wire.example/feed: `);
    expect(error?.message).toContain(message);
    expect(error?.message.length).toBeLessThan(250);
  });

  const cutItem = (text: string): string =>
    `<rss version="2.0"><channel><item><title>a</title>${LINK}<description>${text}`;
  it.each([
    [
      "brackets in a name",
      (size: number) => rss(`<item><title>a</title>${LINK}<author>${"(".repeat(size)}</author></item>`),
    ],
    [
      "brackets in an editor's name",
      (size: number) => rss(`<managingEditor>${"[<".repeat(size / 2)}</managingEditor>`),
    ],
    ["unclosed tags", (size: number) => rss("<a>".repeat(size / 3))],
    ["less-than signs", (size: number) => rss("<".repeat(size))],
    ["an unclosed document type", (size: number) => `<!DOCTYPE ${"a".repeat(size / 4)}`],
    ["unclosed document types", (size: number) => "<!DOCTYPE [".repeat(size / 11)],
    ["unclosed comments", (size: number) => "<!--".repeat(size / 4)],
    ["entities", (size: number) => item(`<title>${"&amp;".repeat(size / 5)}</title>${LINK}`)],
    ["blanks", (size: number) => " ".repeat(size)],
    ["entries", (size: number) => rss("<item><title>a</title></item>".repeat(size / 29))],
    ["a heading of tags", (size: number) => item(`<title><![CDATA[${"<b>".repeat(size / 3)}]]></title>${LINK}`)],
    [
      "headings of tags",
      (size: number) =>
        rss(`<item>${LINK}<title><![CDATA[${"<b>".repeat(3_000)}]]></title></item>`.repeat(Math.ceil(size / 9_000))),
    ],
    ["an item of less-than signs", (size: number) => cutItem("<".repeat(size / 5))],
    ["an item of tags within tags", (size: number) => cutItem("<a ".repeat(size / 15))],
    ["an item of declarations", (size: number) => cutItem("<!a ".repeat(size / 20))],
    [
      "an item of open quotes",
      (size: number) => cutItem(`${"<a '".repeat(size / 20)}"</description></item></channel></rss>`),
    ],
  ])("is processed in linear time: %s", async (_, bodyOf) => {
    const readBody = async (size: number): Promise<void> => {
      const problem = await problemOf(bodyOf(size));
      expect(problem?.failure ?? "unreadable").toBe("unreadable");
    };
    expect(await growthFactor(readBody, HOSTILE_QUARTER)).toBeLessThan(8);
  });
});
