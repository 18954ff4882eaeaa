import { fill, inWords, type Random, type Split, writeDate } from "./facts.ts";
import * as phrases from "./phrases.ts";
import { type Choice, type GridText, pick, placeholders, randomCusip, record, type TextKind } from "./texts.ts";

const LISTED = phrases.US_EXCHANGES.filter((line) => !line.includes("OTC"));

/** Writes paragraphs that name slots, and expects one record of the split. */
function template(
  paragraphs: readonly string[],
  { fixed = {}, published = false, kind }: { fixed?: Record<string, string>; published?: boolean; kind?: string } = {},
) {
  return (choice: Choice, split: Split, random: Random): GridText => {
    const values = { ...placeholders(choice, split, random), ...fixed };
    const [treatment = "", fraction = ""] = (choice.fraction ?? "").split("|");
    const texts: Record<string, string> = { ...choice, fraction };
    const written = paragraphs.map((paragraph) =>
      paragraph.replaceAll(/<(\w+)>/g, (_, slot: string) => texts[slot] ?? ""),
    );
    const content = written
      .map((text) => fill(text, values).trim())
      .filter((text) => text !== "")
      .join("\n\n");
    const all = `${choice.heading}${written.join(" ")}`;
    return {
      heading: fill(choice.heading ?? "", values),
      content,
      published: published ? split.today : null,
      expected: [
        record({
          ...(kind !== undefined && { kind }),
          ticker: all.includes("{SYM}") ? values.SYM : undefined,
          exchange:
            all.includes("{EX}") || all.includes("{Exchange}") || all.includes("{ExchangeCover}")
              ? values.code
              : undefined,
          ratio: `1:${split.old}`,
          day: split.trading,
          fraction: treatment,
          cusip: all.includes("{CUSIP}") ? values.CUSIP : undefined,
        }),
      ],
    };
  };
}

const summary: TextKind = {
  name: "summary",
  slots: {
    name: phrases.NAMES,
    exchange: LISTED,
    date: ["{M} {d}, {y}", "{m} {d}, {y}", "{M} {d}", "{b} {d}", "{y}-{mm}-{dd}", "{M} {th}, {y}"],
    heading: [
      "{Name} Announces 1-for-{o} Reverse Stock Split",
      "{short} Announces Reverse Stock Split",
      "{short} to Execute 1-for-{o} Reverse Stock Split | {SYM} Stock News",
      "{Name} Announces Effectiveness of Reverse Stock Split",
    ],
    lead: [
      "Core Viewpoint - {Name} ({EX}: {SYM}) will implement a 1-for-{o} reverse stock split to comply with the minimum bid price requirement, effective {T}.",
      "Rhea-AI Summary\n{Name} ({EX}: {SYM}) has announced a 1-for-{o} reverse stock split of its common stock, scheduled to take effect on {T}.",
      "Key takeaways: {short} ({EX}: {SYM}) will carry out a one-for-{O} reverse split; trading on the new basis starts {T}.",
      '{Name} ({EX}:{SYM}) announced a reverse stock split at a ratio of 1-for-{o}. The common stock will begin trading on a post-split basis at market open on {T}, under the existing symbol "{SYM}".',
      "Quick summary\n{Name} ({EX}: {SYM}) has approved a 1-for-{o} reverse split of its ordinary shares, expected to begin trading on a split-adjusted basis on {T}.",
      "{Name} ({EX}: {SYM}) plans a reverse stock split where every {o} shares will be consolidated into one, effective {T}.",
    ],
    details: [
      "",
      "Group 1: Reverse Stock Split Details - The reverse stock split will combine every {o} pre-split shares into one new share, effective at 12:01 a.m. Eastern Time on {T}.",
      "Positive\n- Maintains the listing\nNegative\n- Reduces liquidity\n- Reverse splits often signal weakness",
      "• Ratio: 1-for-{o}\n• Effective date: {T}\n• Shares outstanding after the split: about 4.2 million",
      "Reverse split ratio: 1:{o}\nFirst trading day post-split: {T}",
    ],
    fraction: phrases.FRACTIONS.slice(0, 13),
    cusip: ["", "New CUSIP number: {CUSIP}", "The new CUSIP number is {CUSIP}."],
    closing: [
      "",
      "Insights: {SYM} shares were down 8% at $0.41 in recent trading. AI-generated analysis. Not financial advice.",
      "What is the ratio of {short}'s reverse stock split? The ratio is 1-for-{o}.",
      "FAQ\nWhen will the reverse split take effect? {T}.",
    ],
  },
  write: template(["<lead>", "<details>", "<fraction>", "<cusip>", "<closing>"], { published: true }),
};

