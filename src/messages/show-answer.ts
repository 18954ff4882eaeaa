import type { KnownArticle } from "../core/article.ts";
import type { Day } from "../core/day.ts";
import type { Event, FractionEvidence } from "../core/event.ts";
import type { Split } from "../core/split.ts";
import type { Ticker } from "../core/ticker.ts";
import { historyRow } from "./history-words.ts";
import { markWords } from "./marks.ts";
import { type Button, button, type Card, card, type Tone } from "./message.ts";
import { articleRow } from "./release-alerts.ts";
import { exDateWords, fractionFact, fractionQuotes, splitFacts, splitName, termWords } from "./split-facts.ts";
import { count, dayWords, listWords, type Moment, timeWords, treatmentWords } from "./words.ts";

/** One split with all that is known of it. */
export interface SplitDetails {
  readonly split: Split;
  /** What releases say of fractional shares, the newest first, one per treatment. */
  readonly fractions: readonly FractionEvidence[];
  /** Oldest first. */
  readonly events: readonly Event[];
  readonly buttons: readonly Button[];
}

const MOST_EVENTS = 10;

export function splitDetailsCard({ split, fractions, events, buttons }: SplitDetails, at: Moment): Card {
  const { record } = split;
  const older = events.length - MOST_EVENTS;
  return card({
    tone: toneOf(split),
    title: `${splitName(record)}, ${exDateWords(record, at)}`,
    lines: [
      ...stateLines(split, at),
      ...(older > 0 ? [`${count(older, "older event")} left out of its history.`] : []),
    ],
    facts: [
      ...splitFacts(record, at),
      fractionFact(fractions[0] ?? null),
      { label: "First seen", value: timeWords(split.firstSeenAt, at.timezone) },
    ],
    quotes: fractions.flatMap((evidence) => fractionQuotes(evidence)),
    marks: [...markWords(record), ...disagreement(fractions)],
    rows: events.slice(-MOST_EVENTS).map((event) => historyRow(event, at.timezone)),
    buttons,
  });
}

function toneOf(split: Split): Tone {
  if (split.status === "missing" || calledOffWord(split) !== null) return "warning";
  return "plain";
}

/** A date that the source listed later stands, whatever an older release says. */
function calledOffWord({ calledOff }: Split): "postponed" | "cancelled" | null {
  return calledOff === null || calledOff.exDate === null ? null : calledOff.kind;
}

function stateLines(split: Split, at: Moment): readonly string[] {
  const lines: string[] = [];
  if (split.status === "missing") {
    const since = split.goneAt === null ? "" : ` since ${timeWords(split.goneAt, at.timezone)}`;
    lines.push(`No longer listed${since}: cancelled, completed or corrected? These are its last known terms.`);
  }
  if (split.status === "closed") lines.push("It has left the list after its ex date, as splits do.");
  const calledOff = calledOffWord(split);
  if (calledOff !== null) lines.push(`A release says that it is ${calledOff}.`);
  if (split.unsettled !== null) {
    const { unsettled } = split;
    const terms = [termWords("ratio", unsettled), dayWords(unsettled.exDate), termWords("exchange", unsettled)];
    lines.push(`The source keeps changing this record. At this moment it says: ${terms.join(", ")}.`);
  }
  return lines;
}

function disagreement(fractions: readonly FractionEvidence[]): readonly string[] {
  if (fractions.length < 2) return [];
  const said = fractions.map(({ treatment }) => treatmentWords(treatment));
  return [`Releases differ on fractional shares: ${listWords(said, "or")}. The newest stands first.`];
}

export function releasesCard(ticker: Ticker, articles: readonly KnownArticle[], found: number): Card {
  return card({
    title: `${count(found, "press release")} on ${ticker}`,
    rows: articles.map((article) => articleRow(article)),
    buttons: found > articles.length ? [button("All of them", `articles ticker:${ticker}`)] : [],
  });
}

/** No split of this ticker is known. */
export function noSplitCard(ticker: Ticker, watchButton: Button): Card {
  return card({
    title: `No reverse split of ${ticker} is known`,
    lines: [
      "The source does not list one, and none was followed in the last 90 days.",
      `Watch ${ticker} to hear of it as soon as there is one.`,
    ],
    buttons: [watchButton],
  });
}

/** What is known of a ticker, in one line, for lists of tickers. */
export function tickerStateWords(split: Split | null, latestRelease: Day | null, at: Moment): string {
  const release = latestRelease === null ? [] : [`latest press release ${dayWords(latestRelease)}`];
  return [split === null ? "no split listed" : splitStateWords(split, at), ...release].join(" · ");
}

function splitStateWords(split: Split, at: Moment): string {
  const { record } = split;
  const terms = `${termWords("ratio", record)} on ${termWords("exchange", record)}`;
  if (split.status === "missing") return `${terms}, no longer listed (ex date was ${dayWords(record.exDate)})`;
  if (record.exDate < at.today) return `${terms}, in effect since ${dayWords(record.exDate)}`;
  const calledOff = calledOffWord(split);
  return `${terms}, ${exDateWords(record, at)}${calledOff === null ? "" : `, ${calledOff}, says a release`}`;
}
