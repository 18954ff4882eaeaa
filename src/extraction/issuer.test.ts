import { describe, expect, it } from "vitest";
import { exchange, ticker } from "../../test/support/builders.ts";
import { ratioCode } from "../domain/split/ratio.ts";
import type { SymbolDirectory } from "../domain/split/symbol-directory.ts";
import { extractFacts } from "./extract.ts";

function read(content: string, heading = "", directory: SymbolDirectory | null = null) {
  return extractFacts({ heading, content }, directory);
}

/** Splits of a text as `TICKER company ratio ex date`. */
function splitsIn(content: string, heading = "", directory: SymbolDirectory | null = null): readonly string[] {
  return read(content, heading, directory).splits.map((split) =>
    [split.ticker, split.company, split.ratio && ratioCode(split.ratio), split.exDate].join(" "),
  );
}

const ORLOCK =
  "Orlock Motors said its board approved a 1-for-30 reverse stock split. Beginning on June 25, 2024, the common stock will trade on Nasdaq on a split-adjusted basis under the existing symbol ORLK.";
const ORLOCK_SPLIT = "ORLK Orlock Motors 1:30 2024-06-25";
const HARLAN = "Harlan Freight Corp. (NYSE: HFRT) today reported record revenue for its third quarter.";
const WELDON =
  "Weldon Optics Inc. (NASDAQ: WLDO), a partner of Orlock, completed a 1-for-70 reverse stock split on March 3, 2021.";
const HEADING = "Orlock Motors approves 1-for-30 reverse split";
const TERMS =
  "a 1-for-30 reverse stock split. The shares will begin trading on a split-adjusted basis on June 25, 2024.";

describe("the issuer", () => {
  it.each([
    ["a company in a paragraph before it", `${HARLAN}\n\n${ORLOCK}`],
    ["a company in a sentence before it", `${HARLAN} ${ORLOCK}`],
    ["a company in a paragraph after it", `${ORLOCK}\n\n${HARLAN}`],
    ["a partner with a past split", `${ORLOCK}\n\nAbout Weldon Optics\n\n${WELDON}`],
    ["a partner with a past split, without a heading of its paragraph", `${ORLOCK}\n\n${WELDON}`],
    ["a partner with a past split in the paragraph before it", `${WELDON}\n\n${ORLOCK}`],
    ["two other companies", `${HARLAN}\n\n${ORLOCK}\n\nAbout Weldon Optics\n\n${WELDON}`],
  ])("is the company that announces the split, not %s", (_, content) => {
    expect(splitsIn(content, HEADING)).toEqual([ORLOCK_SPLIT]);
    expect(splitsIn(content, HEADING.toUpperCase())).toEqual([ORLOCK_SPLIT]);
    expect(splitsIn(content)).toEqual([ORLOCK_SPLIT]);
  });

  it.each([
    [
      "a defined term",
      'Orlock Motors, Inc. (NASDAQ: ORLK) (the "Company") makes cars. The Company will effect',
      "ORLK Orlock Motors, Inc.",
    ],
    [
      "a short name",
      'Orlock Motors, Inc. ("OM") (NASDAQ: ORLK) makes cars. OM will effect',
      "ORLK Orlock Motors, Inc.",
    ],
    [
      "initials in brackets",
      "Orlock Motors Group (OMG) (NASDAQ: ORLK) sells cars. OMG announced",
      "ORLK Orlock Motors Group",
    ],
    [
      "its board",
      "The board of directors of Orlock Motors, Inc. (NASDAQ: ORLK) has approved",
      "ORLK Orlock Motors, Inc.",
    ],
    [
      "its possession",
      "Orlock Motors, Inc. (NASDAQ: ORLK) met. Orlock's board has approved",
      "ORLK Orlock Motors, Inc.",
    ],
    [
      "a description before the verb",
      "Orlock Motors, Inc. (NASDAQ: ORLK), a maker of cars and a supplier of Harlan Freight Corp. (NYSE: HFRT), today announced",
      "ORLK Orlock Motors, Inc.",
    ],
    [
      "capitals and a defined term in brackets",
      "ORLOCK MOTORS CORP. (NASDAQ: ORLK) (“OMC”) TODAY ANNOUNCED",
      "ORLK ORLOCK MOTORS CORP.",
    ],
    [
      "its depositary shares",
      'Orlock Motors Ltd. said that for its American depositary shares ("ADSs") (NASDAQ: ORLK) it will effect',
      "ORLK Orlock Motors Ltd.",
    ],
    ["two listings", "Orlock Motors Ltd. (TSX: ORL) (OTCQB: ORLKF) announced", "ORL Orlock Motors Ltd."],
    ["the symbol of its warrants", "Orlock Motors, Inc. (NASDAQ: ORLK, ORLKW) announced", "ORLK Orlock Motors, Inc."],
    [
      "a subsidiary of another company",
      "Orlock Motors, Inc. (NASDAQ: ORLK), a subsidiary of Harlan Corp. (NYSE: HFRT), announced",
      "ORLK Orlock Motors, Inc.",
    ],
    [
      "a parent that reports its split",
      "Harlan Corp. (NYSE: HFRT) announced that its subsidiary Orlock Motors, Inc. (NASDAQ: ORLK) will effect",
      "ORLK Orlock Motors, Inc.",
    ],
  ])("is found by %s", (_, subject, issuer) => {
    expect(splitsIn(`${subject} ${TERMS}`)).toEqual([`${issuer} 1:30 2024-06-25`]);
  });

  it.each([
    [
      "announces its split",
      "Orlock Motors, Inc. (NASDAQ: ORLK) announced a 1-for-30 reverse stock split.",
      "Orlock Motors, Inc.",
    ],
    [
      "reports the split of another company",
      "Hollow Research LLC today reported that the reverse stock split of Orlock Motors (NASDAQ: ORLK) has been cancelled.",
      "Hollow Research LLC",
    ],
    [
      "reports that another company will split",
      "Harlan Corp. announced that its subsidiary Orlock Motors, Inc. (NASDAQ: ORLK) will effect a 1-for-30 reverse stock split.",
      "Harlan Corp.",
    ],
    [
      "is unknown of a passive sentence",
      "The reverse stock split of Orlock Motors (NASDAQ: ORLK) has been cancelled.",
      null,
    ],
  ])("differs from the company that speaks: it %s", (_, content, subject) => {
    const facts = read(content, "Reverse stock split");
    expect(facts.subject).toBe(subject);
    expect(facts.security).toMatchObject({ ticker: "ORLK", company: expect.stringContaining("Orlock Motors") });
  });
});