const completion: TextKind = {
  name: "completion",
  slots: {
    name: phrases.NAMES,
    exchange: phrases.US_EXCHANGES,
    tag: phrases.TAGS.filter((tag) => tag.includes("{EX}")),
    noun: phrases.NOUNS.filter((noun) => !noun.includes("of its")),
    heading: [
      "{Name} Completes {Split}",
      "{short} Announces Completion of {Split}",
      "{short} Announces Effectiveness of {Split}",
      "{Name}’s {Split} Takes Effect Today",
      "",
    ],
    lead: [
      "today announced that its 1-for-{o} {split} became effective prior to the opening of trading today, {T}",
      "today announced the completion of its previously announced {split} at a ratio of 1-for-{o}, effective {T}",
      "announced that it has completed a one-for-{O} {split}, and its shares began trading on a split-adjusted basis today, {T}",
      "announced today that a 1-for-{o} {split} of its shares took effect at 12:01 a.m. on {T}",
      "has completed its {split}. Every {o} shares were combined into one, and trading on a split-adjusted basis began on {T}",
      "reports that its {o}:1 {split} was implemented before the market opened on {T}",
    ],
    detail: [
      "",
      "The Company’s shares commenced trading on a {basis} basis at the market open on {T}.",
      "The number of outstanding shares was reduced from approximately {many} to approximately {few}.",
      "The new CUSIP number is {CUSIP}.",
    ],
    closing: phrases.CLOSINGS,
    date: ["{M} {d}, {y}", "{m} {d}, {y}", "{W}, {M} {d}, {y}"],
    dateline: phrases.DATELINES.map((line) => line.replace("{today}", "{issued}")),
  },
  write: (choice, split, random) =>
    template(["<dateline>{Name}<tag> <lead>.", "<detail>", "<closing>"], {
      fixed: { issued: writeDate(split.trading, "{M} {d}, {y}") },
    })(choice, split, random),
};

