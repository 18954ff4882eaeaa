import { addDays, type Day, weekdayOf } from "../../../src/domain/time/day.ts";
import { fill, inWords, type Random, type Split, writeDate } from "./facts.ts";
import * as phrases from "./phrases.ts";

/** A value for each slot of a kind of text. */
export type Choice = Readonly<Record<string, string>>;

/** A text with the records that its slot values state. */
export interface GridText {
  readonly heading: string;
  readonly content: string;
  readonly published: Day | null;
  /** `reverse_split ORLK NASDAQ 1:20 2025-09-02 round_up 123456789`; `-` for what the text does not state. */
  readonly expected: readonly string[];
}

/** A kind of text, such as a release or an options memo. */
export interface TextKind {
  readonly name: string;
  /** Values of each slot, with the placeholders of `placeholders`. */
  readonly slots: Readonly<Record<string, readonly string[]>>;
  /** Replaces values that make no text together. */
  readonly repair?: (choice: Choice) => Choice;
  readonly write: (choice: Choice, split: Split, random: Random) => GridText;
}

const INDUSTRIES = ["boat engine", "drug discovery", "data storage", "mineral exploration", "online retail"];
const CUSIP_DIGITS = "0123456789";
const WEEKDAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

export function pick<T>(list: readonly T[], random: Random): T {
  return list[random(list.length)] as T;
}

/** Nine characters, the last a check digit. */
export function randomCusip(random: Random): string {
  const base = Array.from({ length: 8 }, () => CUSIP_DIGITS[random(10)]).join("");
  let sum = 0;
  for (const [index, digit] of base.split("").entries()) {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    sum += Math.floor(value / 10) + (value % 10);
  }
  return base + String((10 - (sum % 10)) % 10);
}

/** Values of the placeholders that all kinds of text share. */
export function placeholders(choice: Choice, split: Split, random: Random): Record<string, string> {
  const {
    name: names = "",
    exchange: exchanges = "",
    noun: nouns = "reverse stock split|Reverse Stock Split",
  } = choice;
  const { date: notation = "{M} {d}, {y}", shares = "common stock", basis = "split-adjusted" } = choice;
  const [name, short, symbol] = partsOf(names);
  const [tagExchange, exchange, code] = partsOf(exchanges);
  const [noun, term] = partsOf(nouns);
  const withYear = /^\{[Mmb]\}.*\{y\}$|^\{d\} /.test(notation) ? notation : "{M} {d}, {y}";
  const past = addDays(split.today, -40);
  return {
    Name: name,
    NAME: name.toUpperCase(),
    short,
    SYM: symbol,
    EX: tagExchange,
    Exchange: exchange,
    code,
    split: noun,
    Split: term,
    SPLIT: term.toUpperCase(),
    shares,
    basis,
    o: String(split.old),
    O: inWords(split.old),
    many: "84,000,000",
    few: "4,200,000",
    bound: String(split.old + 50),
    T: writeDate(split.trading, notation),
    E: writeDate(split.eve, notation),
    today: writeDate(split.today, withYear),
    past: writeDate(past, withYear),
    weekday: WEEKDAYS[weekdayOf(split.today)] ?? "",
    industry: pick(INDUSTRIES, random),
    CUSIP: randomCusip(random),
    OLDCUSIP: randomCusip(random),
  };
}

/** The three parts of a value, separated by bars. */
function partsOf(value: string): readonly [string, string, string] {
  const [first = "", second = "", third = ""] = value.split("|");
  return [first, second, third];
}

interface RecordParts {
  readonly kind?: string;
  readonly ticker: string | null | undefined;
  readonly exchange: string | null | undefined;
  readonly ratio: string | null;
  readonly day: Day | null;
  readonly fraction?: string | undefined;
  readonly cusip?: string | null | undefined;
}

/** A record in the notation of `GridText.expected`. */
export function record({ kind = "reverse_split", ticker, exchange, ratio, day, fraction, cusip }: RecordParts): string {
  return [kind, ...[ticker, exchange, ratio, day, fraction, cusip].map((value) => value || "-")].join(" ");
}