describe("a symbol that isn't attached to the issuer's name", () => {
  const PLAN = "Orlock Motors plans 1-for-30 reverse stock split";

  it.each([
    ["cashtags", "$ABCD $EFGH"],
    ["a cashtag", "$ABCD"],
    ["tags", "NYSE: ABCD\nNASDAQ: EFGH"],
    ["a tag", "(NYSE: ABCD)"],
    ["related tickers", "Related tickers: ABCD, EFGH"],
    ["a related ticker", "Related ticker: NASDAQ: ABCD"],
    ["another company's tag", HARLAN],
    ["a parent's tag", "Its parent is Harlan Freight Corp. (NYSE: HFRT)."],
  ])("isn't the split's, even if it is the only one: %s", (_, line) => {
    const announcement = `Orlock Motors announced ${TERMS}`;
    for (const content of [`${line}\n\n${announcement}`, `${announcement}\n\n${line}`]) {
      expect(splitsIn(content, PLAN)).toEqual([" Orlock Motors 1:30 2024-06-25"]);
      expect(read(content, PLAN).contradictions).toEqual(["ticker"]);
    }
  });

  it("counts if it abbreviates the name", () => {
    expect(splitsIn(`NASDAQ: ORLK\n\nOrlock Motors announced ${TERMS}`, PLAN)).toEqual([ORLOCK_SPLIT]);
  });

  it("is the only symbol of a warrant, a right, a preferred share or a note, which is never the share's", () => {
    for (const symbol of [
      'The warrants will continue to trade under the symbol "ORLKW".',
      "Its preferred stock (NASDAQ: ORLKP) is not affected.",
      'The Series A preferred stock trades under the symbol "ORLKP".',
      'The 8% notes trade under the symbol "ORLKZ".',
    ])
      expect(splitsIn(`Orlock Motors announced ${TERMS} ${symbol}`, PLAN)).toEqual([" Orlock Motors 1:30 2024-06-25"]);
  });
});

