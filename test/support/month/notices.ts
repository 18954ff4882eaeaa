import { HEADINGS } from "../nasdaqtrader.ts";
import type { PublishedHalt } from "../trade-halts.ts";
import { ventureBlock, ventureHtml } from "../venture-bulletins.ts";
import { at, longDate, type Plan, type Publication, tradingDay } from "./story.ts";

const FINRA_MINUTE = 14 * 60 + 11;

type Variants<T> = readonly [(value: T) => string, ...((value: T) => string)[]];

/** Notations of a rate and of an ex date, one of which each row has. */
const RATES: Variants<number> = [
  (old) => `1:${old}`,
  (old) => `1.0:${old}.0`,
  (old) => `1-${old}`,
  (old) => `1 : ${old.toLocaleString("en-US")}`,
  (old) => `1/${old}`,
  (old) => `1-for-${old}`,
];
const EX_DATES: Variants<string> = [
  (day) => `${day} 00:00:00.0`,
  (day) => day,
  (day) => `${day}T00:00:00`,
  (day) => day.replace(/^(\d+)-(\d+)-(\d+)$/, "$2/$3/$1"),
  (day) => day.replaceAll("-", ""),
];

/** Notations of an ex date in NYSE's list, and of the type of a reverse split. */
const ACTION_DATES: Variants<string> = [
  (day) => day,
  (day) => `${day}T00:00:00`,
  (day) => day.replace(/^(\d+)-(\d+)-(\d+)$/, "$2/$3/$1"),
  (day) => day.replaceAll("-", ""),
];
const ACTION_TYPES = [
  "Reverse Stock Split",
  "Reverse Split",
  "REVERSE STOCK SPLIT",
  "Reverse-Stock-Split",
  "Reverse Share Split",
  "REVERSE_STOCK_SPLIT",
] as const;

/** Codes of a halt before a split: T3 once the resumption is posted. */
const HALT_CODES = ["T1", "T3"] as const;

/** Ratios in the text of Nasdaq's notices, and marks of an update in their titles. */
const SPLIT_RATIOS: Variants<number> = [
  (old) => `(1-${old})`,
  (old) => `1-for-${old} (1-${old})`,
  (old) => `one-for-${old} (1 - ${old})`,
  (old) => `one-for-${old}`,
];
const UPDATED: Variants<string> = [
  (title) => `(UPDATED) ${title}`,
  (title) => `${title} (UPDATED)`,
  (title) => `(UPDATED 3/6/2026) ${title}`,
];

/** Ratios in the bulletins of the CSE and of the TSX Venture Exchange. */
const CONSOLIDATED_SHARES: Variants<number> = [
  (old) => `one (1) post-consolidated common share for every ${old} pre-consolidated common shares`,
  (old) => `1 new common share for every ${old} old common shares`,
  (old) => `one (1) new share for each ${old} (${old}) existing shares`,
];
const VENTURE_BASES: Variants<number> = [
  (old) => `a ${old} old for 1 new basis`,
  (old) => `a ${old} old for one (1) new basis`,
  (old) => `a ${old}-old for 1-new basis`,
];

export interface DailyListTerms {
  /** Number of the trading day on which the row is published. */
  readonly on: number;
  readonly minute?: number;
  /** Counts the rows of a split. */
  readonly row: number;
  readonly ex?: number;
  readonly rate?: string | null;
  readonly comment?: string;
  /** Whether the row returns from the symbol with the suffix D. */
  readonly isReturn?: boolean;
}

