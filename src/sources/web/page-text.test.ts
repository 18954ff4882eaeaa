import { describe, expect, it } from "vitest";
import { growthFactor, HOSTILE_QUARTER } from "../../../test/support/timing.ts";
import { toPlainText } from "../../extraction/plain-text.ts";
import { CUSTOM_FEED_RULES, WIRE_RULES } from "../newswires/wires.ts";
import { FetchError } from "./fetch-error.ts";
import { createPageReader } from "./page-text.ts";
import type { WebAnswer } from "./web-answer.ts";

const HEADING = "Orvane Minerals Announces Reverse Split of Its Common Shares";
const RELEASE =
  "<p>Orvane Minerals Inc. will combine its common shares.</p><p>The first day of trading on the new basis is March 9, 2026.</p>";
const TEXT =
  "Orvane Minerals Inc. will combine its common shares.\n\nThe first day of trading on the new basis is March 9, 2026.";

function page(html: string | Buffer, type: string | null = "text/html"): WebAnswer {
  return {
    status: 200,
    url: new URL("https://wire.example/release/1"),
    header: (name) => (name === "content-type" ? type : null),
    headers: () => [],
    body: Buffer.from(html),
  };
}

const body = (inner: string): string =>
  `<!DOCTYPE html><html><head><title>x</title><script>if (a<b) "reverse split"</script></head><body><nav><p>Menu</p></nav>${inner}
   <div class="footer"><p>Subscribe</p></div></body></html>`;

const read = (
  html: string | Buffer,
  containers = WIRE_RULES.newsfile.containers,
  type: string | null = "text/html",
): string => createPageReader(containers)(page(html, type), HEADING);

const readIn = (html: string): string => read(body(`<article id="release">${html}</article>`));

/** FetchError of an unreadable page; null if the page can be read. */
async function problemOf(html: string | Buffer, type = "text/html"): Promise<FetchError | null> {
  try {
    read(html, WIRE_RULES.newsfile.containers, type);
    return null;
  } catch (error) {
    if (error instanceof FetchError) return error;
    throw error;
  }
}

describe("the page of", () => {
  it.each([
    ["PR Newswire", WIRE_RULES.prnewswire, `<section class="release-body container "><div>${RELEASE}</div></section>`],
    ["Business Wire", WIRE_RULES.businesswire, `<div class="bw-release-story">${RELEASE}</div>`],
    ["Business Wire, by id", WIRE_RULES.businesswire, `<div id="bw-release-story">${RELEASE}</div>`],
    ["GlobeNewswire", WIRE_RULES.globenewswire, `<span itemprop="articleBody" class="article-body">${RELEASE}</span>`],
    ["GlobeNewswire, by id", WIRE_RULES.globenewswire, `<div id="main-body-container">${RELEASE}</div>`],
    ["GlobeNewswire, by class", WIRE_RULES.globenewswire, `<div class="a main-body-container b">${RELEASE}</div>`],
    ["ACCESS Newswire", WIRE_RULES.accesswire, `<div class="col mw-100">${RELEASE}</div>`],
    ["ACCESS Newswire, as an article", WIRE_RULES.accesswire, `<article>${RELEASE}</article>`],
    [
      "Newsfile",
      WIRE_RULES.newsfile,
      `<div class="nf-container"><p>Other news</p></div><article id="release" class="nf-container" data-print="show">${RELEASE}</article>`,
    ],
    ["an unknown site", CUSTOM_FEED_RULES, `<article>${RELEASE}</article>`],
  ])("%s yields only the release", async (_, { containers }, html) => {
    expect(read(body(html), containers)).toBe(TEXT);
  });

  it("an unknown site yields the whole page if it has the words of the heading", async () => {
    const more = "<p>Orvane Minerals digs for minerals that others have left where they were, in seven countries.</p>";
    const text = read(body(`<div><h1>${HEADING}</h1>${RELEASE}${more.repeat(3)}</div>`));

    expect(text).toContain(TEXT);
    expect(text).not.toContain("Menu");
  });

  it.each([
    ["other news", `<main><p>${"The weather in the mountains stays fair for one more day. ".repeat(10)}</p></main>`],
    ["the heading alone", `<main><h1>${HEADING}</h1></main>`],
    ["an empty container", '<article id="release"></article>'],
  ])("a site with %s instead of the release is unreadable", async (_, html) => {
    expect(await problemOf(body(html))).toMatchObject({
      failure: "unreadable",
      message: "wire.example/release/1: no release was found on the page",
    });
  });

  it.each(["application/pdf", "image/png"])("a site that answers with %s is unreadable", async (type) => {
    expect((await problemOf(body(RELEASE), type))?.message).toContain(`got ${type}, expected text/html`);
  });
});