describe("a symbol without its exchange beside the issuer's name", () => {
  it.each([
    ["used for its shares", `Quillan Biosciences (QLLN) announced ${TERMS} QLLN shares fell 5%.`, ""],
    [
      "in the heading",
      `Quillan Biosciences Inc QLLN said it will carry out ${TERMS}`,
      "Quillan (QLLN) sets reverse split",
    ],
    ["after other news", `Quillan (QLLN, Fortune 500) said it will carry out ${TERMS}`, "Quillan stock QLLN sinks"],
    ["before a list that it belongs to", `Quillan (QLLN, Fortune 500) said it will carry out ${TERMS}`, ""],
    ["with the code of a country", `Quillan Biosciences Inc (QLLN.US) will carry out ${TERMS}`, ""],
    ["without a space", `Quillan Biosciences Inc(QLLN.US) will carry out ${TERMS}`, ""],
    ["as a link", `May 4th (Eastern Time) - $Quillan (QLLN.US)$ is about to implement ${TERMS}`, ""],
    ["in two brackets", `Quillan Biosciences ((QLLN)) has shared news. It will carry out ${TERMS}`, ""],
    ["with the code of the market", `Quillan Biosciences Inc QLLN.O said on Monday it will carry out ${TERMS}`, ""],
    ["after its use", `Quillan said on Monday it will carry out ${TERMS} Its shares, which trade as QLLN.O, fell.`, ""],
    ["after a day", `Quillan (QLLN) on Sept. 2 announced ${TERMS} QLLN lost 5%.`, ""],
    ["after a weekday", `Quillan (QLLN) late Monday announced ${TERMS} QLLN lost 5%.`, ""],
    [
      "in the place of a name",
      `Quillan announced a split, effective on June 24, for QLLN: ${TERMS} QLLN shares fell.`,
      "",
    ],
    ["in square brackets", `Quillan Biosciences [QLLN] will carry out ${TERMS}`, ""],
    [
      "before a change in its price",
      `Shares of Quillan Biosciences Inc. QLLN, -2.3% fell. Quillan will carry out ${TERMS}`,
      "",
    ],
    ["before its fall", `Shares of Quillan Biosciences Inc. QLLN sank. Quillan will carry out ${TERMS}`, ""],
    ["as a cashtag in the place of a name", `#Quillan $QLLN announces ${TERMS}`, ""],
    [
      "as the owner of the split",
      `QLLN shares closed at $1. Quillan will carry out ${TERMS}`,
      "QLLN 1-for-30 reverse split",
    ],
    ["with the country of its market", `Quillan Biosciences Inc. (QLLN:US) will carry out ${TERMS}`, ""],
    ["that abbreviates the name", `Quillan Biosciences announced ${TERMS} QLLN shares fell by half.`, ""],
    ["as the subject", `Quillan Advisers decided that QLLN will undergo ${TERMS} Shares of QLLN fell.`, ""],
  ])("is read: %s", (_, content, heading) => {
    expect(read(content, heading).splits).toMatchObject([{ ticker: "QLLN", ratio: { oldShares: 30 } }]);
  });

  it("is read after the name of a fund whose initials it has", () => {
    const content = `The Ridge Natural Gas Fund RNG will execute ${TERMS} RNG shares fell by half.`;
    expect(read(content, "Ridge Natural Gas to undergo reverse split").splits).toMatchObject([{ ticker: "RNG" }]);
  });

  it.each([
    ["of another company", `Quillan announced ${TERMS} Orlock Motors Inc ORLK shares fell.`],
    ["of another company in brackets", `Quillan announced ${TERMS} Orlock Motors (ORLK) shares fell.`],
    [
      "of which an earlier split is reported",
      `Quillan announced ${TERMS} Last year a split of ORLK and a split of HFRT failed. ORLK shares fell.`,
    ],
    ["that is a word in capitals", `Quillan announced ${TERMS} The split of ADSS and ADS shares is not planned.`],
    ["of which a part would remain", `Quillan Biosciences Inc QLLN.PR.A said it will carry out ${TERMS}`],
    ["that are initials of the name", `Quillan Biosciences Limited announced ${TERMS} QBL shares fell.`],
    ["beside another one that is used", `Quillan announced ${TERMS} QLLN shares fell like ORLK shares.`],
    ["with words that explain it", `Quillan Biosciences (QBXN, the maker of drugs) announced ${TERMS}`],
  ])("isn't read as one %s", (_, content) => {
    expect(read(content).splits).toMatchObject([{ ticker: null }]);
  });

  it("is read if the directory lists it under that name", () => {
    const entry = { company: "Quillan Biosciences, Inc.", exchange: exchange("NASDAQ"), directory: "one" };
    const directory: SymbolDirectory = { find: (symbol) => (symbol === ticker("QBXN") ? [entry] : []) };
    const content = `Quillan Biosciences (QBXN, Fortune 500) said it will carry out ${TERMS}`;
    expect(splitsIn(content, "", directory)).toEqual(["QBXN Quillan Biosciences 1:30 2024-06-25"]);
    expect(splitsIn(content)).toEqual([" Quillan Biosciences 1:30 2024-06-25"]);
  });
});

describe("a company that no sentence about the split names", () => {
  it.each([
    ["its symbol does", "ORLK shares will be combined in a reverse split on Tuesday."],
    ["its symbol owns the split", "ORLK 1-for-30 reverse split on Tuesday."],
    ["it is going to effect one", "Last week it said that Orlock Motors is going to undergo a reverse split."],
  ])("is the issuer if %s", (_, sentence) => {
    const content = `I have covered the carmaker Orlock Motors (NASDAQ: ORLK) for years. Its latest news is a 1-for-30 reverse stock split. ${sentence} It begins trading on a split-adjusted basis on June 25, 2024.`;
    expect(splitsIn(content)).toEqual([ORLOCK_SPLIT]);
  });

  it("has its name despite the words of a page before it", () => {
    const content = `Orlock Motors Inc. (NASDAQ: ORLK) shares fell. The company announced ${TERMS}\n\nSort by:\nDescending\nNEUTRAL IMPACT\nOrlock Motors Inc. announced a 1-for-30 reverse stock split.`;
    expect(splitsIn(content)).toEqual(["ORLK Orlock Motors Inc. 1:30 2024-06-25"]);
  });
});