const capitalized = (text: string): string => text.replace(/^./, (letter) => letter.toUpperCase());

const STATES_RATIO = /\{o\}|\{O\}/;

/** Symbol and exchange as a text of an issuer states them. */
function listingOf({ tag = "", symbol = "" }: Choice, values: Record<string, string>) {
  const isTagged = tag.includes("{EX}");
  const hasSymbol = tag.includes("{SYM}") || symbol.includes("{SYM}");
  const hasExchange = isTagged || [symbol].some((text) => text.includes("{Exchange}"));
  return { ticker: hasSymbol ? values.SYM : undefined, exchange: hasExchange ? values.code : undefined };
}

/** Changes the values of a release so that it states issuer, ratio and first trading day. */
function repairRelease(choice: Choice): Choice {
  const repaired = { ...choice };
  if (!STATES_RATIO.test(`${choice.ratio}`) && !STATES_RATIO.test(`${choice.conversion}`))
    repaired.ratio = phrases.SPLITS[0];
  if (!/\{[TE]\}/.test(`${choice.trading}${choice.effect}${choice.leadDay}`)) repaired.trading = phrases.TRADING[0];
  if (!choice.tag?.includes("{SYM}") && !choice.symbol?.includes("{SYM}")) repaired.symbol = phrases.SYMBOLS[0];
  if (!choice.tag?.includes("{EX}") && ![choice.symbol, choice.trading].some((text) => text?.includes("{Exchange}")))
    repaired.symbol = phrases.SYMBOLS[0];
  return repaired;
}

function releaseSlots(exchanges: readonly string[]) {
  return {
    name: phrases.NAMES,
    exchange: exchanges,
    tag: phrases.TAGS,
    date: phrases.DATE_NOTATIONS,
    noun: phrases.NOUNS,
    shares: phrases.SHARES,
    ratio: phrases.SPLITS,
    conversion: phrases.CONVERSIONS,
    adverb: phrases.ADVERBS,
    statement: [...phrases.STATEMENTS, ...phrases.PLANS],
    leadDay: phrases.LEAD_DAYS,
    trading: phrases.TRADING,
    basis: phrases.BASES,
    effect: phrases.EFFECTS,
    fraction: phrases.FRACTIONS,
    symbol: phrases.SYMBOLS,
    cusip: phrases.CUSIPS,
    heading: phrases.HEADINGS,
    dateline: phrases.DATELINES,
    closing: phrases.CLOSINGS,
  };
}

const PAST_STATEMENTS: readonly string[] = phrases.STATEMENTS;

function lead(choice: Choice): string {
  const { tag = "", adverb = "", statement = "", ratio = "", leadDay = "" } = choice;
  const said = PAST_STATEMENTS.includes(statement) ? adverb : "";
  return `{Name}${tag}${said} ${statement.replace("{S}", ratio)}${leadDay}.`;
}

function writeRelease(choice: Choice, split: Split, random: Random): GridText {
  const values = placeholders(choice, split, random);
  const [treatment, fraction = ""] = (choice.fraction ?? "").split("|");
  const symbol = (choice.symbol ?? "").split("|")[1] ?? "";
  const details = [choice.effect, choice.conversion, choice.trading].filter(Boolean).map(String);
  const paragraphs = [
    `${choice.dateline ?? ""}${lead(choice)}`,
    (random(2) === 0 ? details : details.toReversed()).join(" "),
    fraction,
    [symbol, choice.cusip].filter(Boolean).join(" "),
    choice.closing ?? "",
  ];
  const cusip = choice.cusip?.includes("{CUSIP}") ? values.CUSIP : undefined;
  return {
    heading: fill(choice.heading ?? "", values),
    content: paragraphs
      .filter((paragraph) => paragraph !== "")
      .map((paragraph) => capitalized(fill(paragraph, values)))
      .join("\n\n"),
    published: null,
    expected: [
      record({
        ...listingOf({ ...choice, symbol: `${symbol}${choice.trading}` }, values),
        ratio: `1:${split.old}`,
        day: split.trading,
        fraction: treatment,
        cusip,
      }),
    ],
  };
}

