import type { ArticleEvent, EarlyEvent, ReleaseEvent, Withdrawn } from "../../domain/alert/event.ts";
import type { KnownArticle } from "../../domain/article/article.ts";
import { disagreementsOn, isIssuersOwn, mayWithdraw, termsOn, unlistedTerms } from "../../domain/article/evidence.ts";
import { wireName } from "../../domain/article/wire.ts";
import { isContradictionByOther, isWithdrawalRelease } from "../../domain/diff/withdrawal.ts";
import { type Ratio, ratioName } from "../../domain/split/ratio.ts";
import { type SplitRecord, shownSymbol } from "../../domain/split/split.ts";
import type { Ticker } from "../../domain/split/ticker.ts";
import { cutText } from "../../lib/external-text.ts";
import {
  capitalize,
  formatDay,
  inQuotes,
  joinShortList,
  releaseKindText,
  type TimeContext,
  treatmentText,
} from "../format.ts";
import { type Card, card, type Fact, type Row } from "../message.ts";
import {
  alertButtons,
  disagreementWarnings,
  exDateText,
  fractionFact,
  releaseFact,
  releaseQuotes,
  splitName,
  unlistedRow,
  withoutDates,
} from "../split-text.ts";
import { splitCard } from "./split-cards.ts";

const MAX_BUTTONS = 4;

/** Card for a split that a release postpones or cancels. The list may still have the old date, so the card shows both sources. */
export function withdrawnCard(event: Withdrawn, context: TimeContext): Card {
  const { record, article, kind, isRescheduled } = event;
  const date = isRescheduled ? `new ${exDateText(record, context)}` : `ex date was ${formatDay(record.exDate)}`;
  const base = splitCard({ ...event, release: null }, context, {
    tone: "warning",
    title: `${splitName(record)} ${kind}, according to a release (${date})`,
    link: article.url,
    lines: withdrawnLines(event),
  });
  const facts = isRescheduled ? base.facts : withoutDates(base.facts, record, dateAfter(event));
  return {
    ...base,
    facts: [...releaseFact(article), ...facts],
    quotes: [...releaseQuotes(article, [article.kindSentence]), ...(kind === "cancelled" ? [] : base.quotes)],
  };
}

/** What is known of the ex date after the withdrawal. */
function dateAfter({ kind, article, record }: Withdrawn): string {
  if (kind === "cancelled") return "none, the split is cancelled";
  const stated = termsOn(article, record)?.exDate ?? null;
  if (stated === null || stated === record.exDate) return "postponed, no new date is listed";
  return `${formatDay(stated)}, according to the release; not listed yet`;
}

function withdrawnLines({ kind, explainsMissing, isRescheduled }: Withdrawn): readonly string[] {
  if (isRescheduled) return ["The source already lists the new ex date."];
  const reason = explainsMissing ? ["This explains why the source no longer lists it."] : [];
  if (kind === "postponed")
    return [...reason, "No new ex date is listed yet. You'll get an alert when the source lists one."];
  return explainsMissing ? reason : ["The source may keep listing it for a while."];
}

export function articleCard(event: ArticleEvent, context: TimeContext): Card {
  const { article } = event;
  return card({
    ...releaseParts(event, context),
    title: `${subjectText(article)}: ${cutText(article.heading, 200)}`,
    facts: [...releaseFacts(article), fractionFact(article.fraction)],
    quotes: releaseQuotes(article, [quotedKind(article), article.fraction?.sentence]),
  });
}

/** Card for a possible split. The badge and first line distinguish it from a confirmed one. */
export function earlyCard(event: EarlyEvent, context: TimeContext): Card {
  const { article } = event;
  return card({
    ...releaseParts(event, context),
    badges: ["NOT YET A SPLIT"],
    title: `${subjectText(article)}: ${kindText(article)}: ${cutText(article.heading, 160)}`,
    lines: [
      article.kind === "ratio_range"
        ? "The release names a range of ratios. Neither the final ratio nor the split itself is decided yet."
        : "The release is about a proposal or an approval. It isn't decided yet whether and when the split happens.",
    ],
    facts: [...companyFact(article), ...releaseFacts(article), ratioFact(article), fractionFact(article.fraction)],
    quotes: releaseQuotes(article, [article.range?.sentence, article.kindSentence, article.fraction?.sentence]),
  });
}