/** A row of FINRA's daily list. */
export function dailyListRow(plan: Plan, terms: DailyListTerms): Publication {
  const { ticker, company, number, old, draw } = plan;
  const {
    on,
    minute = FINRA_MINUTE,
    row,
    ex = plan.ex,
    rate = draw(RATES)(old),
    comment = null,
    isReturn = false,
  } = terms;
  const exDate = draw(EX_DATES)(tradingDay(ex));
  const [oldSymbol, newSymbol] = isReturn ? [`${ticker}D`, ticker] : [ticker, `${ticker}D`];
  const time = `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
  return {
    at: at(on, minute),
    publish: ({ finra }) =>
      finra.publish({
        OTCDailyListID: 900_000 + number * 10 + row,
        calendarDay: tradingDay(on),
        dailyListDatetime: `${tradingDay(on)} ${time}:20.0`,
        oldSymbolCode: oldSymbol,
        newSymbolCode: newSymbol,
        oldSecurityDescription: `${company} Common Stock`,
        newSecurityDescription: `${company} New Common Stock`,
        reverseSplitRate: rate,
        exDate,
        commentText: comment,
      }),
  };
}

export interface CorporateActionTerms {
  readonly on: number;
  readonly minute?: number;
  readonly ex?: number;
  readonly status?: string;
  readonly type?: string;
}

/** A row of NYSE's corporate actions; a later one of the same plan replaces it. */
export function corporateAction(plan: Plan, terms: CorporateActionTerms): Publication {
  const { ticker, company, number, draw } = plan;
  const { on, minute = 15 * 60, ex = plan.ex, status = "Effective before the Open", type = draw(ACTION_TYPES) } = terms;
  const actionDate = draw(ACTION_DATES)(tradingDay(ex));
  return {
    at: at(on, minute),
    publish: ({ nyse }) =>
      nyse.publish({
        action_date: actionDate,
        action_status: status,
        action_type: type,
        issue_symbol: ticker,
        issuer_name: company.toUpperCase().replace(".", ""),
        updated_at: new Date(at(on, minute)).toISOString(),
        market_event: `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`,
      } as { readonly market_event: string }),
  };
}

export interface NasdaqTerms {
  readonly on: number;
  readonly minute?: number;
  /** Trading day of the first version of the notice, which its number and its page keep. */
  readonly first?: number;
  readonly ex?: number;
  readonly old?: number;
  /** Sentences in place of those on ratio and date. */
  readonly text?: string;
  readonly title?: string;
}

/** Notices that the feed shows; the archive shows all. */
const FEED_SIZE = 20;

/** A notice of Nasdaq; a later one of the same plan replaces its page in place. */
export function nasdaqNotice(plan: Plan, terms: NasdaqTerms): Publication {
  const { ticker, company, number, draw } = plan;
  const { on, minute = 12 * 60 + 5, first = on, ex = plan.ex, old = plan.old } = terms;
  const {
    text = `${company} (${ticker}) will effect a ${draw(SPLIT_RATIOS)(old)} reverse split of its common stock. The reverse stock split will become effective on ${longDate(ex, true)}.`,
    title = `Information Regarding the Reverse Stock Split and CUSIP Number Change for ${company} (${ticker})`,
  } = terms;
  const notice = {
    number: `2026-${first * 100 + number}`,
    title: on === first ? title : draw(UPDATED)(title),
    heading: draw(HEADINGS),
    body: `<p>${text}</p>`,
    date: longDate(first, true),
    pubDate: new Date(at(first, 12 * 60 + 5)).toUTCString(),
  };
  return {
    at: at(on, minute),
    publish: ({ nasdaq }) => {
      nasdaq.publish(notice);
      nasdaq.notices = nasdaq.notices.map((one, index) => ({ ...one, isOld: index >= FEED_SIZE }));
    },
  };
}

export interface BulletinTerms {
  readonly on: number;
  /** Counts the bulletins of a split. */
  readonly part?: number;
  readonly ex?: number;
  readonly old?: number;
  readonly topic?: string;
  /** Sentences in place of the terms. */
  readonly text?: string;
  /** Trading day of the first version of the bulletin, which its entry keeps. */
  readonly first?: number;
}

/** A bulletin of the CSE; a later one with the same part replaces its page in place. */
export function bulletin(plan: Plan, terms: BulletinTerms): Publication {
  const { ticker, company, number, draw } = plan;
  const { on, part = 1, ex = plan.ex, old = plan.old, topic = "Consolidation", first = on } = terms;
  const {
    text = `<p>${company} has announced a consolidation of its issued and outstanding common shares on the basis of
      ${draw(CONSOLIDATED_SHARES)(old)}.</p>
      <p>Please note that all open orders will be cancelled at the end of business on ${longDate(ex - 1)}. Dealers are reminded to
      re-enter their orders taking into account the share consolidation.</p>
      <p>Trading on a consolidated basis: ${longDate(ex)}<br>Record Date: ${longDate(ex)}<br>Trading Symbol: ${ticker}</p>`,
  } = terms;
  const id = `2026-${String(number * 10 + part).padStart(4, "0")}`;
  return {
    at: at(on, 16 * 60 + 20),
    publish: ({ cse }) =>
      cse.publish({
        slug: `${id}-${ticker.toLowerCase()}`,
        title: `${id} - ${topic} - ${company} (${ticker})`,
        date: tradingDay(first),
        symbols: [ticker],
        body: text,
      }),
  };
}

export interface VentureBulletinTerms {
  readonly on: number;
  /** Counts the bulletins of a split. */
  readonly part?: number;
  readonly ex?: number;
  readonly old?: number;
  readonly type?: string;
  /** Sentences in place of the terms. */
  readonly sentences?: readonly string[];
}

/** A bulletin of the TSX Venture Exchange; a later one with the same part replaces its page in place. */
export function ventureBulletin(plan: Plan, terms: VentureBulletinTerms): Publication {
  const { ticker, company, number, draw } = plan;
  const { on, part = 1, ex = plan.ex, old = plan.old, type = "Consolidation" } = terms;
  const {
    sentences = [
      `The Company has consolidated its capital on ${draw(VENTURE_BASES)(old)}.`,
      `Effective at the opening on ${longDate(ex, true)}, the common shares of ${company} will commence trading on TSX Venture Exchange.`,
    ],
  } = terms;
  const names = { symbol: ticker, company: company.toUpperCase(), formerly: null };
  const block = ventureBlock({ ...names, type, date: longDate(on), sentences, labels: [`Trading Symbol: ${ticker}`] });
  return {
    at: at(on, 16 * 60 + 30),
    publish: ({ tsxv }) =>
      tsxv.publish({
        id: String(300_000 + number * 10 + part),
        row: `${longDate(on)} ${company.toUpperCase()} ${type}`,
        body: ventureHtml(block),
      }),
  };
}

const EVE_MINUTE = 19 * 60 + 50;

/** A trading halt in the evening of a trading day. */
export function eveHalt(
  { ticker, company, draw }: Plan,
  {
    on,
    reason = draw(HALT_CODES),
    ...halt
  }: { readonly on: number } & Pick<PublishedHalt, "market" | "reason" | "isUnresumed">,
): Publication {
  const [year, month, dayOfMonth] = tradingDay(on).split("-");
  const name = company.replace(/\b(\w{4})\w+/g, "$1");
  const isResumed = reason === "T3";
  const shown = { symbol: ticker, name, date: `${month}/${dayOfMonth}/${year}`, reason, isResumed, ...halt };
  return {
    at: at(on, EVE_MINUTE),
    publish: ({ halts }) => halts.publish(shown),
  };
}
