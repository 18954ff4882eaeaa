import type { Event, FractionEvidence, ReleaseLink, SplitEvidence } from "../../domain/alert/event.ts";
import type { KnownArticle } from "../../domain/article/article.ts";
import type { TermsOfTicker } from "../../domain/article/evidence.ts";
import type { Serial } from "../../domain/split/serial.ts";
import type { Split } from "../../domain/split/split.ts";
import type { Ticker } from "../../domain/split/ticker.ts";
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
  termText,
  unlistedText,
  unlistedTitle,
  unwatchButton,
  watchButton,
} from "../split-text.ts";

/** One split with its evidence and history. */
export interface SplitDetails extends Pick<SplitEvidence, "release" | "disagreements" | "otherRows"> {
  readonly split: Split;
  readonly repeats: Serial | null;
  /** Release that withdraws the split; null: none. */
  readonly withdrawnBy: ReleaseLink | null;
  /** Treatments of fractional shares that releases state: one per treatment, the newest first. */
  readonly fractions: readonly FractionEvidence[];
  /** Oldest first. */
  readonly events: readonly Event[];
  readonly buttons: readonly Button[];
}

const MAX_EVENTS = 10;

export function splitDetailsCard(details: SplitDetails, at: TimeContext): Card {
  const { split, fractions, events, buttons } = details;
  const { record } = split;
  const older = events.length - MAX_EVENTS;
  return card({
    tone: toneOf(split),
    title: `${splitName(record)}, ${exDateText(record, at)}`,
    lines: [
      ...repeatSplitLines(details.repeats),
      ...stateLines(split, at),
      ...(older > 0 ? [`${formatCount(older, "older event")} not shown.`] : []),
    ],
    facts: [
      ...splitFacts(record, at),
      fractionFact(fractions[0] ?? null),
      ...releaseFact(details.withdrawnBy ?? details.release),
      { label: "First seen", value: formatTime(split.firstSeenAt, at.timezone) },
    ],
    quotes: fractions.flatMap((evidence) => fractionQuotes(evidence)),
    warnings: [
      ...recordWarnings(record),
      ...lateListingWarnings(split),
      ...evidenceWarnings(record, details),
      ...fractionDisagreement(fractions),
    ],
    rows: events.slice(-MAX_EVENTS).map((event) => historyRow(event, at.timezone)),
    buttons,
  });
}

function toneOf(split: Split): Tone {
  if (split.status === "missing" || withdrawalKind(split) !== null) return "warning";
  return "plain";
}

/** An ex date that the source listed after the release overrides the withdrawal. */
function withdrawalKind({ withdrawal }: Split): "postponed" | "cancelled" | null {
  return withdrawal === null || withdrawal.exDate === null ? null : withdrawal.kind;
}

function stateLines(split: Split, at: TimeContext): readonly string[] {
  const lines: string[] = [];
  const withdrawal = withdrawalKind(split);
  if (split.status === "missing") {
    const since = split.removedAt === null ? "" : ` since ${formatTime(split.removedAt, at.timezone)}`;
    const why = withdrawal === null ? "cancelled, completed or corrected?" : `${withdrawal}, according to a release.`;
    lines.push(`No longer listed${since}: ${why} These are its last known terms.`);
  } else if (withdrawal !== null) lines.push(`According to a release, it is ${withdrawal}.`);
  if (split.status === "closed") lines.push("It was removed from the list after its ex date, as expected.");
  if (split.pendingRecord !== null) {
    const { pendingRecord } = split;
    const terms = [
      termText("ratio", pendingRecord),
      formatDay(pendingRecord.exDate),
      termText("exchange", pendingRecord),
    ];
    lines.push(`The source keeps changing this record. It currently says: ${terms.join(", ")}.`);
  }
  return lines;
}

function fractionDisagreement(fractions: readonly FractionEvidence[]): readonly string[] {
  if (fractions.length < 2) return [];
  const treatments = fractions.map(({ treatment }) => treatmentText(treatment));
  return [`Releases differ on fractional shares: ${joinList(treatments, "or")}. The newest comes first.`];
}

export function releasesCard(ticker: Ticker, articles: readonly KnownArticle[], found: number): Card {
  return card({
    title: `${formatCount(found, "press release")} on ${ticker}`,
    rows: articles.map((article) => articleCardRow(article)),
    buttons: found > articles.length ? [button("All releases", `articles ticker:${ticker}`)] : [],
  });
}

/** A ticker without a known split. */
export interface UnknownSplit {
  readonly ticker: Ticker;
  /** A complete list of splits has been read. */
  readonly splitsKnown: boolean;
  readonly isWatched: boolean;
}

export function noSplitCard({ ticker, splitsKnown, isWatched }: UnknownSplit): Card {
  return card({
    title: `No reverse split of ${ticker} is known`,
    lines: [
      noListedSplitText(splitsKnown),
      isWatched
        ? "You watch it, so you'll get an alert when one is announced."
        : `Watch ${ticker} to get an alert when one is announced.`,
    ],
    buttons: [isWatched ? unwatchButton(ticker) : watchButton(ticker)],
  });
}

/** Why there is no split of a ticker. */
export function noListedSplitText(splitsKnown: boolean): string {
  return splitsKnown
    ? "The source doesn't list one, and there was none in the last 90 days."
    : "No list of splits has been read yet. See the last polls: /splits status";
}

/** Split that only a release announces, with the release's terms. */
export function unlistedSplitCard(
  { article, terms }: { readonly article: KnownArticle; readonly terms: TermsOfTicker },
  buttons: readonly Button[],
  at: TimeContext,
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
    facts: [...statedFacts(terms, at), fractionFact(fraction), ...releaseFact(article)],
    quotes: fraction === null ? [] : fractionQuotes({ ...fraction, source, url }),
    buttons,
  });
}

/** Known data about one ticker. */
export interface TickerState {
  readonly split: Split | null;
  /** Split that only a release announces. */
  readonly unlisted: TermsOfTicker | null;
  readonly latestRelease: Day | null;
}

/** One-line state of a ticker, for lists. */
export function tickerStateText({ split, unlisted, latestRelease }: TickerState, at: TimeContext): string {
  const listed = split === null ? "no split listed" : splitStateText(split, at);
  const release = latestRelease === null ? [] : [`latest press release ${formatDay(latestRelease)}`];
  return [unlisted === null ? listed : unlistedText(unlisted), ...release].join(" · ");
}

function splitStateText(split: Split, at: TimeContext): string {
  const { record } = split;
  const terms = `${termText("ratio", record)} on ${termText("exchange", record)}`;
  if (split.status === "missing") return `${terms}, no longer listed (ex date was ${formatDay(record.exDate)})`;
  if (record.exDate < at.today) return `${terms}, in effect since ${formatDay(record.exDate)}`;
  const withdrawal = withdrawalKind(split);
  return `${terms}, ${exDateText(record, at)}${withdrawal === null ? "" : `, ${withdrawal}, according to a release`}`;
}