const besides: TextKind = {
  name: "beside other news",
  slots: {
    name: phrases.NAMES,
    exchange: phrases.US_EXCHANGES,
    tag: phrases.TAGS.filter((tag) => tag.includes("{EX}")),
    date: phrases.DATE_NOTATIONS.slice(0, 8),
    heading: [
      "{Name} Reports Third Quarter Results",
      "{short} Announces Name Change and Reverse Split",
      "{short} Provides Business Update",
      "{Name} Receives Nasdaq Delisting Notice, Sets Reverse Split",
      "{short} Announces Closing of Offering",
    ],
    opening: [
      "today reported financial results for the quarter ended September 30 and provided a business update.",
      "today announced the appointment of Jane Harlow as chief financial officer.",
      "today announced the closing of its previously announced public offering of 4,000,000 shares.",
      "today announced that it received a letter from the Listing Qualifications Department of Nasdaq stating that it does not comply with the minimum bid price requirement.",
      "today announced the launch of its new line of boat engines.",
    ],
    split: [
      "In addition, the Company announced that it will effect a 1-for-{o} reverse stock split of its common stock, which will begin trading on a split-adjusted basis at the market open on {T}.",
      "Separately, the Board has approved a 1-for-{o} reverse stock split, effective {T}.",
      "Reverse Stock Split\nThe Company will implement a one-for-{O} reverse split of its issued and outstanding common stock at 12:01 a.m. on {T}.",
      "To regain compliance, the Company will carry out a reverse stock split at a ratio of 1-for-{o}. The shares are expected to start trading on the adjusted basis on {T}.",
      "Effective {T}, the Company will consolidate its shares on the basis of one new share for every {o} old shares.",
      "The Company also announced a 1-for-{o} reverse split. When the market opens on {T}, its shares will trade on a split-adjusted basis.",
    ],
    fraction: phrases.FRACTIONS.slice(0, 13),
    figures: [
      "",
      "Revenue was $12.4 million, compared with $10.1 million in the prior-year quarter. Net loss per share was $0.12.",
      "The gross proceeds were approximately $8.0 million, before deducting placement agent fees.",
      "“This is an important step for our company,” said Tom Reeve, Chief Executive Officer.",
    ],
    closing: phrases.CLOSINGS.slice(0, 4),
    dateline: phrases.DATELINES,
  },
  write: template(["<dateline>{Name}<tag> <opening>", "<figures>", "<split>", "<fraction>", "<closing>"], {
    fixed: { Split: "Reverse Stock Split" },
  }),
};

const memo: TextKind = {
  name: "options memo",
  slots: {
    name: phrases.NAMES,
    date: ["{M} {d}, {y}", "{mm}/{dd}/{y}", "{m} {d}, {y}"],
    heading: ["", "Information Memo", "#57120 {Name} - Reverse Split", "Contract Adjustment - {Name}"],
    header: [
      "Date: {today}\nSubject: {Name} - Reverse Split\nOption Symbol: {SYM}\nNew Symbol: {SYM}1\nEx-Date: {T}",
      "#57120\nDATE: {today}\nSUBJECT: {Name} – Reverse Split\nOPTION SYMBOL: {SYM}\nNEW SYMBOL: {SYM}1\nEX-DATE: {T}",
      "SUBJECT: REVERSE SPLIT - {Name}\nOPTION SYMBOL: {SYM}\nNEW SYMBOL: {SYM}1\nDATE: {T}",
      "Date: {today}\nTo: Options members\nRe: {Name} ({SYM}) reverse stock split",
    ],
    lead: [
      "{Name} ({SYM}) has announced a 1-for-{o} reverse stock split. As a result of the reverse stock split, each {SYM} Common Share will be converted into the right to receive {part} (New) {Name} Common Shares. The reverse stock split will become effective before the market open on {T}.",
      "{Name} ({SYM}) has announced a one-for-{O} reverse split of its common stock. The ex-distribution date is {T}.",
      "{Name} ({SYM}) will effect a 1-for-{o} reverse share split. The reverse split will be effective at the opening of business on {T}.",
      "Effective {T}, {Name} ({SYM}) shares will reverse split 1 for {o}.",
    ],
    adjustment: [
      "CONTRACT ADJUSTMENT\nEffective Date: {T}\nOption Symbol: {SYM} changes to {SYM}1\nContract Multiplier: 1\nStrike Divisor: 1\nNew Multiplier: 100\nNew Deliverable Per Contract: 5 (New) {Name} ({SYM}) Common Shares\nNew CUSIP: {CUSIP}",
      "The option symbol {SYM} will change to {SYM}1 and the deliverable will be 5 shares. Strike prices are not changed.",
    ],
    closing: [
      "",
      "Disclaimer: This Information Memo provides an unofficial summary of the terms of corporate events affecting listed options or futures prepared for the convenience of market participants.",
    ],
  },
  write: (choice, split, random) => {
    const text = template(["<header>", "<lead>", "<adjustment>", "<closing>"], {
      fixed: { part: String(1 / split.old).slice(0, 6) },
    })(choice, split, random);
    return text;
  },
};

