import type { KnownArticle } from "../core/article.ts";
import type { ArticleEvent, CalledOff } from "../core/event.ts";
import { type Card, card, type Fact, type Quote, type Row } from "./message.ts";
import { splitCard } from "./split-alerts.ts";
import { alertButtons, exDateWords, fractionFact, splitName } from "./split-facts.ts";
import { cut, dayWords, type Moment, quoted, releaseWords, shortListWords, treatmentWords, wireName } from "./words.ts";

const MOST_BUTTONS = 4;

/** A release says that a split is put off, or off. The list may still show the old date: both are said. */
export function calledOffCard(event: CalledOff, at: Moment): Card {
  const { record, article, kind } = event;
  const shown = splitCard(event, at, {
    tone: "warning",
    title: `${splitName(record)} ${kind}, says a release (ex date was ${dayWords(record.exDate)})`,
    link: article.url,
    lines: [
      kind === "postponed"
        ? "No new ex date is listed yet. When the source lists one, that is told."
        : "The source may go on listing it for a while.",
    ],
  });
  return { ...shown, facts: [releaseFact(article), ...shown.facts] };
}

function releaseFact(article: KnownArticle): Fact {
  const value = `${article.heading} (${wireName(article.source)}, ${dayWords(article.published)})`;
  return { label: "Release", value, link: article.url };
}

export function articleCard(event: ArticleEvent, at: Moment): Card {
  const { article } = event;
  const tickers = [...new Set(article.concerns.map(({ ticker }) => ticker))];
  const about = tickers.length === 0 ? "Press release" : shortListWords(tickers, 3);
  const buttons = tickers.flatMap((ticker) => alertButtons(ticker));
  return card({
    tone: "plain",
    title: `${about}: ${cut(article.heading, 200)}`,
    link: article.url,
    facts: [
      { label: "Wire", value: wireName(article.source) },
      { label: "Published", value: dayWords(article.published) },
      { label: "Tickers", value: tickers.length === 0 ? "not stated" : shortListWords(tickers) },
      { label: "What it is", value: releaseWords(article.kind) },
      fractionFact(article.fraction),
    ],
    rows: event.splits.map(({ record }) => ({ title: splitName(record), detail: exDateWords(record, at) })),
    quotes: articleQuotes(article),
    buttons: buttons.slice(0, MOST_BUTTONS),
  });
}

function articleQuotes(article: KnownArticle): readonly Quote[] {
  if (!article.fraction) return [];
  return [{ text: article.fraction.sentence, source: wireName(article.source), link: article.url }];
}

/** A release in a list. */
export function articleRow(article: KnownArticle): Row {
  const tickers = [...new Set(article.concerns.map(({ ticker }) => ticker))];
  const parts = [
    wireName(article.source),
    dayWords(article.published),
    tickers.length === 0 ? "ticker not stated" : shortListWords(tickers, 4),
    ...(article.kind === "other" ? [] : [releaseWords(article.kind)]),
    ...(article.fraction ? [`fractional shares ${treatmentWords(article.fraction.treatment)}`] : []),
  ];
  const title = article.heading.trim() === "" ? quoted(article.url, 80) : cut(article.heading, 200);
  return { title, detail: parts.join(" · "), link: article.url };
}