const release: TextKind = {
  name: "release",
  slots: releaseSlots(phrases.US_EXCHANGES),
  repair: repairRelease,
  write: writeRelease,
};

const canadian: TextKind = {
  name: "Canadian release",
  slots: {
    ...releaseSlots(phrases.CANADIAN_EXCHANGES),
    noun: [
      "share consolidation|Consolidation",
      "consolidation of its {shares}|Consolidation",
      "consolidation of all of its issued and outstanding {shares}|Share Consolidation",
      "consolidation|Consolidation",
      "rollback of its shares|Rollback",
    ],
    shares: ["common shares", "Class A common shares", "subordinate voting shares"],
    ratio: [
      ...phrases.SPLITS.filter((text) => /basis|ratio of|\{o\}:1/.test(text)),
      "a {split} on a one (1) new for {O} ({o}) old basis",
      "a {split} on the basis of {o} pre-consolidation shares for every one post-consolidation share",
      "a {split} on a {o}:1 basis",
      "a {split} on the basis of one (1) new common share for every {O} ({o}) existing common shares held",
      "a {o} for 1 {split}",
      "a {split} at a ratio of {O} ({o}) pre-consolidation shares to one (1) post-consolidation share",
    ],
    basis: ["consolidated", "post-consolidation", "post-Consolidation"],
    dateline: [
      "VANCOUVER, British Columbia, {today} (GLOBE NEWSWIRE) -- ",
      "Toronto, Ontario--(Newsfile Corp. - {today}) - ",
      "CALGARY, AB, {today} /CNW/ - ",
      "{today}, Vancouver, B.C. – ",
      "Montréal, Québec – {today} – ",
    ],
    effect: [
      "",
      "The {Split} will be effective as of {T}.",
      "The Consolidation is expected to be effective at the opening of markets on {T}.",
      "The record date of the {Split} will be {E}.",
      "Subject to the approval of {Exchange}, the {Split} is expected to be effective {T}.",
      "{Exchange} has accepted the {Split}, which will be effective at the open on {T}.",
      "The {Split} was approved by the directors on {past}.",
      "The Company’s name and symbol will remain unchanged.",
    ],
    heading: [
      "{Name} Announces Share Consolidation",
      "{short} to Consolidate Shares",
      "{short} Announces Effective Date of Share Consolidation",
      "{Name} Receives TSX Venture Approval for Consolidation",
      "{short} Announces {o}:1 Share Consolidation",
      "NEWS RELEASE",
      "",
      "{NAME} ANNOUNCES SHARE CONSOLIDATION",
      "{short} Corporate Update",
    ],
  },
  repair: (choice) => {
    const repaired = repairRelease(choice);
    // A record date isn't an effective date.
    return /\{T\}/.test(`${repaired.trading}${repaired.effect}${repaired.leadDay}`) ||
      /\{E\}/.test(`${repaired.leadDay}`)
      ? repaired
      : { ...repaired, trading: phrases.TRADING[0] };
  },
  write: writeRelease,
};