const form: TextKind = {
  name: "labeled lines",
  slots: {
    name: phrases.NAMES,
    exchange: LISTED,
    date: ["{M} {d}, {y}", "{mm}/{dd}/{y}", "{y}-{mm}-{dd}", "{d} {M} {y}", "{b} {d}, {y}"],
    heading: [
      "{Name} - Reverse Stock Split",
      "Reverse Split of {Name}",
      "Corporate action notice",
      "{Name} ({SYM}) Reverse Split",
      "Reverse split: {Name}",
    ],
    lines: [
      "{Name} - Reverse Stock Split\nTicker: {SYM}\nExchange: {EX}\nRatio: 1-for-{o}\nEx-Date: {T}",
      "Corporate action: Reverse stock split\nIssuer: {Name}\nSymbol: {SYM}\nMarket: {EX}\nTerms: {o} old shares = 1 new share\nEx-date: {T}",
      "Company: {Name}\nSymbol: {SYM}\nListed on: {EX}\nEvent: Reverse split\nRatio: 1 for {o}\nEffective date: {T}",
      "Issuer: {Name} ({EX}: {SYM})\nAction: Reverse stock split\nRatio: 1:{o}\nFirst trading day: {T}",
      "What is happening?\n{Name} ({EX}: {SYM}) is effecting a reverse stock split.\nWhat is the ratio?\n1-for-{o}.\nWhen will it be effective?\n{T}, before the market opens.",
    ],
    cusip: ["", "New CUSIP: {CUSIP}", "Old CUSIP: {OLDCUSIP}\nNew CUSIP: {CUSIP}"],
    fraction: [
      "|",
      "cash_in_lieu|Fractions: cash in lieu",
      "round_up|Fractional shares: rounded up to the next whole share",
      "cash_in_lieu|Fractional shares will be paid in cash.",
    ],
  },
  write: template(["<lines>\n<fraction>\n<cusip>"], { published: true }),
};

const exchangeText: TextKind = {
  name: "exchange's text",
  slots: {
    name: phrases.NAMES,
    exchange: [
      "NASDAQ|Nasdaq|NASDAQ",
      "Nasdaq|The Nasdaq Stock Market|NASDAQ",
      "NYSE American|NYSE American|NYSEAMERICAN",
      "NYSE|the New York Stock Exchange|NYSE",
    ],
    date: ["{W}, {M} {d}, {y}", "{M} {d}, {y}", "{mm}/{dd}/{y}"],
    heading: [
      "Reverse stock split of {Name}",
      "Corporate action: {Name} ({SYM})",
      "Information regarding the reverse stock split of {Name} ({SYM})",
      "Market notice",
    ],
    lead: [
      "The 1-for-{o} reverse stock split of {Name} ({EX}: {SYM}) will become effective on {T}. ",
      "{Exchange} will process the reverse stock split of {Name} ({EX}: {SYM}) at a ratio of 1-for-{o}. The shares will trade on a split-adjusted basis from the open on {T}.",
      "{Name} ({EX}: {SYM}) will effect a one-for-{O} reverse split of its common stock. The effective date is {T}.",
      "Please be advised that {Name} ({EX}: {SYM}) has declared a one (1) for {O} ({o}) reverse stock split, effective with the opening of business on {T}.",
      "Members are informed that the common stock of {Name} ({EX}: {SYM}) will open for trading on a post-split basis on {T} following a 1:{o} reverse split.",
    ],
    cusip: [
      "",
      "New CUSIP: {CUSIP}",
      "The CUSIP number will change to {CUSIP}.",
      "CUSIP: {OLDCUSIP} (old), {CUSIP} (new)",
    ],
    symbol: [
      "",
      "The security will continue to trade under the symbol {SYM}.",
      "All open GTC orders will be cancelled.",
      "Questions may be directed to market operations.",
    ],
  },
  write: template(["{today}", "<lead>", "<cusip>", "<symbol>"]),
};

