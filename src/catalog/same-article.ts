import { foldText } from "../domain/article/company-name.ts";
import { isWire } from "../domain/article/wire.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { addDays, type Day } from "../domain/time/day.ts";
import { REVERSE_SPLIT } from "../extraction/split-patterns.ts";
import { groupBy, memoize } from "../lib/collections.ts";
import { companyKeyOf } from "./catalog-observation.ts";
import { type Release, SEC } from "./release.ts";

/** Releases in which the same article as an exhibit's can be found. */
export interface ArticleIndex {
  /**
   * Returns the releases that are the same article: of the same issuer, of the same day or a neighboring one, and with the same
   * heading; if none has the same heading, those with the same first sentences.
   */
  sameAs(exhibit: Release): readonly Release[];
}

export function indexArticles(releases: readonly Release[]): ArticleIndex {
  const byHeading = groupBy(releases, (release) => headingKey(release, issueDay(release)));
  const byIssuer = groupBy(
    releases.flatMap((release) => issuerKeys(release).map((key) => ({ key: `${issueDay(release)} ${key}`, release }))),
    ({ key }) => key,
  );
  return {
    sameAs(exhibit) {
      const days = [-1, 0, 1].map((offset) => addDays(issueDay(exhibit), offset));
      const isCandidate = (release: Release): boolean =>
        mayShareWire(exhibit, release) && sharesIssuer(exhibit, release);
      const sameHeading = days.flatMap((day) => byHeading.get(headingKey(exhibit, day)) ?? []).filter(isCandidate);
      if (sameHeading.length > 0) return sameHeading;
      const ofIssuer = issuerKeys(exhibit).flatMap((key) => days.flatMap((day) => byIssuer.get(`${day} ${key}`) ?? []));
      return [...new Set(ofIssuer.map(({ release }) => release))].filter(
        (release) => isCandidate(release) && beginsEqually(exhibit, release),
      );
    },
  };
}

/** The source of an exhibit whose dateline names no wire is the SEC: it may have been issued on any wire. */
function mayShareWire(exhibit: Release, { source }: Release): boolean {
  return exhibit.source === source || (exhibit.source === SEC && isWire(source));
}

const foldedHeading = memoize(({ heading }: Release) => foldText(heading));

function headingKey(release: Release, day: Day): string {
  return `${day}${foldedHeading(release)}`;
}

/** Day of the dateline: an exhibit may be filed days later. */
function issueDay({ facts, published }: Release): Day {
  return facts?.announced ?? published;
}

const issuerKeys = memoize((release: Release): readonly string[] => {
  const name = issuerName(release);
  return [...tickersOf(release), ...(name === "" ? [] : [`company ${name}`])];
});

/** True if a ticker or the company's name shows that the issuer is the same. */
function sharesIssuer(exhibit: Release, release: Release): boolean {
  const [tickers, otherTickers] = [tickersOf(exhibit), tickersOf(release)];
  if ([...tickers].some((ticker) => otherTickers.has(ticker))) return true;
  const [name, otherName] = [issuerName(exhibit), issuerName(release)];
  if (name !== "" && otherName !== "") return name === otherName;
  if (tickers.size > 0 && otherTickers.size > 0) return false;
  return names(release, name) || names(exhibit, otherName);
}

/** Whether the opening of a release names the company. */
function names(release: Release, company: string): boolean {
  return company !== "" && `${foldedHeading(release)}${opening(release)}`.includes(` ${company} `);
}

const tickersOf = memoize(({ tickers, facts }: Release): ReadonlySet<Ticker> => {
  const mentionedTickers = [...tickers, ...(facts?.mentions.filter(({ tagged }) => tagged) ?? [])].map(
    ({ ticker }) => ticker,
  );
  return new Set(facts?.security.ticker ? [...mentionedTickers, facts.security.ticker] : mentionedTickers);
});

const issuerName = memoize(({ facts }: Release): string =>
  companyKeyOf(facts?.security.company ?? facts?.splits[0]?.company ?? null),
);

/** In characters; the first sentences and everything that may precede them. */
const MAX_OPENING_LENGTH = 4_000;

/** The folded start of the text, or else the feed's summary. */
const opening = memoize(({ text, teaser }: Release): string => foldText((text ?? teaser).slice(0, MAX_OPENING_LENGTH)));

/** In words: city, state, date, wire, symbols and topics before the first sentence. */
const MAX_DATELINE_WORDS = 25;
/** In words. Shorter openings, such as a company's name and its business, are common to several releases of an issuer. */
const MIN_SHARED_WORDS = 15;
/** In words. Of a page's text, the first sentences; of a feed's summary, all. */
const MAX_COMPARED_WORDS = 60;

/** Whether the exhibit has the first sentences of the release, and they name a reverse split. */
function beginsEqually(exhibit: Release, release: Release): boolean {
  const text = opening(exhibit);
  const words = firstWords(release);
  for (let start = 0; start <= MAX_DATELINE_WORDS && words.length - start >= MIN_SHARED_WORDS; start += 1) {
    const sentences = words.slice(start).join(" ");
    if (text.includes(` ${sentences} `)) return namesSplit(sentences);
  }
  return false;
}

const NAMES_SPLIT = new RegExp(REVERSE_SPLIT.source, "i");

function namesSplit(foldedText: string): boolean {
  return NAMES_SPLIT.test(foldedText);
}

/** Folded words of the first sentences, without a last word that the feed may have truncated. */
const firstWords = memoize((release: Release): readonly string[] => {
  const words = opening(release).trim().split(" ");
  const isWhole = release.text === null && /[^.][.!?]["”’)]?\s*$/.test(release.teaser);
  return (isWhole ? words : words.slice(0, -1)).slice(0, MAX_COMPARED_WORDS + MAX_DATELINE_WORDS);
});