/** Parts shared by all cards about a release. */
function releaseParts({ article, splits }: ReleaseEvent, context: TimeContext): Omit<Partial<Card>, "title"> {
  const records = splits.map(({ record }) => record);
  const buttons = tickersIn(article).flatMap((ticker) => alertButtons(ticker));
  return {
    tone: "plain",
    link: article.url,
    rows: [
      ...records.map((record) => {
        return { title: splitName(record), detail: dateDetail(article, record, context), ticker: record.ticker };
      }),
      ...unlistedTerms(article, records, context.today).map(unlistedRow),
    ],
    warnings: records.flatMap((record) => [
      ...disagreementWarnings({ disagreements: disagreementsOn(record, [article]) }, record),
      ...speakerWarnings(article, record),
    ]),
    buttons: buttons.slice(0, MAX_BUTTONS),
  };
}

/** The ex date of a split that the release doesn't withdraw, or the date that doesn't apply any more. */
function dateDetail(article: KnownArticle, record: SplitRecord, context: TimeContext): string {
  const isWithdrawn = isWithdrawalRelease(article) && mayWithdraw(article, record);
  const isListedDate = termsOn(article, record)?.exDate === record.exDate;
  if (!isWithdrawn || isListedDate) return capitalize(exDateText(record, context));
  return `${capitalize(article.kind)}, according to this release; the ex date was ${formatDay(record.exDate)}`;
}

/** The sentence that withdraws a split. Those of other kinds only repeat the heading. */
function quotedKind(article: KnownArticle): string | null {
  return isWithdrawalRelease(article) ? article.kindSentence : null;
}

function speakerWarnings(article: KnownArticle, record: SplitRecord): readonly string[] {
  const isContradiction = isContradictionByOther(article, record);
  if (!isContradiction && isIssuersOwn(article, record)) return [];
  const consequence = isContradiction ? ` The listed split of ${shownSymbol(record)} is unchanged.` : "";
  return [`The release isn't known as the issuer's.${consequence}`];
}

function tickersIn({ concerns }: KnownArticle): readonly Ticker[] {
  return [...new Set(concerns.map(({ ticker }) => ticker))];
}

function subjectText(article: KnownArticle): string {
  const tickers = tickersIn(article);
  return tickers.length === 0 ? "Press release" : joinShortList(tickers, 3);
}

function releaseFacts(article: KnownArticle): readonly Fact[] {
  const tickers = tickersIn(article);
  return [
    { label: "Wire", value: wireName(article.source) },
    { label: "Published", value: formatDay(article.published) },
    { label: "Tickers", value: tickers.length === 0 ? "not stated" : joinShortList(tickers) },
    { label: "Type", value: releaseKindText(article.kind) },
  ];
}

function companyFact({ terms }: KnownArticle): readonly Fact[] {
  const company = terms[0]?.company ?? null;
  return company === null ? [] : [{ label: "Company", value: company }];
}

/** `range of ratios (1-for-5 to 1-for-30), not yet a split` */
function kindText({ kind, range }: KnownArticle): string {
  const text = releaseKindText(kind);
  return range?.bounds ? text.replace(",", ` (${rangeText(range.bounds)}),`) : text;
}

/** Ratio of a release before a split: final, or the range. A range without both bounds is shown as a quote. */
function ratioFact({ terms, kindSentence, range }: KnownArticle): Fact {
  const ratio = terms[0]?.ratio ?? null;
  if (ratio === null && range?.bounds) return { label: "Ratio (range)", value: rangeText(range.bounds) };
  const isQuoted = range !== undefined || kindSentence !== null;
  const placeholder = isQuoted ? "not final: see the quote below" : "not stated";
  return { label: "Ratio (release)", value: ratio === null ? placeholder : ratioName(ratio) };
}

/** `1-for-5 to 1-for-30` */
function rangeText(bounds: readonly Ratio[]): string {
  return bounds.map(ratioName).join(" to ");
}

/** Row of a release, with its marks and further details. */
export function articleCardRow(
  article: KnownArticle,
  { marks, details = [] }: { readonly marks: readonly string[]; readonly details?: readonly string[] },
): Row {
  const tickers = tickersIn(article);
  const parts = [
    wireName(article.source),
    formatDay(article.published),
    tickers.length === 0 ? "ticker not stated" : joinShortList(tickers, 4),
    ...marks,
    ...(article.kind === "other" ? [] : [releaseKindText(article.kind)]),
    ...(article.fraction ? [`fractional shares ${treatmentText(article.fraction.treatment)}`] : []),
    ...details,
  ];
  const title = article.heading.trim() === "" ? inQuotes(article.url, 80) : cutText(article.heading, 200);
  const badges = marks.length > 0 ? { badges: ["CHECK"] } : {};
  return { title, detail: parts.join(" · "), link: article.url, isRelease: true, ...badges };
}
