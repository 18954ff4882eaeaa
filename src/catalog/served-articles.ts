import { foldText } from "../domain/article/company-name.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { addDays, type Day } from "../domain/time/day.ts";
import { compareText, groupBy } from "../lib/collections.ts";
import { companyKeyOf } from "./catalog-observation.ts";
import { isFiling, type Release } from "./release.ts";

/**
 * The releases to serve as articles, each once, sorted by address. A wire's release replaces the SEC exhibit of the same
 * release, whose text is used if the wire's page could not be read.
 */
export function articlesOf(releases: Iterable<Release>): readonly Release[] {
  const [exhibits, own] = partition([...releases].toSorted(byAddress), isFiling);
  if (exhibits.length === 0) return own;
  const ownByArticle = groupBy(own, (release) => articleKey(release, issueDay(release)));
  const exhibitByOwn = new Map<Release, Release>();
  const unmatched: Release[] = [];
  for (const exhibit of exhibits) {
    const same = sameArticles(exhibit, ownByArticle);
    if (same.length === 0) unmatched.push(exhibit);
    for (const release of same) if (!exhibitByOwn.has(release)) exhibitByOwn.set(release, exhibit);
  }
  const served = own.map((release) => withTextOf(release, exhibitByOwn.get(release)));
  return [...served, ...withoutRepetitions(unmatched)].toSorted(byAddress);
}

/** A filing and its amendment may have the same exhibit. */
function withoutRepetitions(exhibits: readonly Release[]): readonly Release[] {
  const served = new Map<string, Release[]>();
  for (const exhibit of exhibits) {
    if (sameArticles(exhibit, served).length > 0) continue;
    const key = articleKey(exhibit, issueDay(exhibit));
    served.set(key, [...(served.get(key) ?? []), exhibit]);
  }
  return [...served.values()].flat();
}

/** The known releases that are the same article as an exhibit. A release at midnight has two dates, one per time zone. */
function sameArticles(exhibit: Release, known: ReadonlyMap<string, readonly Release[]>): readonly Release[] {
  const day = issueDay(exhibit);
  return [addDays(day, -1), day, addDays(day, 1)]
    .flatMap((near) => known.get(articleKey(exhibit, near)) ?? [])
    .filter((release) => mayShareIssuer(exhibit, release));
}

function articleKey({ source, heading }: Release, day: Day): string {
  return `${source} ${day} ${foldText(heading)}`;
}

/** Day of the dateline: an exhibit may be filed days later. */
function issueDay({ facts, published }: Release): Day {
  return facts?.announced ?? published;
}

/** False if both name their issuer, and not the same one. */
function mayShareIssuer(a: Release, b: Release): boolean {
  const [tickers, others] = [tickersOf(a), tickersOf(b)];
  if ([...tickers].some((ticker) => others.has(ticker))) return true;
  const [name, otherName] = [issuerKey(a), issuerKey(b)];
  if (name !== "" && otherName !== "") return name === otherName;
  return tickers.size === 0 || others.size === 0;
}

function tickersOf({ tickers, facts }: Release): ReadonlySet<Ticker> {
  const stated = [...tickers, ...(facts?.mentions.filter(({ tagged }) => tagged) ?? [])].map(({ ticker }) => ticker);
  return new Set(facts?.security.ticker ? [...stated, facts.security.ticker] : stated);
}

function issuerKey({ facts }: Release): string {
  return companyKeyOf(facts?.security.company ?? facts?.splits[0]?.company ?? null);
}

/** Results of `withTextOf`: the same pair gives the same object, so that an unchanged article is recognized. */
const completed = new WeakMap<Release, { readonly exhibit: Release; readonly release: Release }>();

function withTextOf(release: Release, exhibit: Release | undefined): Release {
  if (exhibit === undefined || exhibit.text === null || release.text !== null) return release;
  const known = completed.get(release);
  if (known?.exhibit === exhibit) return known.release;
  const made = { ...release, text: exhibit.text, facts: exhibit.facts };
  completed.set(release, { exhibit, release: made });
  return made;
}

function byAddress(a: Release, b: Release): number {
  return compareText(a.url, b.url);
}

function partition<T>(list: readonly T[], isFirst: (member: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [list.filter(isFirst), list.filter((member) => !isFirst(member))];
}