const FUNDS = [
  "Hexmoor Daily Copper Bear 3x Shares|HCB",
  "Hexmoor UltraShort Silver ETF|HSSL",
  "Hexmoor 2X Long Grain Daily ETF|HGRN",
  "Hexmoor Daily Optics Bull 2X Shares|HOPB",
  "Hexmoor Inverse VIX Futures ETN|HIVX",
] as const;

const funds: TextKind = {
  name: "fund notice",
  slots: {
    exchange: ["NYSE Arca|NYSE Arca|NYSEARCA", "NASDAQ|Nasdaq|NASDAQ", "Cboe|Cboe BZX|CBOE"],
    date: ["{M} {d}, {y}", "{W}, {M} {d}, {y}", "{d} {M} {y}", "{m} {d}, {y}"],
    heading: [
      "Hexmoor Announces Reverse Splits of Two ETFs",
      "Hexmoor Funds: reverse share splits",
      "Hexmoor ETF Share Split Announcement",
      "",
    ],
    lead: [
      "Hexmoor Funds today announced reverse share splits of two of its exchange-traded funds. The splits will not change the total value of a shareholder’s investment.",
      "Hexmoor Asset Management announced today that the Board of Trustees has approved reverse splits of the issued and outstanding shares of the following ETFs.",
      "Hexmoor, a provider of leveraged ETFs, will execute reverse share splits for two funds.",
    ],
    list: ["table", "table with cusips", "bullets", "sentences", "one sentence", "tagged bullets"],
    effect: [
      "All reverse splits will be effective at the market open on {T}, when the funds will begin trading at their post-split price.",
      "The reverse splits will be effective prior to the open of trading on {T}. The funds will begin trading on a split-adjusted basis on that day.",
      "After the close of the markets on {E}, each fund will effect its reverse split. Shares will begin trading on a split-adjusted basis on {T}.",
      "The shares will trade on a split-adjusted basis beginning on {T}.",
      "The effective date of the splits is {T}.",
    ],
    fraction: [
      "|",
      "cash_in_lieu|For shareholders who hold quantities of shares that are not an exact multiple of the reverse split ratio, the reverse split will result in a fractional share, which will be redeemed for cash.",
      "cash_in_lieu|No fractional shares will be issued; holders will receive cash in lieu of fractions.",
    ],
    example: [
      "",
      "For example, for a 1-for-4 reverse split, every four pre-split shares will result in the receipt of one post-split share, priced four times higher than the net asset value of a pre-split share.",
      "The ticker symbols of the funds will not change.",
    ],
    dateline: ["NEW YORK, {today} (GLOBE NEWSWIRE) -- ", "BETHESDA, Md.--(BUSINESS WIRE)--{today}--", "{today} – "],
  },
  write: (choice, split, random) => {
    const values = placeholders(choice, split, random);
    const start = random(FUNDS.length);
    const two = [0, 1].map((step) => {
      const [fund = "", symbol = ""] = FUNDS[(start + step) % FUNDS.length]?.split("|") ?? [];
      const old = step === 0 ? split.old : pick([2, 4, 5, 10, 20], random);
      return { fund, symbol, old, cusip: randomCusip(random), oldCusip: randomCusip(random) };
    });
    const [first, second] = two as [(typeof two)[number], (typeof two)[number]];
    const lists: Record<string, string> = {
      table: `Ticker | Fund | Split Ratio\n${two.map(({ symbol, fund, old }) => `${symbol} | ${fund} | 1:${old}`).join("\n")}`,
      "table with cusips": `Ticker | Fund Name | Reverse Split Ratio | Current CUSIP | New CUSIP\n${two.map(({ symbol, fund, old, cusip, oldCusip }) => `${symbol} | ${fund} | 1-for-${old} | ${oldCusip} | ${cusip}`).join("\n")}`,
      bullets: two.map(({ symbol, fund, old }) => `• ${fund} (${symbol}): 1-for-${old} reverse split`).join("\n"),
      "tagged bullets": two
        .map(({ symbol, fund, old }) => `- ${fund} (${values.EX}: ${symbol}) – one-for-${inWords(old)} reverse split`)
        .join("\n"),
      sentences: two
        .map(
          ({ symbol, fund, old }) =>
            `${fund} (${values.EX}: ${symbol}) will reverse split its shares at a ratio of 1:${old}.`,
        )
        .join(" "),
      "one sentence": `${first.fund} (ticker: ${first.symbol}) will undergo a 1-for-${first.old} reverse split and ${second.fund} (ticker: ${second.symbol}) will undergo a 1-for-${second.old} reverse split.`,
    };
    const [treatment = "", fraction = ""] = (choice.fraction ?? "").split("|");
    const list = choice.list ?? "table";
    const isTagged = list === "tagged bullets" || list === "sentences";
    const paragraphs = [
      `${choice.dateline}${choice.lead}`,
      lists[list] ?? "",
      choice.effect ?? "",
      fraction,
      choice.example ?? "",
    ];
    return {
      heading: fill(choice.heading ?? "", values),
      content: paragraphs
        .map((text) => fill(text, values))
        .filter((text) => text !== "")
        .join("\n\n"),
      published: null,
      expected: two.map(({ symbol, old, cusip }) =>
        record({
          ticker: symbol,
          exchange: isTagged ? values.code : undefined,
          ratio: `1:${old}`,
          day: split.trading,
          fraction: treatment,
          cusip: list === "table with cusips" ? cusip : undefined,
        }),
      ),
    };
  },
};