describe("the text of a release", () => {
  const FILL = "<p>Orvane Minerals Inc. is a company that digs for minerals, and sells what it finds to others.</p>";
  const textOf = async (html: string): Promise<string> =>
    readIn(FILL + html)
      .split("to others.")[1]
      ?.trim() ?? "";

  it("separates paragraphs and does not wrap lines", async () => {
    const long = "word ".repeat(100).trim();
    expect(await textOf(`<p>${long}</p><div>one<br>two</div>`)).toBe(`${long}\n\none\ntwo`);
  });

  it("has no link targets, images, scripts and forms", async () => {
    const html = `<p>See <a href="https://x.example/a">our site</a><img src="x.png" alt="logo">.</p><script>x()</script>
      <style>p{}</style><form><input value="x"><button>Send</button></form><!-- hidden -->`;
    expect(await textOf(html)).toBe("See our site.");
  });

  it("keeps the case of headings and decodes entities", async () => {
    expect(await textOf("<h2>About Orvane</h2><p>A&amp;B&nbsp;&ndash; &#8220;Orvane&#x201d;</p>")).toBe(
      "About Orvane\n\nA&B\u00a0– “Orvane”",
    );
  });

  it("has a bullet or a number before each list item", async () => {
    expect(await textOf("<ul><li>one</li><li>two</li></ul><ol><li>first</li></ol>")).toBe("• one\n• two\n\n1. first");
  });

  it("separates the cells of a table row", async () => {
    const table = `<table><thead><tr><th><b>Fund</b></th><th>Ticker</th><th>New
      CUSIP</th></tr></thead><tbody><tr><td><p>Orvane <i>Bear</i> 2X</p></td><td>ORVD</td><td>68632K108</td></tr>
      <tr><td>Orvane Bull 2X</td><td></td><td><span>68632K</span><span>207</span></td></tr></tbody></table>`;
    const text = await textOf(table);

    expect(text).toBe(
      "| Fund | Ticker | New CUSIP |\n| Orvane Bear 2X | ORVD | 68632K108 |\n| Orvane Bull 2X | | 68632K207 |",
    );
    expect(toPlainText(text).plain.split("\n")).toHaveLength(3);
  });

  it("has paragraphs for a layout table", async () => {
    const layout = `<table><tr><td>${RELEASE}</td></tr></table>`;
    expect(await textOf(layout)).toBe(TEXT);
  });

  it("is decoded with the encoding that the page declares", async () => {
    const html = body(`<article id="release">${FILL}<p>Orvan\u00e9 \u0096 split</p></article>`).replace(
      "<head>",
      '<head><meta http-equiv="Content-Type" content="text/html; charset=windows-1252">',
    );
    expect(read(Buffer.from(html, "latin1"))).toContain("Orvané – split");
  });

  it("is truncated after a million characters", async () => {
    expect(readIn(`<p>${"word ".repeat(1_000)}</p>`.repeat(300)).length).toBeLessThanOrEqual(1_000_000);
  });
});

/** A fund's table, a list, paragraphs in layout tables, and bare text, about 1 MB. */
const section = (
  n: number,
): string => `<h2>Section ${n}</h2><div><p>Orvane &amp; Co. ${n}</p>${n}<br>bare <b>text</b></div>
  <table><tr><td>Fund ${n}</td><td>ORV${n}</td></tr><tr><td><p>a</p></td><td><p>b</p></td></tr></table>
  <ol><li><p>one</p></li><li>two</li></ol><form><p>hidden ${n}</p></form><script>"</div><p>hidden"</script><!-- </div> -->
  <table><tr><td>${`<p>${"word ".repeat(90)}</p>`.repeat(3)}</td></tr></table>`;

describe("a large page", () => {
  const large = Array.from({ length: 500 }, (_, n) => section(n)).join("");

  it("has the text of all its elements", () => {
    const text = readIn(large);
    expect(text.match(/^Section \d+$/gm)).toHaveLength(500);
    expect(text.match(/^\| Fund \d+ \| ORV\d+ \|$/gm)).toHaveLength(500);
    expect(text).not.toContain("hidden");
  });

  it("is found within a form and layout tables", () => {
    const around = `<form><table><tr><td><article id="release">${large}</article></td></tr></table></form>`;
    expect(read(body(around))).toBe(readIn(large));
  });

  it.each([
    ["a list of 40,000 items", `<ul>${"<li>one</li>".repeat(40_000)}</ul>`, /^• one$/gm, 40_000],
    ["a paragraph of 900,000 characters", `<p>${"word ".repeat(180_000)}</p>`, /word/g, 180_000],
  ])("can have %s", (_, html, pattern, count) => {
    expect(readIn(html).match(pattern)).toHaveLength(count);
  });
});

describe("a malicious page", () => {
  it.each([
    ["nesting", repeated("<div>")],
    ["tags that never close", repeated("<b></i>")],
    [
      "nested tags with many names",
      (size: number) => Array.from({ length: size / 16 }, (_, at) => `<x${at}>`).join(""),
    ],
    ["closing tags without opening ones", repeated("</i>")],
    ["a million tags", repeated("<b>x</b>")],
    ["less-than signs", repeated("<")],
    ["blanks", repeated(" ")],
    ["non-breaking spaces", repeated("&nbsp;", "", "x")],
    ["attributes", repeated("a ", "<p ", ">")],
    ["unclosed comments", repeated("<!--")],
    ["nested tables", (size: number) => "<table><tr><td>".repeat(size / 400)],
    ["nested tables around text", (size: number) => "<table><tr><td>".repeat(size / 400) + "x ".repeat(size / 2)],
    ["cells", repeated("<td>x</td>", "<table><tr>", "</tr></table>")],
    ["an endless cell", repeated("<p>word</p>", "<table><tr><td>a</td><td>", "</td></tr></table>")],
  ])("with %s is processed in linear time", async (_, htmlOf) => {
    const readPage = async (size: number): Promise<void> => {
      const problem = await problemOf(body(`<article id="release">${htmlOf(size)}</article>`));
      expect(problem?.failure ?? "unreadable").toBe("unreadable");
    };
    expect(await growthFactor(readPage, HOSTILE_QUARTER)).toBeLessThan(8);
  });
});

/** Returns a function that makes a text of at least `size` characters. */
function repeated(piece: string, before = "", after = ""): (size: number) => string {
  return (size) => `${before}${piece.repeat(Math.ceil(size / piece.length))}${after}`;
}
