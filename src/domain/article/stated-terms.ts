import { sharesSymbols } from "../split/exchange.ts";
import type { SplitRecord } from "../split/split.ts";
import type { Ticker } from "../split/ticker.ts";
import { addDays, type Day } from "../time/day.ts";
import type { KnownArticle, StatedTerms } from "./article.ts";
import { foldName } from "./company-name.ts";

/** Terms that a release gives for a ticker, in the release's own word. */
export type TermsOfTicker = StatedTerms & { readonly ticker: Ticker };

/** A release that announces a split or moves one: it has terms that may stand in a list. */
export function announces({ kind }: Pick<KnownArticle, "kind">): boolean {
  return kind === "reverse_split" || kind === "ads_ratio_change" || kind === "postponed";
}

/** What a release says of its splits, by ticker. One that states no terms speaks of the ticker that it names first. */
export function termsByTicker({ terms, concerns }: KnownArticle): readonly TermsOfTicker[] {
  const [first] = concerns;
  if (terms.length === 0) return first ? [{ ...NOTHING_STATED, ...first }] : [];
  return terms.flatMap((stated) => {
    // Terms without a ticker are those of the issuer, as long as they are the only ones.
    const ticker = stated.ticker ?? (terms.length === 1 ? first?.ticker : null) ?? null;
    if (ticker === null) return [];
    const tagged = concerns.find((mention) => mention.ticker === ticker)?.exchange ?? null;
    return [{ ...stated, ticker, exchange: stated.exchange ?? tagged }];
  });
}

/** What a release says of one split on the list; undefined where it says nothing of it. */
export function termsOn(
  article: KnownArticle,
  record: Pick<SplitRecord, "ticker" | "exchange" | "company">,
): TermsOfTicker | undefined {
  return termsByTicker(article).find((terms) => isOf(terms, record));
}

/** The splits to come that a release announces or moves and that are not among `listed`, the splits that it is linked to. */
export function unlistedTerms(
  article: KnownArticle,
  listed: readonly SplitRecord[],
  today: Day,
): readonly TermsOfTicker[] {
  if (!announces(article)) return [];
  return termsByTicker(article)
    .filter(({ exDate }) => (exDate ?? addDays(article.published, DAYS_AWAITED)) >= today)
    .filter((terms) => !listed.some((record) => isOf(terms, record)));
}

/** How long a split without a stated ex date is still to come. */
const DAYS_AWAITED = 90;

const NOTHING_STATED = { company: null, ratio: null, exDate: null, newCusip: null } as const;

/** A company with two tickers has one split; its release may name the other one. */
function isOf(terms: TermsOfTicker, record: Pick<SplitRecord, "ticker" | "exchange" | "company">): boolean {
  if (terms.ticker === record.ticker) {
    return terms.exchange === null || sharesSymbols(terms.exchange, record.exchange);
  }
  return terms.company !== null && sameName(terms.company, record.company);
}

function sameName(a: string, b: string): boolean {
  const name = foldName(a).join(" ");
  return name !== "" && name === foldName(b).join(" ");
}