const filing: TextKind = {
  name: "filing",
  slots: {
    name: phrases.NAMES,
    exchange: phrases.US_EXCHANGES.filter((line) => !line.includes("OTC")),
    date: phrases.DATE_NOTATIONS.slice(0, 8),
    shares: phrases.SHARES,
    cover: [
      "Securities registered pursuant to Section 12(b) of the Act:\n\nTitle of each class | Trading Symbol(s) | Name of each exchange on which registered\nCommon Stock, par value $0.001 per share | {SYM} | {ExchangeCover}",
      "Common Stock, $0.0001 par value\n{SYM}\n{ExchangeCover}",
      "{Name}\n(Exact name of registrant as specified in its charter)\n\nCommon Stock, par value $0.01 per share | {SYM} | {ExchangeCover}",
    ],
    item: [
      "Item 5.03 Amendments to Articles of Incorporation or Bylaws; Change in Fiscal Year.",
      "Item 3.03 Material Modification to Rights of Security Holders.",
      "Item 8.01 Other Events.",
      "ITEM 5.03. AMENDMENT TO ARTICLES OF INCORPORATION",
      "",
    ],
    lead: [
      "On {today}, {Name} (the “Company”) filed a Certificate of Amendment to its Amended and Restated Certificate of Incorporation with the Secretary of State of the State of Delaware to effect a 1-for-{o} reverse stock split of its {shares} (the “Reverse Stock Split”), effective as of 12:01 a.m. Eastern Time on {T}.",
      "On {today}, the Board of Directors of {Name} (the “Company”) approved a reverse stock split of the Company’s {shares} at a ratio of one-for-{O} (the “Reverse Split”), to be effective at 5:00 p.m. on {E}.",
      "As previously disclosed, on {past}, stockholders of {Name} (the “Company”) approved a proposal to effect a reverse stock split at a ratio between 1-for-2 and 1-for-{bound}. On {today}, the Board selected a ratio of 1-for-{o}, and the Company filed the amendment, which will become effective on {T}.",
      "{Name} (the “Company”) has filed an amendment to its articles of incorporation with the Secretary of State of Nevada to implement a one (1)-for-{O} ({o}) reverse stock split, which becomes effective at the open of trading on {T}.",
      "On {today}, {Name} (the “Company”, “we” or “our”) announced that it will effect a reverse stock split of its {shares} at a ratio of 1:{o}, effective {T}.",
      "On {today}, {Name}, a Delaware corporation (the “Company”), issued a press release announcing a 1-for-{o} reverse stock split of its {shares}, which will take effect at 12:01 a.m. on {T}.",
      "Pursuant to the authority granted by the stockholders at the special meeting held on {past}, the board of {Name} (the “Registrant”) fixed the ratio of the reverse stock split at 1-for-{o}, and it will become effective at 4:01 p.m. Eastern Time on {E}.",
    ],
    trading: [
      "",
      "The Company’s {shares} will begin trading on a reverse stock split-adjusted basis on {Exchange} at the opening of the market on {T}.",
      "It is expected that the shares will commence trading on a split-adjusted basis at the start of trading on {T} under the existing symbol “{SYM}”.",
      "Trading in the {shares} will commence on a split-adjusted basis on {T}. ",
      "The {shares} will trade on a post-split basis under the Company’s existing trading symbol, “{SYM},” beginning on {T}.",
    ],
    conversion: [
      "",
      "As a result, every {O} ({o}) shares of issued and outstanding {shares} will be combined into one (1) share.",
      "The number of authorized shares will not change.",
    ],
    fraction: phrases.FRACTIONS,
    cusip: phrases.CUSIPS,
    closing: [
      "",
      "The foregoing description of the amendment is qualified in its entirety by the text of the Certificate of Amendment, a copy of which is filed as Exhibit 3.1.",
      "Item 9.01 Financial Statements and Exhibits.\n(d) Exhibits\n3.1 Certificate of Amendment\n104 Cover Page Interactive Data File",
    ],
    heading: ["FORM 8-K", "UNITED STATES SECURITIES AND EXCHANGE COMMISSION", "", "8-K: Current report"],
    order: ["cover first", "cover last"],
  },
  write: (choice, split, random) => {
    const names: Record<string, string> = {
      NASDAQ: "The Nasdaq Stock Market LLC",
      NYSEAMERICAN: "NYSE American LLC",
      NYSE: "New York Stock Exchange",
    };
    const base = placeholders(choice, split, random);
    const values: Record<string, string> = {
      ...base,
      Split: "Reverse Stock Split",
      ExchangeCover: names[base.code ?? ""] ?? "",
    };
    const [treatment, fraction = ""] = (choice.fraction ?? "").split("|");
    const body = [choice.item, choice.lead, choice.conversion, choice.trading, fraction, choice.cusip, choice.closing];
    const cover = choice.cover ?? "";
    const paragraphs =
      choice.order === "cover first"
        ? [`Date of Report (Date of earliest event reported): {today}`, cover, ...body]
        : [`Date of Report: {today}`, ...body, cover];
    return {
      heading: fill(choice.heading ?? "", values),
      content: paragraphs.flatMap((text) => (text ? [fill(text, values)] : [])).join("\n\n"),
      published: null,
      expected: [
        record({
          ticker: values.SYM,
          exchange: values.code,
          ratio: `1:${split.old}`,
          day: split.trading,
          fraction: treatment,
          cusip: choice.cusip?.includes("{CUSIP}") ? values.CUSIP : undefined,
        }),
      ],
    };
  },
};

