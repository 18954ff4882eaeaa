import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { webAnswer } from "../../../test/support/web-answer.ts";
import { readFilingIndex } from "./filing-index.ts";

const FOLDER = "/Archives/edgar/data/9999901/000999999926000123/";
const URL_OF_INDEX = `https://www.sec.gov${FOLDER}0009999999-26-000123-index.htm`;

const ACCEPTED = '<div class="infoHead">Accepted</div>\n<div class="info">2026-03-02 08:30:15</div>';
const HEADER = "<tr><th>Seq</th><th>Description</th><th>Document</th><th>Type</th><th>Size</th></tr>";
const REPORT = `<tr><td>1</td><td>8-K</td><td><a href="/ix?doc=${FOLDER}qlmr-8k.htm">qlmr-8k.htm</a> iXBRL</td><td>8-K</td><td>100</td></tr>`;
const EXHIBIT = `<tr><td>2</td><td>PRESS RELEASE</td><td><a href="${FOLDER}ex99-1.htm">ex99-1.htm</a></td><td>EX-99.1</td><td>90</td></tr>`;
const WHOLE = `<tr><td>&nbsp;</td><td>Complete submission text file</td><td><a href="${FOLDER}0009999999-26-000123.txt">text</a></td><td>&nbsp;</td><td>900</td></tr>`;
const PAGE = `<!DOCTYPE html><html><head><title>EDGAR Filing Documents</title></head><body>
<div class="infoHead">Filing Date</div><div class="info">2026-03-02</div>${ACCEPTED}
<table summary="Document Format Files">${HEADER}\n${REPORT}\n${EXHIBIT}\n${WHOLE}</table></body></html>`;

const READ = {
  acceptedAt: Date.parse("2026-03-02T13:30:15Z"),
  documents: [
    { type: "8-K", file: "qlmr-8k.htm" },
    { type: "EX-99.1", file: "ex99-1.htm" },
  ],
};

const read = (html: string, url = URL_OF_INDEX) => readFilingIndex(webAnswer(html, url, "text/html"));

describe("the index page of a filing", () => {
  it.each<[string, string]>([
    ["as EDGAR writes it", PAGE],
    ["with the time in a table", PAGE.replace(ACCEPTED, "<tr><td>Accepted</td><td>2026-03-02 08:30:15</td></tr>")],
    ["with another case and no-break spaces", PAGE.replace(ACCEPTED, "<p>ACCEPTED:&nbsp;2026-03-02&nbsp;08:30:15</p>")],
    [
      "with the time before the filing date",
      PAGE.replace('<div class="infoHead">F', `${ACCEPTED}<div class="infoHead">F`),
    ],
    ["with a T between day and time", PAGE.replace("2026-03-02 08", "2026-03-02T08")],
    ["with a lower-case type", PAGE.replace("<td>EX-99.1", "<td> <b>ex-99.1</b>&nbsp;")],
    ["with links in apostrophes", PAGE.replaceAll(/href="([^"]*)"/g, "HREF = '$1'")],
    ["with links without quotation marks", PAGE.replaceAll(/href="([^"]*)"/g, "href=$1")],
    ["with absolute links", PAGE.replaceAll('="/Archives', '="https://www.sec.gov/Archives')],
    ["with relative links", PAGE.replaceAll(`"${FOLDER}`, '"')],
    ["in capitals", PAGE.replaceAll(/<\/?(?:table|tr|td|th)\b/g, (tag) => tag.toUpperCase())],
    ["without a header row", PAGE.replace(HEADER, "")],
    [
      "with an additional column",
      PAGE.replaceAll("<td>100", "<td>new</td><td>100").replace("<th>Size", "<th>New</th><th>Size"),
    ],
    [
      "without the title and the row of the whole submission",
      PAGE.replace(/<title>.*<\/title>/, "").replace(WHOLE, ""),
    ],
  ])("is read %s", (_, html) => {
    expect(read(html)).toEqual(READ);
  });

  it("is read with its columns in another order", () => {
    const reordered = PAGE.replaceAll(
      /<(t[dh])>(.*?)<\/t[dh]><t[dh]>(.*?)<\/t[dh]><t[dh]>(.*?)<\/t[dh]><t[dh]>(.*?)<\/t[dh]>/g,
      "<$1>$5</$1><$1>$4</$1><$1>$2</$1><$1>$3</$1>",
    );
    expect(read(reordered)).toEqual(READ);
  });

  it.each<[string, string]>([
    ["no time of acceptance", PAGE.replace(ACCEPTED, "")],
    ["one in another form", PAGE.replace("2026-03-02 08:30:15", "March 2, 2026")],
    ["an impossible one", PAGE.replace("2026-03-02 08:30:15", "2026-02-31 08:30:15")],
  ])("is read without the time if it states %s", (_, html) => {
    expect(read(html)).toEqual({ ...READ, acceptedAt: null });
  });

  it.each<[string, string]>([
    ["no table", PAGE.replace(/<table[\s\S]*<\/table>/, "")],
    ["no documents in its table", PAGE.replace(REPORT, "").replace(EXHIBIT, "").replace(WHOLE, "")],
    ["an error", "<html><head><title>Error</title></head><body><h1>This file could not be found.</h1></body></html>"],
    ["a form to sign in", '<form action="/login.html"><table><tr><td>User</td><td><input></td></tr></table></form>'],
    [
      "a list of links",
      '<table><tr><td><a href="/about.htm">About</a></td><td><a href="/news.htm">News</a></td></tr></table>',
    ],
    ["nothing", ""],
  ])("is refused with %s", (_, html) => {
    expect(() => read(html)).toThrow("expected the documents of filing 0009999999-26-000123, got none");
  });

  it("is refused if it lists the documents of another filing", () => {
    const other = PAGE.replaceAll("000999999926000123", "000999999926000999");
    expect(() => read(other)).toThrow(
      "expected the documents of filing 0009999999-26-000123, got those of 0009999999-26-000999",
    );
  });

  it("states the same documents whatever its incidental parts are", () => {
    const space = fc.constantFrom("", " ", "\n\t", "&nbsp;", "<!-- -->");
    const incidental = fc.record({
      before: space,
      after: space,
      quote: fc.constantFrom('"', "'"),
      isUpper: fc.boolean(),
      removed: fc.subarray(["<title>EDGAR Filing Documents</title>", "<!DOCTYPE html>", HEADER, WHOLE, ACCEPTED]),
      attribute: fc.constantFrom("", ' class="blueRow"', ' scope="row" nowrap'),
      sizes: fc.constantFrom("", "1 KB", "n/a"),
    });
    fc.assert(
      fc.property(incidental, ({ before, after, quote, isUpper, removed, attribute, sizes }) => {
        let stripped = PAGE;
        for (const part of removed) stripped = stripped.replace(part, "");
        const html = stripped
          .replaceAll(/<td>(.*?)<\/td>/g, (_, cell) => `<td${attribute}>${before}${cell}${after}</td>`)
          .replaceAll("100", sizes)
          .replaceAll(/href="([^"]*)"/g, `href=${quote}$1${quote}`);
        const { acceptedAt, documents } = read(
          isUpper ? html.replaceAll(/<\/?t[dr]/g, (tag) => tag.toUpperCase()) : html,
        );
        expect(documents).toEqual(READ.documents);
        expect(acceptedAt).toBe(removed.includes(ACCEPTED) ? null : READ.acceptedAt);
      }),
    );
  });
});
