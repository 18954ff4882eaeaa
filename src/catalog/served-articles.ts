import { compareText } from "../lib/collections.ts";
import { isFiling, type Release, SEC } from "./release.ts";
import { indexArticles } from "./same-article.ts";

/**
 * Returns the releases to serve as articles, without duplicates, sorted by address. If a wire's release and an SEC exhibit are
 * the same article, only the release is served; if the wire's page could not be read, it is served with the exhibit's text.
 */
export function articlesOf(releases: Iterable<Release>): readonly Release[] {
  const [filings, wireReleases] = partition([...releases].toSorted(byAddress), isFiling);
  if (filings.length === 0) return wireReleases;
  const articles = indexArticles(wireReleases);
  const exhibitByRelease = new Map<Release, Release>();
  const unmatched: Release[] = [];
  for (const filing of filings) {
    const matches = articles.sameAs(filing);
    if (matches.length === 0) unmatched.push(filing);
    for (const release of matches) if (!exhibitByRelease.get(release)?.text) exhibitByRelease.set(release, filing);
  }
  const served = wireReleases.map((release) => withTextOf(release, exhibitByRelease.get(release)));
  return [...served, ...withoutRepetitions(unmatched)].toSorted(byAddress);
}

/** Removes duplicates: a filing and its amendment may have the same exhibit. Documents without a wire are not articles. */
function withoutRepetitions(filings: readonly Release[]): readonly Release[] {
  const [others, exhibits] = partition(filings, ({ source }) => source === SEC);
  const articles = indexArticles(exhibits);
  const served = new Set<Release>();
  for (const exhibit of exhibits) {
    if (!articles.sameAs(exhibit).some((other) => served.has(other))) served.add(exhibit);
  }
  return [...others, ...served];
}

/** Cache of `withTextOf`: an unchanged article remains the same object. */
const completedReleases = new WeakMap<Release, { readonly exhibit: Release; readonly release: Release }>();

function withTextOf(release: Release, exhibit: Release | undefined): Release {
  // The text of a page that was read is null after its retention period.
  if (!exhibit?.text || release.readVersion !== null) return release;
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