const several: TextKind = {
  name: "several companies",
  slots: {
    name: phrases.NAMES.slice(0, 10),
    other: phrases.NAMES.slice(11),
    exchange: LISTED,
    date: ["{M} {d}, {y}", "{m} {d}, {y}"],
    heading: [
      "Reverse splits of the week",
      "{short} and others announce reverse splits",
      "Upcoming reverse stock splits",
    ],
    sentence: [
      "{Name} ({EX}: {SYM}) announced a 1-for-{o} reverse stock split. The shares will begin trading on a split-adjusted basis on {T}.",
      "{Name} ({EX}: {SYM}) will effect a one-for-{O} reverse split, with trading on a split-adjusted basis from {T}.",
      "{Name} ({EX}: {SYM}) said it will implement a reverse stock split at a ratio of 1-for-{o}. Trading on the post-split basis begins at the market open on {T}.",
    ],
    gap: ["\n\n", " "],
  },
  write: (choice, split, random) => {
    const values = placeholders(choice, split, random);
    const [otherName = "", otherShort = "", otherSymbol = ""] = (choice.other ?? "").split("|");
    const otherOld = split.old + 5;
    const others = {
      ...values,
      Name: otherName,
      short: otherShort,
      SYM: otherSymbol,
      o: String(otherOld),
      O: inWords(otherOld),
    };
    return {
      heading: fill(choice.heading ?? "", values),
      content: [fill(choice.sentence ?? "", values), fill(choice.sentence ?? "", others)].join("\n\n"),
      published: split.today,
      expected: [
        record({ ticker: values.SYM, exchange: values.code, ratio: `1:${split.old}`, day: split.trading }),
        record({ ticker: otherSymbol, exchange: values.code, ratio: `1:${otherOld}`, day: split.trading }),
      ],
    };
  },
};