describe("a symbol beside the class of the shares", () => {
  const FILING = `Item 5.03. Orlock Motors, Inc. (the "Company") filed an amendment to effect ${TERMS}`;

  it.each([
    [
      "in a table",
      "Title of each class | Trading Symbol(s) | Name of each exchange\nCommon Stock, $0.001 par value | ORLK | The Nasdaq Stock Market LLC\nWarrants to purchase Common Stock | ORLKW | The Nasdaq Stock Market LLC",
    ],
    [
      "in cells below each other",
      "Title of each class\n\nTrading Symbol(s)\n\nCommon Stock, $0.001 par value\n\nORLK\n\nThe Nasdaq Stock Market LLC",
    ],
    [
      "in running text",
      "Title of each class Trading Symbol(s) Common Stock, par value $0.001 per share ORLK The Nasdaq Stock Market LLC",
    ],
    [
      "after a colon",
      "Common Stock, par value $0.001 per share: ORLK (The Nasdaq Stock Market LLC)\n\nWarrants: ORLKW (Nasdaq)",
    ],
    [
      "of depositary shares",
      "American Depositary Shares, each representing ten Ordinary Shares | ORLK | New York Stock Exchange",
    ],
  ])("is the issuer's: %s", (_, cover) => {
    expect(splitsIn(`${cover}\n\n${FILING}`, "Form 8-K")).toEqual(["ORLK Orlock Motors, Inc. 1:30 2024-06-25"]);
  });

  it("isn't a word in capitals before an exchange", () => {
    const text = `The rules for common stock are NEW NYSE rules. ${FILING} The CEO NYSE rang the bell.`;
    expect(splitsIn(text, "Form 8-K")).toEqual([" Orlock Motors, Inc. 1:30 2024-06-25"]);
  });
});

describe("a company that acts for the issuer", () => {
  it.each([
    [
      "as depositary",
      "Tolland Bank, N.A. (NYSE: TLFR), as depositary for the ADR program of Bramwell plc, gives notice",
    ],
    [
      "as exchange agent",
      "Bramwell plc has announced a split. Tolland Bank (NYSE: TLFR), acting as the exchange agent, announces",
    ],
    [
      "as adviser",
      "Tolland Advisors Inc. (NYSE: TLFR), in its capacity as financial adviser, announces for Bramwell plc",
    ],
  ])("has no symbol of the split: %s", (_, start) => {
    const content = `${start} a 1-for-30 reverse split of the ADSs that takes effect on June 25, 2024.`;
    expect(read(content, "Notice").splits.map((split) => split.ticker)).toEqual([null]);
  });
});

describe("a text that names no company", () => {
  const NEWS =
    "a 1-for-30 reverse split takes effect. The shares begin trading on a split-adjusted basis on June 25, 2024.";
  const OTHER = 'Harlan Freight Corp. (NYSE: HFRT) (the "Company") today appointed a chief financial officer.';

  it.each([
    ["news", `${OTHER}\n\nOn June 25, ${NEWS} The company said so.`],
    ["a line in lower case", `${OTHER}\n\non June 25, ${NEWS}`],
    ["a date", `${OTHER}\n\ndate 2024-06-20 At Orlock ${NEWS}`],
    [
      "the articles of a corporation",
      `${OTHER}\n\nOn June 25, ${NEWS} It applies to the shares of the Corporation in a reverse split.`,
    ],
    ["a notice of a fund", `${OTHER}\n\nOn June 25, the Fund will effect a reverse split: ${NEWS}`],
    ["a sentence after a quoted symbol", `${OTHER} It trades under the symbol “HFRT.”\n\n2024 Notice: ${NEWS}`],
    [
      "a headline of another split after it",
      `${NEWS}\n\nMore of it\n\nHarlan Freight (NYSE: HFRT) announces 1-for-12 reverse stock split`,
    ],
  ])("has no symbol of the company before or after it: %s", (_, content) => {
    expect(splitsIn(content)).not.toContainEqual(expect.stringContaining("HFRT"));
  });

  it("keeps its terms beside a section about a company with a past split", () => {
    const content = `At Orlock ${NEWS}\n\nAbout Brackwell Mining\n\nBrackwell Mining Corp. (TSX: BRKW) mines copper. In June 2022 Brackwell consolidated its shares on a 20-for-1 basis; they began trading on a consolidated basis on June 14, 2022.`;
    expect(read(content).splits).toMatchObject([{ ticker: null, ratio: { oldShares: 30 }, exDate: "2024-06-25" }]);
  });
});

describe("the symbol of a fund's underlying share", () => {
  it.each([
    "Ridge 3x Short Orlock (NASDAQ: ORLK) Daily ETP Securities",
    "Ridge 2X Long Orlock (ORLK) Daily Target ETF",
    "RIDGE 3X SHORT ORLOCK (NASDAQ: ORLK) DAILY ETP SECURITIES",
    "Ridge Leveraged Long Orlock (NASDAQ: ORLK) ETN",
  ])("isn't the fund's: %s", (fund) => {
    const content = `Ridge Financial plc announced a consolidation of its ${fund}. Every 30 securities become one. Trading of the consolidated securities begins on June 25, 2024.`;
    const { mentions: _, ...facts } = read(content, "Ridge adjusts ETP in reverse split");
    expect(JSON.stringify([facts.security, facts.splits])).not.toContain('"ticker":"ORLK"');
  });

  it("differs from that of a fund before its shares", () => {
    const content = `Ridge Funds announced a 1-for-30 reverse split of the Ridge Copper ETF (NYSE Arca: RCOP) shares. Trading on a split-adjusted basis begins on June 25, 2024.`;
    expect(read(content, "Ridge announces reverse split of an ETF").splits).toMatchObject([{ ticker: "RCOP" }]);
  });
});

