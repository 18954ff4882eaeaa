import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { webAnswer } from "../../../test/support/web-answer.ts";
import { readFiler } from "./filer.ts";
import { readSearchPage } from "./full-text-search.ts";
import { readLatestFilings } from "./latest-filings.ts";

const ACCESSION = "0009999999-26-000123";
const ENTRY = `<entry><title>8-K - QUILLMERE THERAPEUTICS, INC. (0009999901) (Filer)</title>
<link rel="alternate" type="text/html" href="https://www.sec.gov/Archives/edgar/data/9999901/000999999926000123/${ACCESSION}-index.htm"/>
<summary type="html"> &lt;b&gt;Filed:&lt;/b&gt; 2026-03-02 &lt;br&gt;Item 3.03: Rights &lt;br&gt;Item 5.03: Articles</summary>
<updated>2026-03-02T08:30:15-05:00</updated><category label="form type" term="8-K"/><id>urn:tag:sec.gov,2008:accession-number=${ACCESSION}</id></entry>`;
const FEED = `<?xml version="1.0" encoding="ISO-8859-1" ?><feed xmlns="http://www.w3.org/2005/Atom"><title>Latest Filings - Mon, 02 Mar 2026 09:00:00 EST</title>
<id>https://www.sec.gov/cgi-bin/browse-edgar?action=getcurrent</id><updated>2026-03-02T09:00:00-05:00</updated>${ENTRY}</feed>`;
const FILING = {
  accession: ACCESSION,
  cik: "9999901",
  company: "QUILLMERE THERAPEUTICS, INC.",
  form: "8-K",
  filedAt: Date.parse("2026-03-02T13:30:15Z"),
  items: ["3.03", "5.03"],
  hits: null,
};

const readLatest = (body: string) =>
  readLatestFilings(
    webAnswer(body, "https://www.sec.gov/cgi-bin/browse-edgar?action=getcurrent", "application/atom+xml"),
  );

