import { foldText } from "../domain/article/company-name.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { addDays, type Day } from "../domain/time/day.ts";
import { compareText, groupBy } from "../lib/collections.ts";
import { companyKeyOf } from "./catalog-observation.ts";
import { isFiling, type Release } from "./release.ts";

/**
 * Returns the releases to serve as articles, without duplicates, sorted by address. If a wire's release and an SEC exhibit are
 * the same article, only the release is served; if the wire's page could not be read, it is served with the exhibit's text.
 */
export function articlesOf(releases: Iterable<Release>): readonly Release[] {
  const [exhibits, wireReleases] = partition([...releases].toSorted(byAddress), isFiling);
  if (exhibits.length === 0) return wireReleases;
  const wireReleasesByArticle = groupBy(wireReleases, (release) => articleKey(release, issueDay(release)));
  const exhibitByRelease = new Map<Release, Release>();
  const unmatched: Release[] = [];
  for (const exhibit of exhibits) {
    const matches = sameArticles(exhibit, wireReleasesByArticle);
    if (matches.length === 0) unmatched.push(exhibit);
    for (const release of matches) if (!exhibitByRelease.has(release)) exhibitByRelease.set(release, exhibit);
  }
  const served = wireReleases.map((release) => withTextOf(release, exhibitByRelease.get(release)));
  return [...served, ...withoutRepetitions(unmatched)].toSorted(byAddress);
}

/** Removes duplicates: a filing and its amendment may have the same exhibit. */
function withoutRepetitions(exhibits: readonly Release[]): readonly Release[] {
  const served = new Map<string, Release[]>();
  for (const exhibit of exhibits) {
    if (sameArticles(exhibit, served).length > 0) continue;
    const key = articleKey(exhibit, issueDay(exhibit));
    served.set(key, [...(served.get(key) ?? []), exhibit]);
  }
  return [...served.values()].flat();
}

/** Returns the releases that are the same article as an exhibit. Dates may differ by a day if it was released around midnight. */
function sameArticles(
  exhibit: Release,
  releasesByArticle: ReadonlyMap<string, readonly Release[]>,
): readonly Release[] {
  const day = issueDay(exhibit);
  return [addDays(day, -1), day, addDays(day, 1)]
    .flatMap((near) => releasesByArticle.get(articleKey(exhibit, near)) ?? [])
    .filter((release) => mayShareIssuer(exhibit, release));
}

function articleKey({ source, heading }: Release, day: Day): string {
  return `${source} ${day} ${foldText(heading)}`;
}

/** Day of the dateline: an exhibit may be filed days later. */
function issueDay({ facts, published }: Release): Day {
  return facts?.announced ?? published;
}

/** False if both releases name their issuer and the issuers differ. */
function mayShareIssuer(a: Release, b: Release): boolean {
  const [tickers, otherTickers] = [tickersOf(a), tickersOf(b)];
  if ([...tickers].some((ticker) => otherTickers.has(ticker))) return true;
  const [name, otherName] = [issuerKey(a), issuerKey(b)];
  if (name !== "" && otherName !== "") return name === otherName;
  return tickers.size === 0 || otherTickers.size === 0;
}

function tickersOf({ tickers, facts }: Release): ReadonlySet<Ticker> {
  const mentionedTickers = [...tickers, ...(facts?.mentions.filter(({ tagged }) => tagged) ?? [])].map(
    ({ ticker }) => ticker,
  );
  return new Set(facts?.security.ticker ? [...mentionedTickers, facts.security.ticker] : mentionedTickers);
}

function issuerKey({ facts }: Release): string {
  return companyKeyOf(facts?.security.company ?? facts?.splits[0]?.company ?? null);
}

/** Cache of `withTextOf`: an unchanged article remains the same object. */
const completedReleases = new WeakMap<Release, { readonly exhibit: Release; readonly release: Release }>();

function withTextOf(release: Release, exhibit: Release | undefined): Release {
  if (exhibit === undefined || exhibit.text === null || release.text !== null) return release;
  const cached = completedReleases.get(release);
  if (cached?.exhibit === exhibit) return cached.release;
  const completed = { ...release, text: exhibit.text, facts: exhibit.facts };
  completedReleases.set(release, { exhibit, release: completed });
  return completed;
}

function byAddress(a: Release, b: Release): number {
  return compareText(a.url, b.url);
}

function partition<T>(list: readonly T[], isFirst: (member: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [list.filter(isFirst), list.filter((member) => !isFirst(member))];
}