describe("several announcements in one text", () => {
  const ARBOR =
    "Arbor Lane Inc. (NYSE: ARBL) announced a 1-for-10 reverse stock split. Its shares will begin trading on a split-adjusted basis on June 20, 2024.";
  const DRESEL =
    "Dresel Corp. (NASDAQ: DRSL) announced a 1-for-20 reverse stock split. Its shares will begin trading on a split-adjusted basis on June 25, 2024.";
  const [ARBOR_SPLIT, DRESEL_SPLIT] = ["ARBL Arbor Lane Inc. 1:10 2024-06-20", "DRSL Dresel Corp. 1:20 2024-06-25"];

  it.each([
    ["without a heading", ""],
    ["under a heading with the first name", "Arbor Lane announces reverse split"],
    ["under a heading with the second name", "Dresel Corp. announces reverse split"],
    ["under a heading with both names", "Arbor Lane and Dresel announce reverse splits"],
  ])("are a record each, %s", (_, heading) => {
    for (const content of [`${ARBOR}\n\n${DRESEL}`, `${DRESEL}\n\n${ARBOR}`, `${ARBOR} ${DRESEL}`]) {
      expect(splitsIn(content, heading).toSorted()).toEqual([ARBOR_SPLIT, DRESEL_SPLIT]);
    }
  });

  it("quotes the sentence of each company", () => {
    const { splits } = read(`${ARBOR}\n\n${DRESEL}`, "Dresel Corp. announces reverse split");
    expect(splits.find(({ ticker: symbol }) => symbol === "ARBL")?.evidence).toMatchObject({
      company: "Arbor Lane Inc. (NYSE: ARBL) announced a 1-for-10 reverse stock split.",
      ticker: "Arbor Lane Inc. (NYSE: ARBL) announced a 1-for-10 reverse stock split.",
      exDate: "Its shares will begin trading on a split-adjusted basis on June 20, 2024.",
    });
  });

  it("are a record for each share class whose symbol the text states in order", () => {
    const content =
      'Valmer Mines Ltd. announces the consolidation of its Class A shares and Class B shares at a ratio of one post-consolidation share for every twenty-five pre-consolidation shares. They will begin trading on a consolidated basis on the TSX on June 25, 2024. The Class A shares and Class B shares will trade under the symbols "VLM.A" and "VLM.B", respectively.';
    expect(splitsIn(content, "Valmer Mines announces consolidation")).toEqual([
      "VLM.A Valmer Mines Ltd. 1:25 2024-06-25",
      "VLM.B Valmer Mines Ltd. 1:25 2024-06-25",
    ]);
  });
});

it("has a record for each share class of a tag that the split names", () => {
  const content =
    "Valmer Mines Ltd. (TSX: VLM.A, VLM.B) announces the consolidation of its Class A shares and its Class B shares, each on the basis of one new share for 30 old shares. They begin trading on a consolidated basis on June 25, 2024.";
  expect(splitsIn(content)).toEqual([
    "VLM.A Valmer Mines Ltd. 1:30 2024-06-25",
    "VLM.B Valmer Mines Ltd. 1:30 2024-06-25",
  ]);
  const onlyA = content.replace(" and its Class B shares", "").replace("each ", "");
  expect(splitsIn(onlyA)).toEqual([" Valmer Mines Ltd. 1:30 2024-06-25"]);
});

