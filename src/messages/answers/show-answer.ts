import type { Event, ReleaseLink, SplitEvidence } from "../../domain/alert/event.ts";
import type { FractionEvidence, KnownArticle } from "../../domain/article/article.ts";
import { disagreementsOn, type TermsOfTicker } from "../../domain/article/evidence.ts";
import { isWithdrawalRelease } from "../../domain/diff/withdrawal.ts";
import type { RepeatSplits } from "../../domain/split/repeat-splits.ts";
import { type Split, type SplitRecord, shownSymbol, TERMS } from "../../domain/split/split.ts";
import { selects, type Ticker } from "../../domain/split/ticker.ts";
import type { Day } from "../../domain/time/day.ts";
import { articleCardRow } from "../alerts/release-cards.ts";
import { historyRow } from "../event-text.ts";
import { formatCount, formatDay, formatTime, joinList, type TimeContext, treatmentText } from "../format.ts";
import { type Button, button, type Card, card, type Tone } from "../message.ts";
import {
  evidenceWarnings,
  exDateText,
  fractionFact,
  fractionQuotes,
  lateListingWarnings,
  recordWarnings,
  releaseFact,
  repeatSplitLines,
  splitFacts,
  splitName,
  statedFacts,
  statedTermText,
  termText,
  unlistedText,
  unlistedTitle,
  unwatchButton,
  watchButton,
  withdrawalKind,
  withoutDates,
} from "../split-text.ts";

/** One split with its evidence and history. */
export interface SplitDetails extends Pick<SplitEvidence, "release" | "disagreements" | "otherRows"> {
  readonly split: Split;
  /** Count of the issuer's recent splits; null for its first split. */
  readonly repeats: RepeatSplits | null;
  /** Release that withdraws the split; null if there is none. */
  readonly withdrawnBy: ReleaseLink | null;
  /** Releases that contradict the listed split and aren't known as the issuer's own, newest first. */
  readonly contradictionsByOthers: readonly KnownArticle[];
  /** Whether the ex date is derived from an effective date. */
  readonly isFromEffectiveDate: boolean;
  /** Treatments of fractional shares that releases state, one entry per treatment, newest first. */
  readonly fractions: readonly FractionEvidence[];
  /** Events, oldest first. */
  readonly events: readonly Event[];
  readonly buttons: readonly Button[];
}

const MAX_EVENTS = 10;
const MAX_CONTRADICTIONS = 3;

export function splitDetailsCard(details: SplitDetails, context: TimeContext): Card {
  const { split, fractions, events, buttons } = details;
  const { record } = split;
  const hiddenCount = events.length - MAX_EVENTS;
  const facts = splitFacts(record, context, details);
  const state = split.status === "missing" ? (withdrawalKind(split) ?? "no longer listed") : withdrawalKind(split);
  return card({
    tone: toneOf(split),
    title: `${splitName(record)}, ${state === null ? exDateText(record, context) : `${state} (ex date was ${formatDay(record.exDate)})`}`,
    lines: [
      ...repeatSplitLines(details.repeats),
      ...stateLines(split, context),
      ...(hiddenCount > 0 ? [`${formatCount(hiddenCount, "older event")} not shown.`] : []),
    ],
    facts: [
      ...(state === null ? facts : withoutDates(facts, record, state)),
      fractionFact(fractions[0] ?? null),
      ...releaseFact(details.withdrawnBy ?? details.release),
      { label: "First seen", value: formatTime(split.firstSeenAt, context.timezone) },
    ],
    quotes: fractions.flatMap((evidence) => fractionQuotes(evidence)),
    warnings: [
      ...recordWarnings(record),
      ...lateListingWarnings(split),
      ...evidenceWarnings(record, details),
      ...details.contradictionsByOthers
        .slice(0, MAX_CONTRADICTIONS)
        .map((release) => contradictionWarning(release, record)),
      ...fractionDisagreementWarnings(fractions),
    ],
    rows: events.slice(-MAX_EVENTS).map((event) => historyRow(event, context.timezone)),
    buttons,
  });
}

function contradictionWarning(release: KnownArticle, record: SplitRecord): string {
  const { published, subject } = release;
  const speaker = subject ?? "an unknown company";
  const statement = isWithdrawalRelease(release)
    ? `that the split is ${release.kind}`
    : joinList(disagreementsOn(record, [release]).map(statedTermText));
  return `A release of ${formatDay(published)} by ${speaker} says ${statement}. It isn't known as the issuer's, so it isn't applied.`;
}

function toneOf(split: Split): Tone {
  if (split.status === "missing" || withdrawalKind(split) !== null) return "warning";
  return "plain";
}

function stateLines(split: Split, context: TimeContext): readonly string[] {
  const lines: string[] = [];
  const withdrawal = withdrawalKind(split);
  const { formerTickers = [] } = split.record;
  if (formerTickers.length > 0) lines.push(`It was listed as ${joinList(formerTickers)} before.`);
  if (split.status === "missing") {
    const since = split.removedAt === null ? "" : ` since ${formatTime(split.removedAt, context.timezone)}`;
    const reason =
      withdrawal === null ? "cancelled, completed or corrected?" : `${withdrawal}, according to a release.`;
    lines.push(`No longer listed${since}: ${reason} These are its last known terms.`);
  } else if (withdrawal !== null) lines.push(`According to a release, it is ${withdrawal}.`);
  if (split.status === "closed") lines.push("It was removed from the list after its ex date, as expected.");
  if (split.pendingRecord !== null) {
    const { pendingRecord } = split;
    const isRenamed = pendingRecord.ticker !== split.record.ticker;
    const shown = TERMS.filter((term) => term !== "ticker" || isRenamed);
    const terms = shown.map((term) => termText(term, pendingRecord));
    lines.push(`The source keeps changing this record. It currently says: ${terms.join(", ")}.`);
  }
  return lines;
}

