import type { Random } from "../support/random.ts";
import { anArticleRow, type Upstream } from "../support/upstream.ts";

/** Share of the splits with a release, which appears before, with or after their listing. */
const RELEASED_SHARE = 0.7;

/** Releases of the splits of a crash run. People who watch the tickers get one message with the release and the listing. */
export class Releases {
  readonly #upstream: Upstream;
  readonly #random: Random;
  readonly #tickers = new Set<string>();

  constructor({ upstream, random }: { readonly upstream: Upstream; readonly random: Random }) {
    this.#upstream = upstream;
    this.#random = random;
  }

  /** Publishes the release of the split that is listed last or of the next one, or none. */
  publish(last: string, next: string): void {
    if (!this.#random.chance(RELEASED_SHARE)) return;
    const ticker = this.#random.chance(0.5) ? last : next;
    if (this.#tickers.has(ticker)) return;
    this.#tickers.add(ticker);
    this.#upstream.articles = [aRelease(ticker), ...this.#upstream.articles];
  }

  has(ticker: string): boolean {
    return this.#tickers.has(ticker);
  }

  /** The tickers whose release is in none of these messages. */
  missingIn(texts: readonly string[], listed: readonly string[]): readonly string[] {
    const published = listed.filter((ticker) => this.#tickers.has(ticker));
    return published.filter((ticker) => !texts.some((text) => text.includes(headingOf(ticker))));
  }
}

const headingOf = (ticker: string): string => `${ticker} Holdings Announces Reverse Stock Split`;

function aRelease(ticker: string): Record<string, unknown> {
  return anArticleRow({
    url: `https://wire.example/${ticker}`,
    heading: headingOf(ticker),
    content: `${ticker} Holdings Inc. (NASDAQ: ${ticker}) today announced a 1-for-20 reverse stock split of its common stock.`,
    date_published: new Date().toISOString().slice(0, 10),
  });
}