describe("the latest filings", () => {
  it.each<[string, string]>([
    ["as EDGAR writes them", FEED],
    ["with another title of the feed", FEED.replace("Latest Filings - Mon", "EDGAR, current events - Mon")],
    ["without a title of the feed", FEED.replace(/<title>Latest.*?<\/title>/, "")],
    ["with a long dash in the title", FEED.replace("8-K - Q", "8-K — Q")],
    ["with more spaces in the title", FEED.replace("8-K - QUILLMERE ", "  8-K  -  QUILLMERE  ")],
    ["with a lower-case form", FEED.replace("<title>8-K", "<title>8-k")],
    ["without the role of the filer", FEED.replace(" (Filer)", "")],
    ["without the number of the filer", FEED.replace(" (0009999901) (Filer)", "")],
    ["with other brackets", FEED.replace("(0009999901) (Filer)", "[0009999901] [Filer]")],
    ["with items in another case", FEED.replaceAll("Item ", "ITEM&amp;nbsp;")],
    [
      "without category, id and time of the feed",
      FEED.replace(/<category.*?<\/id>/, "").replace(/<updated>2026-03-02T09.*?<\/updated>/, ""),
    ],
    ["for several filers of one filing", FEED.replace(ENTRY, ENTRY + ENTRY.replace("(Filer)", "(Subject)"))],
  ])("are read %s", async (_, body) => {
    expect(readLatest(body)).toEqual([FILING]);
  });

  it("are read without a time or items if they state none", async () => {
    const bare = ENTRY.replace(/<updated>.*?<\/updated>/, "").replace(/<summary[\s\S]*?<\/summary>/, "");
    expect(readLatest(FEED.replace(ENTRY, bare))).toEqual([{ ...FILING, filedAt: null, items: [] }]);
  });

  it("are read whatever their incidental parts are", async () => {
    const incidental = fc.record({
      dash: fc.constantFrom(" - ", " – ", "  -  ", ": "),
      ending: fc.constantFrom(" (0009999901) (Filer)", "", " (Filer)", " [0009999901]"),
      removed: fc.subarray([
        '<?xml version="1.0" encoding="ISO-8859-1" ?>',
        "<title>Latest Filings - Mon, 02 Mar 2026 09:00:00 EST</title>",
        '<category label="form type" term="8-K"/>',
        ' rel="alternate"',
        ' type="text/html"',
      ]),
    });
    await fc.assert(
      fc.asyncProperty(incidental, async ({ dash, ending, removed }) => {
        let body = FEED.replace("8-K - ", `8-K${dash}`).replace(" (0009999901) (Filer)", ending);
        for (const part of removed) body = body.replace(part, "");
        expect(readLatest(body)).toEqual([FILING]);
      }),
    );
  });

  it.each<[string, string]>([
    ["another feed", FEED.replace(/href="[^"]*"/, 'href="https://www.sec.gov/news/1"')],
    ["another feed without entries", FEED.replace(ENTRY, "").replace("Latest Filings", "Company news")],
    ["an error page", "<html><h1>Not found</h1></html>"],
    ["a form to sign in", "<html><form><input name=user></form></html>"],
    ["nothing", ""],
  ])("are refused if the answer is %s", (_, body) => {
    expect(() => readLatest(body)).toThrow(/expected/);
  });
});

const SOURCE = {
  ciks: ["0009999901"],
  display_names: ["Quillmere Therapeutics, Inc.  (QLMR, QLMRW)  (CIK 0009999901)"],
  form: "8-K",
  root_forms: ["8-K"],
  file_type: "EX-99.1",
  file_date: "2026-03-02",
  items: ["3.03", "5.03"],
  sics: ["2834"],
};
const FOUND = {
  ...FILING,
  company: "Quillmere Therapeutics, Inc.",
  filedAt: Date.parse("2026-03-02T05:00:00Z"),
  hits: [{ type: "EX-99.1", file: "ex99-1.htm" }],
};

function search(source: object, id: unknown = `${ACCESSION}:ex99-1.htm`) {
  const body = JSON.stringify({ hits: { hits: [{ _id: id, _source: source }] } });
  return readSearchPage(webAnswer(body, "https://search.example/LATEST/search-index")).filings;
}

describe("a hit of the full-text search", () => {
  it.each<[string, object, object]>([
    ["as EDGAR writes it", SOURCE, {}],
    ["with numbers", { ...SOURCE, ciks: [9_999_901] }, {}],
    ["with items in one text", { ...SOURCE, items: "3.03, 5.03" }, {}],
    ["without the form, which the root form states", { ...SOURCE, form: undefined }, {}],
    [
      "without symbols in the name",
      { ...SOURCE, display_names: ["Quillmere Therapeutics, Inc. [CIK 1]"] },
      { company: "Quillmere Therapeutics, Inc. [CIK 1]" },
    ],
    ["without a name", { ...SOURCE, display_names: null }, { company: "" }],
    ["without a day", { ...SOURCE, file_date: undefined }, { filedAt: null }],
    ["without items", { ...SOURCE, items: undefined }, { items: [] }],
    ["with items of another type", { ...SOURCE, items: 303 }, { items: [] }],
    [
      "without the type of the document",
      { ...SOURCE, file_type: null },
      { hits: [{ type: "8-K", file: "ex99-1.htm" }] },
    ],
  ])("is read %s", (_, source, changes) => {
    expect(search(source)).toEqual([{ ...FOUND, ...changes }]);
  });

  it.each<[string, object, unknown]>([
    ["without its id", SOURCE, null],
    ["with another id", SOURCE, "123"],
    ["without a filer", { ...SOURCE, ciks: [] }, undefined],
    ["without a form", { ...SOURCE, form: null, root_forms: null }, undefined],
  ])("is refused %s", (_, source, id) => {
    expect(() => search(source, id)).toThrow("got hits of another shape");
  });
});

describe("a filer", () => {
  it.each<[string, object]>([
    ["without exchanges", { name: "Quillmere", tickers: ["QLMR"] }],
    ["without a name", { tickers: ["QLMR"], exchanges: ["Nasdaq"] }],
    ["with an empty symbol and more fields", { name: "Quillmere", tickers: ["QLMR", null], exchanges: [], sic: 1 }],
  ])("is read %s", (_, filer) => {
    expect(readFiler(webAnswer(JSON.stringify(filer), "https://data.example/CIK1.json")).share?.ticker).toBe("QLMR");
  });

  it.each([{}, [], { tickers: "QLMR" }])("is refused with other content: %j", (content) => {
    expect(() => readFiler(webAnswer(JSON.stringify(content), "https://data.example/CIK1.json"))).toThrow(
      "expected JSON",
    );
  });
});