describe("a company that another one reports on", () => {
  const DAY = "The shares will begin trading on a split-adjusted basis on June 25, 2024.";
  const BRAMWELL = "Bramwell Motors Inc. (NASDAQ: BRMW)";

  it.each([
    ["a parent", "Its parent", `Tolland Freight Corp. (NYSE: TLFR) said that its 60% owned subsidiary ${BRAMWELL}`],
    [
      "an adviser",
      "",
      `Tolland Advisors Inc. (NYSE: TLFR), acting as financial advisor, announced today that ${BRAMWELL}`,
    ],
    [
      "a company with a past split",
      "",
      `Following Tolland Corp. (NYSE: TLFR), which completed a 1-for-70 reverse stock split on May 3, 2024, ${BRAMWELL}`,
    ],
    [
      "a holding of the same name",
      "",
      `Bramwell Motors Holdings (NYSE: BRMH), which owns Bramwell Motors Inc., said that ${BRAMWELL}`,
    ],
  ])("is the issuer, not %s", (_, heading, start) => {
    const content = `${start} will effect a 1-for-30 reverse stock split. ${DAY}`;
    expect(splitsIn(content, heading)).toEqual(["BRMW Bramwell Motors Inc. 1:30 2024-06-25"]);
  });

  it.each([
    ["a law firm", `Kade & Brun LLP announces an investigation of ${BRAMWELL} after the company announced`],
    ["a bank", `Tolland Bank (NYSE: TLFR) cut the rating of ${BRAMWELL} after it announced`],
    [
      "a partner in a merger",
      `Tolland Corp. (NYSE: TLFR) and ${BRAMWELL} closed their merger. Before the closing, Bramwell announced`,
    ],
    [
      "the owner of a similar name",
      `Bramwell Battery Corp. (NYSE: BRBT) is a sister of ${BRAMWELL}. Bramwell Motors announced`,
    ],
    [
      "a critic",
      `Tolland Corp. (NYSE: TLFR) criticized ${BRAMWELL}. Tolland calls it a mistake that Bramwell Motors announced`,
    ],
  ])("is the issuer of what it announced, not %s", (_, start) => {
    const content = `${start} a 1-for-30 reverse stock split. ${DAY}`;
    expect(splitsIn(content)).toEqual(["BRMW Bramwell Motors Inc. 1:30 2024-06-25"]);
  });

  it("is not the issuer of a spin-off's split ratio", () => {
    const content = `Tolland Corp. (NYSE: TLFR) announced that it will effect a 1-for-8 reverse stock split after the spin-off of Bramwell Motors (NASDAQ: BRMW). ${DAY}`;
    expect(splitsIn(content)).toEqual(["TLFR Tolland Corp. 1:8 2024-06-25"]);
  });

  it("is unknown if a holder speaks of our split", () => {
    const content = `Tolland Corp. (NYSE: TLFR) holds 40% of our shares and supports our 1-for-30 reverse stock split. Our common stock begins trading on a split-adjusted basis on June 25, 2024.`;
    expect(extractFacts({ heading: "Reverse Split", content }).security.ticker).toBeNull();
  });

  it.each(["(NYSE: TLFR supplier)", "(a NYSE: TLFR controlled company)"])("has no symbol in the tag %s", (tag) => {
    const content = `Bramwell Motors Inc. ${tag} announced a 1-for-30 reverse stock split. ${DAY}`;
    expect(splitsIn(content)).toEqual([" Bramwell Motors Inc. 1:30 2024-06-25"]);
  });
});

function announcementOf(tag: string): string {
  return `Bramwell Motors Inc. ${tag} announced a 1-for-30 reverse stock split. Trading on a split-adjusted basis begins on June 25, 2024.`;
}

describe("a symbol behind its exchanges or a wording", () => {
  it.each([
    ["two exchanges", announcementOf("(NASDAQ, Euronext Amsterdam: BRMW)")],
    ["two exchanges and `and`", announcementOf("(NYSE and Euronext Paris: BRMW)")],
    ["brackets", `${announcementOf("")} The shares trade under the same symbol (BRMW).`],
    ["trading as", `${announcementOf("")} Trading as "BRMW" on both exchanges, Bramwell Motors employs 30.`],
    ["the word stock", `${announcementOf("")} Bramwell Motors Inc stock (BRMW) has seen a decline.`],
  ])("is read behind %s", (_, content) => {
    expect(splitsIn(content, "Bramwell Motors sets split")).toEqual(["BRMW Bramwell Motors Inc. 1:30 2024-06-25"]);
  });
});

describe("a symbol of another company or security", () => {
  it.each([
    ["in its own symbol sentence", 'Tolland Freight Corp. trades on the NYSE under the symbol "TLFR".'],
    [
      "in an About section",
      'About Tolland\nTolland Freight (NYSE: TLFR) is a holder. The Company is listed under the symbol "TLFR".',
    ],
    ["without a legal form", 'Tolland Freight trades under the symbol "TLFR".'],
    ["after a mention", 'The ticker TLFR surged. Tolland Freight trades under the symbol "TLFR".'],
    ["of its shares", 'Tolland Freight\'s common shares are listed under the symbol "TLFR".'],
  ])("is not the issuer's: %s", (_, text) => {
    expect(splitsIn(`${announcementOf("")}\n\n${text}`)).toEqual([" Bramwell Motors Inc. 1:30 2024-06-25"]);
  });

  it.each([
    ["its Copper 3x Inverse ETNs", "Tolland Bank"],
    ["two series of its exchange traded notes", "Tolland Bank"],
    ["its Tolland Bear 3x ETF", "Tolland Asset Management"],
  ])("is not that of %s", (products, sponsor) => {
    const content = `${sponsor} (NYSE: TLFR) announced a 1-for-30 reverse split of ${products}. They will trade on a split-adjusted basis on June 25, 2024.`;
    expect(extractFacts({ heading: "", content }).splits.map(({ ticker: symbol }) => symbol)).toEqual([null]);
  });

  it("is that of the preferred shares if only these are split", () => {
    const content =
      "Bramwell Motors Inc. (NASDAQ: BRMW) announced a 1-for-30 reverse split of its Series B Preferred Stock (NASDAQ: BRMWP). The Series B Preferred will trade on a split-adjusted basis on June 25, 2024.";
    expect(splitsIn(content)).not.toContainEqual(expect.stringContaining("BRMW Bramwell"));
  });

  it("is that of units on the NYSE", () => {
    expect(splitsIn(announcementOf("(NYSE: BRMW.U)"))).toEqual([" Bramwell Motors Inc. 1:30 2024-06-25"]);
  });
});

