/** Patterns that capture the release number in an address, with the language if the wire publishes translations. */
const NUMBER_PATTERNS: readonly RegExp[] = [
  // PR Newswire: /news-releases/acme-announces-reverse-split-309999901.html
  /\/news-releases\/[^/]*?-(\d{9})\.html$/,
  // Business Wire: /news/home/20261005999901/en/Acme-Announces-Reverse-Split/
  /\/news\/home\/(\d{14}\/[a-z]{2})(?:\/|$)/,
  // GlobeNewswire: /news-release/2026/10/05/9999901/0/en/Acme-Announces-Reverse-Split.html
  /\/news-release\/\d{4}\/\d{2}\/\d{2}\/(\d{5,10}\/\d\/[a-z]{2})(?:\/|$)/,
  // Newsfile: /release/999901/Acme-Announces-Consolidation
  /\/release\/(\d{5,10})(?:\/|$)/,
];

/** Release number in an address; null if the address has none. */
export function releaseNumber(url: string): string | null {
  const address = withoutQuery(url);
  for (const pattern of NUMBER_PATTERNS) {
    const number = pattern.exec(address)?.[1];
    if (number !== undefined) return number;
  }
  return null;
}

/** Identifier of a release, unique within its wire: the release number or the address without its query. */
export function releaseId(url: string): string {
  return releaseNumber(url) ?? withoutQuery(url);
}

export function withoutQuery(url: string): string {
  return url.split(/[?#]/)[0] ?? url;
}