function fractionDisagreementWarnings(fractions: readonly FractionEvidence[]): readonly string[] {
  if (fractions.length < 2) return [];
  const treatments = fractions.map(({ treatment }) => treatmentText(treatment));
  return [`Releases differ on fractional shares: ${joinList(treatments, "or")}. The newest release is quoted first.`];
}

export function releasesCard(
  ticker: Ticker,
  articles: readonly { readonly article: KnownArticle; readonly marks: readonly string[] }[],
  total: number,
): Card {
  return card({
    title: `${formatCount(total, "press release")} on ${ticker}`,
    rows: articles.map(({ article, marks }) => articleCardRow(article, { marks })),
    buttons: total > articles.length ? [button("All releases", `articles ticker:${ticker}`)] : [],
  });
}

/** A ticker without a known split. */
export interface UnknownSplit {
  readonly ticker: Ticker;
  readonly list: ListState;
  readonly isWatched: boolean;
  /** Current split of a ticker that differs by one letter; null if there is none. */
  readonly similar: Pick<SplitRecord, "ticker" | "company"> | null;
}

export function noSplitCard({ ticker, list, isWatched, similar }: UnknownSplit): Card {
  return card({
    title: `No reverse split of ${ticker} is known`,
    lines: [
      ...(similar === null ? [] : [`Did you mean ${similar.ticker} (${similar.company})?`]),
      noListedSplitText(list),
      isWatched
        ? "You watch it, so you'll get an alert when one is announced."
        : `Watch ${ticker} to get an alert when one is announced.`,
    ],
    buttons: [
      ...(similar === null ? [] : [button(`Show ${similar.ticker}`, `show ${similar.ticker}`)]),
      isWatched ? unwatchButton(ticker) : watchButton(ticker),
    ],
  });
}

/** `complete`: a list of splits was read. `unreadable`: splits can't be read now. */
export type ListState = "none-yet" | "complete" | "unreadable";

/** Reason why a ticker has no listed split. */
export function noListedSplitText(list: ListState): string {
  return NO_LISTED_SPLIT[list];
}

const NO_LISTED_SPLIT: Readonly<Record<ListState, string>> = {
  "none-yet": "No list of splits has been read yet. See the last polls: /splits status",
  complete: "The source doesn't list one, and there was none in the last 90 days.",
  unreadable: "It's unknown whether one is listed now.",
};

/** Split that only a release announces, with the release's terms. */
export function unlistedSplitCard(
  { article, terms }: { readonly article: KnownArticle; readonly terms: TermsOfTicker },
  buttons: readonly Button[],
  context: TimeContext,
): Card {
  const { fraction, source, url } = article;
  return card({
    tone: "new",
    title: unlistedTitle(terms),
    link: url,
    lines: [
      ...(article.kind === "postponed" ? ["According to the release, it is postponed."] : []),
      "The source doesn't list it yet. These terms come from the release.",
    ],
    facts: [...statedFacts(terms, context), fractionFact(fraction), ...releaseFact(article)],
    quotes: fraction === null ? [] : fractionQuotes({ ...fraction, source, url }),
    buttons,
  });
}

/** Known data about one ticker. */
export interface TickerState {
  readonly ticker: Ticker;
  readonly split: Split | null;
  /** Its other upcoming splits, such as that of another company on another exchange. */
  readonly others: readonly Split[];
  /** Split that only a release announces. */
  readonly unlisted: TermsOfTicker | null;
  readonly latestRelease: Day | null;
  readonly list: ListState;
}

/** One-line state of a ticker, for lists. */
export function tickerStateText(
  { ticker, split, others, unlisted, latestRelease, list }: TickerState,
  context: TimeContext,
): string {
  const noSplit = list === "unreadable" ? "no split known, splits can't be read now" : "no split listed";
  const isRenamed = split !== null && !selects(ticker, split.record);
  const newSymbol = isRenamed ? `now listed as ${shownSymbol(split.record)}: ` : "";
  const splitText = split === null ? noSplit : `${newSymbol}${splitStateText(split, context)}`;
  const release = latestRelease === null ? [] : [`latest press release ${formatDay(latestRelease)}`];
  const also = others.map((other) => `also ${splitStateText(other, context)}`);
  return [unlisted === null ? splitText : unlistedText(unlisted), ...also, ...release].join(" · ");
}

function splitStateText(split: Split, context: TimeContext): string {
  const { record } = split;
  const terms = `${termText("ratio", record)} on ${termText("exchange", record)}`;
  if (split.status === "missing") return `${terms}, no longer listed (ex date was ${formatDay(record.exDate)})`;
  if (record.exDate < context.today) return `${terms}, in effect since ${formatDay(record.exDate)}`;
  const withdrawal = withdrawalKind(split);
  return `${terms}, ${exDateText(record, context)}${withdrawal === null ? "" : `, ${withdrawal}, according to a release`}`;
}
