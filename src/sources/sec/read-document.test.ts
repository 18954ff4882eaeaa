import { describe, expect, it } from "vitest";
import { FakeEdgar, folderOf } from "../../../test/support/edgar-server.ts";
import { webAnswer } from "../../../test/support/web-answer.ts";
import { sec } from "./index.ts";

const NOW = Date.parse("2026-03-02T15:00:00Z");
const ACCESSION = "0009999999-26-000123";
const FOLDER = folderOf(ACCESSION);
const ACCEPTED = Date.parse("2026-03-02T13:30:15Z");

const EXHIBIT = `<p>Exhibit 99.1</p><p>Quillmere Therapeutics Announces 1-for-15 Reverse Stock Split</p>
<p>LAKEFORD, Ohio, March 2, 2026 (GLOBE NEWSWIRE) -- Quillmere Therapeutics, Inc. (Nasdaq: QLMR) today announced a 1-for-15 reverse
stock split of its common stock, which will begin trading on a split-adjusted basis on March 5, 2026.</p>`;
const REPORT = `<p>FORM 8-K</p><p>Item 5.03 Amendments to Articles of Incorporation.</p><p>On March 2, 2026, Quillmere Therapeutics,
Inc. (Nasdaq: QLMR) filed an amendment to effect a 1-for-15 reverse stock split of its common stock. The common stock will begin
trading on a split-adjusted basis on March 5, 2026.</p><p>SIGNATURES</p>`;

const edgar = new FakeEdgar();
edgar.file({
  accession: ACCESSION,
  items: ["5.03", "8.01"],
  documents: [
    { type: "8-K", file: "qlmr-8k.htm", html: REPORT },
    { type: "EX-99.1", file: "ex99-1.htm", html: EXHIBIT },
  ],
});

/** Reads EDGAR's answer for a path, as captured from this address or from an unknown one. */
async function read(path: string, isAddressKnown: boolean) {
  const { body = "", type = "application/json" } = edgar.answer({ method: "GET", path, headers: {}, body: "" });
  const address = isAddressKnown ? `https://www.sec.gov${path}` : "https://captures.example/answer";
  return sec.readDocument?.(webAnswer(body, address, type), { now: NOW });
}

const SPLIT = { ticker: "QLMR", ratio: { newShares: 1, oldShares: 15 }, exDate: "2026-03-05" };

describe.each([true, false])("a captured answer of EDGAR, with a known address: %s,", (isAddressKnown) => {
  it("is the list of the latest filings", async () => {
    expect(
      await read("/cgi-bin/browse-edgar?action=getcurrent&type=8-K&start=0&count=100", isAddressKnown),
    ).toMatchObject({
      document: "latest filings",
      entries: [{ title: "QUILLMERE THERAPEUTICS, INC.: 8-K, 5.03, 8.01", publishedAt: ACCEPTED, isFollowed: true }],
    });
  });

  it("is a page of the full-text search", async () => {
    const path = "/LATEST/search-index?startdt=2026-03-01&enddt=2026-03-03&from=0";
    expect(await read(path, isAddressKnown)).toMatchObject({
      document: "full-text search",
      entries: [{ title: "Quillmere Therapeutics, Inc.: 8-K, 5.03, 8.01", isFollowed: true }],
    });
  });

  it("is the index page of a filing", async () => {
    expect(await read(`${FOLDER}${ACCESSION}-index.htm`, isAddressKnown)).toMatchObject({
      document: "filing index",
      entries: [
        { title: "8-K", publishedAt: ACCEPTED, isFollowed: false },
        { title: "EX-99.1", publishedAt: ACCEPTED, isFollowed: true },
      ],
    });
  });

  it("is an exhibit, with the facts that a poll reads", async () => {
    expect(await read(`${FOLDER}ex99-1.htm`, isAddressKnown)).toMatchObject({
      document: "document",
      releases: [
        {
          source: "globenewswire",
          heading: "Quillmere Therapeutics Announces 1-for-15 Reverse Stock Split",
          facts: { kind: "reverse_split", splits: [SPLIT] },
        },
      ],
    });
  });

  it("is the main document of a filing", async () => {
    const reading = await read(`${FOLDER}qlmr-8k.htm`, isAddressKnown);
    expect(reading).toMatchObject({ releases: [{ source: "sec", facts: { splits: [SPLIT] } }] });
    expect(reading?.releases?.[0]?.text).toMatch(/^Item 5\.03/);
  });

  it("is a filer", async () => {
    expect(await read("/submissions/CIK0009999901.json", isAddressKnown)).toMatchObject({
      document: "filer",
      entries: [{ id: "QLMR", title: "Quillmere Therapeutics, Inc." }],
    });
  });
});

describe("a captured document", () => {
  it.each([
    "/cgi-bin/browse-edgar",
    "/LATEST/search-index",
    `${FOLDER}${ACCESSION}-index.htm`,
    `${FOLDER}a.htm`,
    "/submissions/CIK1.json",
  ])("at %s is refused if it is an error page, a form to sign in, or nothing", async (path) => {
    for (const body of ["<html><h1>Not found</h1></html>", "<html><form><input name=user></form></html>", ""]) {
      const answer = webAnswer(body, `https://www.sec.gov${path}`, "text/html");
      await expect(sec.readDocument?.(answer, { now: NOW })).rejects.toThrow(/expected|got/);
    }
  });
});