describe("a bank's series of notes", () => {
  const TABLE_TEXT =
    "Bank of Tolland (TSX: TLFR) (NYSE: TLFR) today announced a reverse split of two series of its exchange traded notes, as listed below. ETNs Ticker Symbol Reverse Split Ratio Current CUSIP / New CUSIP Tolland Banks -3X Inverse Leveraged ETNs due March 25, 2039 BRBX 1-for-5 11111G625 / 11111V501 Tolland Miners -3X Inverse Leveraged ETNs due June 29, 2040 BRGX 1-for-10 11111G641 / 11111V600 Each ETN will begin trading on a split-adjusted basis on June 25, 2024.";

  it("are a record each, without the bank's symbol, in a table that became running text", () => {
    const { splits } = read(TABLE_TEXT, "Tolland Announces Reverse Split of Two Series of ETNs");
    expect(splits.map((split) => [split.ticker, split.ratio && ratioCode(split.ratio), split.exDate])).toEqual([
      ["BRBX", "1:5", "2024-06-25"],
      ["BRGX", "1:10", "2024-06-25"],
    ]);
  });

  it("have the symbol that the text defines as their short name", () => {
    const content =
      'Bank of Tolland announced that it will implement a 1-for-10 reverse split of its Tolland Daily 2x Copper ETNs due December 4, 2030 ("BRCX"). BRCX will begin trading on the NYSE Arca on a split-adjusted basis on June 25, 2024.';
    const { splits } = read(content, "Bank of Tolland Announces the Reverse Split of Its Copper ETNs");
    expect(splits).toMatchObject([{ ticker: "BRCX", exDate: "2024-06-25" }]);
  });
});

it("gives each of two share classes its symbol", () => {
  const content =
    'MONTREAL, June 9, 2024 -- Volmer Inc. (TSX: VLM.B) (the "Corporation") confirmed the consolidation of its Class A shares and Class B shares at a ratio of one post-consolidation share for every twenty-five pre-consolidation Class A shares or Class B shares, effective on June 25, 2024. They will continue to be listed on the TSX under the symbols "VLM.A" and "VLM.B", respectively, for the Class A shares and Class B shares.';
  const symbols = read(content).splits.map((split) => `${split.ticker} ${split.ratio && ratioCode(split.ratio)}`);
  expect(symbols.toSorted()).toEqual(["VLM.A 1:25", "VLM.B 1:25"]);
});

describe("words in capitals that name no company", () => {
  it.each([
    'On April 4, 2027 ("Effective Date") at 6:00 p.m. Eastern Time, a reverse stock split ("Reverse Stock Split") will occur, as a result of which each one hundred (100) shares of the Corporation shall be converted into one (1) share.',
    'On April 4, 2027 at 4:05 p.m. Pacific Standard Time (the "Effective Time"), each one hundred (100) shares of common stock will be combined into one (1) share by a reverse stock split.',
    'Pursuant to the Nevada Revised Statutes ("NRS"), a reverse stock split will take effect on April 5, 2027, by which each one hundred (100) shares are converted into one (1) share.',
    "The 1-for-100 reverse split will take effect on April 5, 2027. Officials said the reverse split will be carried out without a vote.",
  ])("are not the issuer: %s", (content) => {
    const { splits, subject } = read(content);
    expect([splits.map(({ company }) => company), subject ?? null]).toEqual([[null], null]);
  });
});

describe("the name on the cover of a filing", () => {
  const split =
    'EXPLANATORY NOTE\n\nOn September 21, 2027, the Company\'s shareholders approved a share consolidation at the ratio of one-for-eight (the "Share Consolidation"). The Share Consolidation will be reflected in the marketplace at the open of business on September 27, 2027, whereupon the ordinary shares will begin trading on a split-adjusted basis. The shares will continue to trade on NASDAQ under the symbol "FAFU".';

  it.each([
    "Farfungi, Inc.\n\n(Registrant's name)",
    "Farfungi, Inc.\n(Exact name of registrant as specified in its charter)",
    "Farfungi, Inc. (Exact Name of Registrant as Specified in its Charter)",
    "Farfungi, Inc.\n\n(Name of Registrant)",
  ])("is the issuer: %s", (name) => {
    const cover = `SECURITIES AND EXCHANGE COMMISSION\n\nFORM 6-K\n\nCommission File Number: 001-11111\n\n${name}\n\n1 Mill Street\n\n(Address of principal executive offices)`;
    expect(splitsIn(`${cover}\n\n${split}`, "FORM 6-K")).toEqual(["FAFU Farfungi, Inc. 1:8 2027-09-27"]);
  });
});

