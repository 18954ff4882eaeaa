import { type Exchange, parseExchange } from "../domain/split/exchange.ts";
import { parseTicker, type Ticker } from "../domain/split/ticker.ts";
import type { Sentence } from "./sentences.ts";

/** Title of an exchange's notice, which names the company and its symbol. */
export interface NoticeTitle {
  readonly exchange: Exchange;
  readonly ticker: Ticker;
  readonly company: string;
  readonly sentence: Sentence;
}

/** Form of the titles of one exchange, with the groups `company` and `ticker`. A test matches every form against its example. */
export interface NoticeForm {
  readonly exchange: string;
  readonly pattern: RegExp;
  readonly example: string;
}

const SYMBOLS = String.raw`\((?<ticker>[A-Z]{1,6}(?:\.[A-Z]{1,2})?)(?:[,/;] ?[A-Z.]{1,8}){0,8}\)$`;

export const NOTICE_FORMS: readonly NoticeForm[] = [
  {
    exchange: "NASDAQ",
    pattern: new RegExp(
      String.raw`(?:^|[:-] ?|\) ?)Information Regarding (?:the |an? )?(?:(?! for )[^;:]){3,120}? for (?<company>[^;:()]{2,100}?),? ${SYMBOLS}`,
    ),
    example:
      "(UPDATED) Information Regarding the Reverse Stock Split and CUSIP Number Change for Harbor Mills, Inc. (HMIL)",
  },
  {
    exchange: "CSE",
    pattern: new RegExp(
      String.raw`^(?:CSE Bulletin:? )?\d{4}-\d{3,5} - [^;:]{3,80}? - (?<company>[^;:()]{2,100}?) ${SYMBOLS}`,
    ),
    example: "2026-9901 - Name Change and Consolidation - Harbor Mills Corp. (HMIL)",
  },
];

/** Number of first sentences searched for the title: it may be a line of the body instead of the heading. */
const MAX_OPENING_SENTENCES = 6;

/** Finds the title of an exchange notice in the heading or the first lines. */
export function findNoticeTitle(sentences: readonly Sentence[]): NoticeTitle | undefined {
  for (const sentence of sentences.slice(0, MAX_OPENING_SENTENCES)) {
    for (const { exchange: code, pattern } of NOTICE_FORMS) {
      const { company, ticker: symbol = "" } = pattern.exec(sentence.plain)?.groups ?? {};
      const [exchange, ticker] = [parseExchange(code), parseTicker(symbol)];
      if (company !== undefined && exchange && ticker) return { exchange, ticker, company, sentence };
    }
  }
  return undefined;
}