const news: TextKind = {
  name: "news",
  slots: {
    name: phrases.NAMES,
    exchange: phrases.US_EXCHANGES.filter((line) => !line.includes("OTC")),
    date: [
      "{W}, {M} {th}",
      "{m} {d}",
      "{M} {d}",
      "{W}, {m} {d}",
      "{M} {d}, {y}",
      "{W}, {M} {d}",
      "{b} {d}, {y}",
      "{d} {M} {y}",
      "{M} {th}, {y}",
    ],
    heading: [
      "{short} to Conduct Reverse Stock Split on {T}",
      "{Name} ({EX}:{SYM}) to Issue Reverse Split on {T}",
      "{short} announces 1-for-{o} reverse stock split",
      "{short} sets 1-for-{o} reverse split",
      "{short} stock falls on reverse split plan",
      "Why {short} shares are down today",
      "{short} announces reverse split",
      "{SYM}: {short} to effect 1-for-{o} reverse split",
      "{short} (NASDAQ:{SYM}) in focus on share consolidation",
      "Stock split notice: {Name}",
    ],
    lead: [
      "{Name} ({EX}:{SYM} – Get Free Report) shares are scheduled to reverse split before the market opens on {T}. The 1-{o} reverse split was announced on {today}.",
      "{Name} ({EX}:{SYM}) announces a 1-for-{o} reverse stock split, effective {T}.",
      "{short} ({EX}:{SYM}) said {weekday} its board approved a 1-for-{o} reverse stock split that will take effect on {T}.",
      "{Name} ({SYM}) has announced a 1-for-{o} reverse stock split, with trading on a split-adjusted basis starting {T}.",
      "Shares of {Name} ({EX}: {SYM}) will undergo a 1-for-{o} reverse stock split on {T}.",
      "{Name} ({EX}:{SYM}) shares fell 12% in premarket trading on {weekday} after the company announced a one-for-{O} reverse stock split effective {T}.",
      "{Name} ({EX}:{SYM}) has declared a reverse stock split at a ratio of 1-for-{o}. The stock will begin trading on a split-adjusted basis when markets open on {T}.",
      "{Name} ({EX}: {SYM}) has set {T} as the effective date of its 1-for-{o} reverse stock split.",
      "{Name} ({EX}:{SYM}) is carrying out a 1-for-{o} reverse split. Trading on the adjusted basis begins at the open on {T}.",
      "{Name} ({EX}:{SYM}) plans to consolidate its shares at a ratio of {o} to 1 on {T}.",
      "The board of {Name} ({EX}:{SYM}) approved a 1-for-{o} reverse stock split, which is expected to begin trading on a split-adjusted basis on {T}.",
      "{Name} ({EX}:{SYM}) will execute a reverse stock split on {T}, exchanging every {o} shares for one.",
      "{short} ({EX}:{SYM}) stock is set for a 1-for-{o} reverse split on {T}, the company said in a filing.",
      "A 1-for-{o} reverse stock split of {Name} ({EX}:{SYM}) takes effect on {T}.",
      "{Name} ({EX}: {SYM}), which makes boat engines, said {weekday} it would combine every {o} of its shares into one at the start of trading on {T}.",
      "The board of directors of {short} ({EX}:{SYM}) has signed off on a 1-for-{o} reverse stock split. The split kicks in on {T}, when the stock will open at its new price.",
      "{Name} ({EX}:{SYM}) is consolidating its shares {o}-to-1 effective {T}, the {industry} company announced on {weekday}.",
      "{Name} ({EX}:{SYM}) declares {o}-for-1 share consolidation. Post-consolidation trading to begin {T}.",
      "A 1-for-{o} reverse stock split that goes into effect at {short} ({EX}: {SYM}) on {T} will boost the company’s stock price.",
      "In a move to lift its share price, {Name} ({EX}: {SYM}) is going ahead with a 1-for-{o} reverse split. It is due to happen before the bell on {T}.",
      "{Name} ({EX}: {SYM}) shareholders will see {O} of their shares turn into one on {T}.",
      "After markets close on {E}, shares of {Name} ({EX}: {SYM}) will undergo a reverse split of 1-to-{o}.",
      "{Name} ({EX}: {SYM}) will reverse split its stock in a ratio of 1 share for every {o}, with the market effective date being {T}.",
      "At a special meeting, shareholders of {Name} ({EX}: {SYM}) authorized the board to effect a reverse split at a ratio between 1:2 and 1:{bound}. The board has now fixed the ratio at 1:{o}, and the split takes effect on {T}.",
      "Trading in {Name} ({EX}: {SYM}) will be halted on the evening of {E} ahead of the company’s 1-for-{o} reverse stock split. Trading will resume on {T}, when the split takes effect.",
      "{Name} ({EX}: {SYM}) confirmed the timing of its reverse split: from {T}, {O} existing shares will equal one new share.",
      "{Name} ({EX}: {SYM}) announced that it has acquired Tern Boats LLC. In connection with the closing of the merger, it will effect a 1-for-{o} reverse stock split, and its shares will begin trading on a split-adjusted basis on {T}.",
      "{Name} ({EX}: {SYM}) will implement a 1-for-{o} reverse split instead of the previously announced 1-for-7. Trading on a split-adjusted basis begins {T}.",
      "{Name} ({EX}: {SYM}) filed a certificate of amendment, pursuant to which each {O} shares of common stock will become one share of common stock effective {T}.",
      "Shares of {Name} ({EX}: {SYM}) plunged after it said it would go ahead with a 1-for-{o} reverse split on {T}.",
      "{Name} ({EX}: {SYM}) investors approved the reverse split in June, and the company has picked a ratio of 1-for-{o}. It happens on {T}.",
    ],
    detail: [
      "",
      "The move will reduce the number of outstanding shares from about 84 million to about 4.2 million.",
      "An investor that had 100 shares of stock prior to the reverse split would have fewer shares after the split.",
      "Every {o} shares will be combined into one, and the symbol will remain {SYM}.",
      "The newly issued shares will be payable to shareholders after the closing bell on {E}.",
      "The company aims to regain compliance with the $1 minimum bid price rule.",
      "A reverse stock split reduces the number of shares outstanding and raises the price per share proportionally.",
      "Stockholders approved the split at a meeting last month.",
    ],
    closing: [
      "",
      "{SYM} traded down $0.12 during trading on {weekday}, hitting $1.04. The company has a market capitalization of $12.4 million.",
      "About {short}\n{Name} is an {industry} company.",
      "The stock has lost 80% of its value this year.",
      "Read more: 5 stocks to watch this week",
    ],
    fraction: phrases.FRACTIONS.slice(0, 12),
    published: ["page", "byline"],
  },
  write: (choice, split, random) => {
    const values = placeholders(choice, split, random);
    const [treatment, fraction = ""] = (choice.fraction ?? "").split("|");
    const isByline = choice.published === "byline";
    const paragraphs = [isByline ? "Published {today}" : "", choice.lead, choice.detail, fraction, choice.closing];
    const hasExchange = `${choice.lead}${choice.heading}`.includes("{EX}");
    return {
      heading: fill((choice.heading ?? "").replace("NASDAQ:{SYM}", "{EX}:{SYM}"), values),
      content: paragraphs.flatMap((text) => (text ? [fill(text, values)] : [])).join("\n\n"),
      published: isByline ? null : split.today,
      expected: [
        record({
          ticker: values.SYM,
          exchange: hasExchange ? values.code : undefined,
          ratio: `1:${split.old}`,
          day: split.trading,
          fraction: treatment,
        }),
      ],
    };
  },
};