describe("the symbols below a story of a news agency", () => {
  const story =
    "BOISE - Orlock Motors Corp. says a consolidation of its shares on a one-for-30 basis is effective on June 25, 2024, when the shares will start trading on a consolidated basis.";

  it.each([
    ["Companies in this story: (TSX:RYDE)", "RYDE Orlock Motors Corp. 1:30 2024-06-25"],
    ["Company in this story: (TSX: RYDE)", "RYDE Orlock Motors Corp. 1:30 2024-06-25"],
    ["Companies mentioned in this article: (TSX:RYDE)", "RYDE Orlock Motors Corp. 1:30 2024-06-25"],
    ["Companies in this story: (TSX:RYDE, TSX:WLDO)", " Orlock Motors Corp. 1:30 2024-06-25"],
  ])("are the issuer's if there is one: %s", (tags, expected) => {
    expect(splitsIn(`${story}\n\n${tags}`, "Orlock Motors to consolidate its shares")).toEqual([expected]);
  });
});

describe("the symbol beside the change of the price", () => {
  it.each(["RYDE -27.4% ", "RYDE +3%", "RYDE, −5.25%", "RYDE"])("belongs to the company before it: %s", (bracket) => {
    const content = `Orlock Motors (${bracket}) has announced a 1-for-30 reverse split of its shares, which begin trading on a split-adjusted basis on June 25, 2024.`;
    expect(splitsIn(content, "Orlock Motors announces reverse split")).toEqual(["RYDE Orlock Motors 1:30 2024-06-25"]);
  });
});

describe("a company that the sentence of the split only mentions", () => {
  const FREIGHT = "Tolland Freight Corp. (NYSE: TLFR)";
  const SPLIT = "a 1-for-30 reverse stock split. The shares begin trading on a split-adjusted basis on June 25, 2024.";

  it.each([
    ["a customer", "", `, whose largest customer is ${FREIGHT}, announced ${SPLIT}`],
    ["a former parent", "", `, recently spun off from ${FREIGHT}, announced ${SPLIT}`],
    ["a company with a split last year", "", `, like ${FREIGHT} last year, announced ${SPLIT}`],
    ["an owner", "", `, owned by ${FREIGHT}, announced ${SPLIT}`],
    [
      "a partner in a venture",
      "",
      ` and ${FREIGHT} announced a joint venture. Bramwell Motors will also effect ${SPLIT}`,
    ],
    ["a parent that reports it", `${FREIGHT} said that its subsidiary `, ` will effect ${SPLIT}`],
    ["a broker that reports it", `${FREIGHT} informs its clients: `, ` will effect ${SPLIT}`],
    ["a takeover target", `${FREIGHT} will be bought by Bramwell Motors. Before that, `, ` will effect ${SPLIT}`],
  ])("gives it no symbol: %s", (_, before, after) => {
    expect(extractFacts({ heading: "", content: `${before}Bramwell Motors${after}` }).security.ticker).toBeNull();
  });

  it.each([
    ["a customer", `, whose largest customer is ${FREIGHT}, announced ${SPLIT}`],
    ["a former parent", `, recently spun off from ${FREIGHT}, announced ${SPLIT}`],
    ["an owner", `, a majority-owned subsidiary of ${FREIGHT}, announced ${SPLIT}`],
    ["its own subsidiary", `, together with its subsidiary Zellin LLC, announced ${SPLIT}`],
    ["a sale", ` announced that, after the sale of its subsidiary Zellin LLC, it will effect ${SPLIT}`],
    ["a comma before the verb", `, today announced ${SPLIT}`],
  ])("keeps its own symbol beside %s", (_, after) => {
    const content = `Bramwell Motors Inc. (NASDAQ: BRMW)${after}`;
    expect(splitsIn(content)).toEqual(["BRMW Bramwell Motors Inc. 1:30 2024-06-25"]);
  });
});

describe("the symbol of depositary shares", () => {
  const DEALINGS = "Dealings in the new ordinary shares will commence on June 25, 2024.";

  it.each([
    [
      "of the over-the-counter market",
      `Bramwell plc (AIM: BRM, OTCQX: BRMWY) announces a consolidation of its ordinary shares on the basis of one new ordinary share for every 10 existing ordinary shares. ${DEALINGS}`,
    ],
    [
      "that the split doesn't change",
      `Bramwell Ltd (ASX: BRM; Nasdaq: BRMW) announces a consolidation of its ordinary shares on a 1 for 10 basis. ${DEALINGS} The ratio of its ADSs, each representing 100 ordinary shares, will change to 10 ordinary shares, so the number of ADSs will not change.`,
    ],
  ])("isn't that of the ordinary shares, which are split: %s", (_, content) => {
    expect(read(content)).toMatchObject({
      kind: "reverse_split",
      splits: [{ ticker: null, ratio: { newShares: 1, oldShares: 10 } }],
      contradictions: ["ticker"],
    });
  });

  it.each([
    "a 1-for-10 reverse split of its ADRs effective June 25, 2024.",
    "a change of its ADR ratio from one ADR representing one ordinary share to one ADR representing ten ordinary shares, effective June 25, 2024.",
  ])("is that of %s", (terms) => {
    expect(splitsIn(`Bramwell plc (OTCQX: BRMWY) announces ${terms}`)).toEqual(["BRMWY Bramwell plc 1:10 2024-06-25"]);
  });
});