const dual: TextKind = {
  name: "two exchanges",
  slots: {
    name: phrases.NAMES,
    tag: [
      " (TSX: {SYM}) (Nasdaq: {SYM})",
      " (TSX: {SYM}; NASDAQ: {SYM})",
      " (TSX, NYSE: {SYM})",
      " (TSXV: {SYM}) (OTCQB: {SYM}F)",
      " (CSE: {SYM} | OTCQB: {SYM}F)",
      " (TSX: {SYM}) (NYSE American: {SYM}) (the “Company”)",
      " (TSXV: {SYM}, OTCQX: {SYM}F)",
      " (NASDAQ: {SYM}; TSX: {SYM})",
    ],
    date: phrases.DATE_NOTATIONS.slice(0, 8),
    noun: phrases.NOUNS.slice(0, 5),
    ratio: phrases.SPLITS.slice(0, 18),
    heading: [
      "{Name} Announces Share Consolidation",
      "{short} Announces Consolidation Effective Date",
      "{short} to Consolidate Its Common Shares",
      "",
    ],
    statement: phrases.STATEMENTS.slice(0, 9),
    trading: [
      "The common shares will begin trading on a consolidated basis on both exchanges at market open on {T}.",
      "The common shares are expected to commence trading on a post-consolidation basis on the TSX and Nasdaq on {T}.",
      "The consolidated shares will start trading at the opening of markets on {T}.",
      "The {Split} is effective {T}, and trading on a consolidated basis begins on that day.",
    ],
    fraction: phrases.FRACTIONS.slice(0, 13),
    dateline: [
      "VANCOUVER, British Columbia, {today} (GLOBE NEWSWIRE) -- ",
      "Toronto, Ontario--(Newsfile Corp. - {today}) - ",
      "CALGARY, AB, {today} /CNW/ - ",
    ],
  },
  write: (choice, split, random) => {
    const statement = (choice.statement ?? "").replace("{S}", choice.ratio ?? "");
    const text = template([`<dateline>{Name}<tag> ${statement}.`, "<trading>", "<fraction>"])(choice, split, random);
    const code = /^ \((\w+)/.exec(choice.tag ?? "")?.[1]?.toUpperCase();
    return { ...text, expected: text.expected.map((line) => line.replace(/^(\S+ \S+) \S+/, `$1 ${code}`)) };
  },
};

const changed: TextKind = {
  name: "postponed or cancelled",
  slots: {
    name: phrases.NAMES,
    exchange: phrases.US_EXCHANGES,
    tag: phrases.TAGS.filter((tag) => tag.includes("{EX}")),
    date: phrases.DATE_NOTATIONS.slice(0, 8),
    heading: ["{Name} Announces Change to Reverse Stock Split", "{short} Provides Update on Reverse Stock Split", ""],
    lead: [
      "postponed|announced that it has postponed its previously announced 1-for-{o} reverse stock split. The split will now be effective on {T}.",
      "postponed|announced that the effective date of its 1-for-{o} reverse stock split has been postponed to {T}.",
      "postponed|said that its 1-for-{o} reverse stock split, originally scheduled for {past}, has been delayed until {T}.",
      "cancelled|announced that it has cancelled its previously announced 1-for-{o} reverse stock split.",
      "cancelled|today announced that its board has decided not to proceed with the 1-for-{o} reverse stock split announced on {past}.",
      "cancelled|has withdrawn its planned 1-for-{o} reverse split, which was to take effect on {E}.",
      "cancelled|announced that the board of directors has determined to abandon the 1-for-{o} reverse stock split.",
    ],
    closing: phrases.CLOSINGS.slice(0, 3),
    dateline: phrases.DATELINES,
  },
  write: (choice, split, random) => {
    const [kind = "", sentence = ""] = (choice.lead ?? "").split("|");
    const text = template([`<dateline>{Name}<tag> ${sentence}`, "<closing>"], {
      kind,
      fixed: { Split: "Reverse Stock Split" },
    })(choice, split, random);
    return kind === "cancelled"
      ? { ...text, expected: text.expected.map((line) => line.replace(split.trading, "-")) }
      : text;
  },
};

export const OTHER_KINDS: readonly TextKind[] = [
  summary,
  completion,
  besides,
  memo,
  exchangeText,
  form,
  funds,
  several,
  dual,
  changed,
];