const ads: TextKind = {
  name: "ADS ratio change",
  slots: {
    name: phrases.NAMES,
    exchange: phrases.US_EXCHANGES.filter((line) => !line.includes("OTC")),
    tag: phrases.TAGS.filter((tag) => tag.includes("{EX}")),
    date: phrases.DATE_NOTATIONS.slice(0, 9),
    lead: [
      "announced a change in the ratio of its American Depositary Shares (“ADSs”) to its ordinary shares from one ADS representing {a} ordinary shares to one ADS representing {b} ordinary shares",
      "announced that it will change the ratio of its ADSs to Class A ordinary shares from one (1) ADS to {a} Class A ordinary shares to one (1) ADS to {b} Class A ordinary shares",
      "plans to change its ADS to ordinary share ratio from the current ratio of 1 ADS to {a} ordinary shares to a new ratio of 1 ADS to {b} ordinary shares",
      "today announced that it will adjust the ratio of its ADSs to ordinary shares (the “ADS Ratio”) from 1:{a} to 1:{b}",
      "announced an ADS ratio change, under which each ADS will represent {b} ordinary shares instead of {a} ordinary shares",
      "will implement an ADS ratio change from one ADS representing {a} shares to one ADS representing {b} shares",
    ],
    effect: [
      "The change in the ADS ratio will become effective on {T}.",
      "The effective date of the ADS Ratio Change is expected to be {T}.",
      "The ADS ratio change will be effective at the open of trading on {T} (U.S. Eastern Time).",
      "The ADSs are expected to begin trading on the new ratio at the opening of trading on {T}.",
      "On {T}, the ratio change will take effect.",
    ],
    equivalent: [
      "",
      "For ADS holders, the ratio change will have the same effect as a 1-for-{o} reverse ADS split.",
      "The change has the same effect as a one-for-{O} reverse ADS split, and will have no impact on the underlying ordinary shares.",
      "Each ADS holder of record will be required to exchange every {o} ADSs then held for one new ADS.",
    ],
    fraction: [
      "|",
      "cash_in_lieu|No fractional new ADSs will be issued. Fractional entitlements will be aggregated and sold by the depositary bank, and the net cash proceeds will be distributed to the holders.",
      "cash_in_lieu|Holders will receive cash in lieu of fractional ADSs.",
    ],
    symbol: [
      "",
      "The ADSs will continue to trade under the symbol “{SYM}”.",
      "No action is required by holders of ADSs.",
    ],
    heading: [
      "{Name} Announces ADS Ratio Change",
      "{short} Announces Plan to Change ADS Ratio",
      "{short} to Adjust Ratio of ADSs to Ordinary Shares",
      "",
      "{short} Announces 1-for-{o} Reverse ADS Split",
    ],
    dateline: phrases.DATELINES,
  },
  write: (choice, split, random) => {
    const per = pick([1, 2, 4, 5, 10], random);
    const values: Record<string, string> = {
      ...placeholders(choice, split, random),
      a: String(per),
      b: String(per * split.old),
    };
    const [treatment, fraction = ""] = (choice.fraction ?? "").split("|");
    const paragraphs = [
      `${choice.dateline}{Name}${choice.tag} ${choice.lead}. ${choice.effect}`,
      choice.equivalent,
      fraction,
      choice.symbol,
    ];
    return {
      heading: fill(choice.heading ?? "", values),
      content: paragraphs.flatMap((text) => (text ? [fill(text, values)] : [])).join("\n\n"),
      published: null,
      expected: [
        record({
          kind: "ads_ratio_change",
          ticker: values.SYM,
          exchange: values.code,
          ratio: `1:${split.old}`,
          day: split.trading,
          fraction: treatment,
        }),
      ],
    };
  },
};

export const ISSUER_KINDS: readonly TextKind[] = [release, canadian, filing, news, ads];
