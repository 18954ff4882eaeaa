import { announcementTexts, type FakeRelease } from "../../newswires/wire-shapes.ts";
import { at, longDate, type Plan, type Publication } from "./story.ts";

/** `Nasdaq: QLMR` */
export interface IssuerParts {
  readonly plan: Plan;
  readonly market: string;
}

export interface ReleaseTime {
  /** Number of the trading day. */
  readonly on: number;
  /** Minutes after midnight in New York. */
  readonly minute?: number;
}

const BEFORE_OPEN = 8 * 60;

function release(
  { plan, market }: IssuerParts,
  { on, minute = BEFORE_OPEN }: ReleaseTime,
  parts: { readonly part: number } & Pick<FakeRelease, "heading" | "teaser" | "body">,
): Publication {
  const { part, ...texts } = parts;
  const published = new Date(at(on, minute));
  const id = String(100_000_000 + plan.number * 10 + part);
  const { company, ticker, wire } = plan;
  const tag = `${market}:${ticker}`;
  return {
    at: published.getTime(),
    publish: ({ wires }) => void wires[wire].publish({ id, company, tag, published, ...texts }),
  };
}

/** The release that announces the split with all terms. A later one with the same part corrects it on its page. */
export function announcement(
  issuer: IssuerParts,
  time: ReleaseTime,
  terms: { ex?: number; old?: number; symbol?: string } = {},
): Publication {
  const { plan, market } = issuer;
  const { company, ticker } = plan;
  const { ex = plan.ex, old = plan.old, symbol = `${market}: ${ticker}` } = terms;
  return release(issuer, time, {
    part: 1,
    ...announcementTexts({ company, symbol, ratio: `1-for-${old}`, day: longDate(ex) }),
  });
}

export function postponement(issuer: IssuerParts, time: ReleaseTime): Publication {
  const { company, ticker } = issuer.plan;
  return release(issuer, time, {
    part: 2,
    heading: `${company} Postpones Reverse Stock Split`,
    teaser: `${company} (${issuer.market}: ${ticker}) today announced that it has postponed its previously announced reverse stock split.`,
    body: "<p>A new date will be announced.</p>",
  });
}

export function cancellation(issuer: IssuerParts, time: ReleaseTime): Publication {
  const { company, ticker } = issuer.plan;
  return release(issuer, time, {
    part: 3,
    heading: `${company} Cancels Reverse Stock Split`,
    teaser: `${company} (${issuer.market}: ${ticker}) today announced that it has cancelled its previously announced reverse stock split.`,
    body: "<p>The common stock will continue to trade on its present basis.</p>",
  });
}

/** An approval of a range, which is no split. */
export function approval(issuer: IssuerParts, time: ReleaseTime): Publication {
  const { company, ticker } = issuer.plan;
  return release(issuer, time, {
    part: 4,
    heading: `Stockholders of ${company} Approve Reverse Stock Split`,
    teaser: `${company} (${issuer.market}: ${ticker}) today announced that its stockholders approved a reverse stock split at a ratio of between 1-for-5 and 1-for-50, to be determined by its board of directors.`,
    body: "<p>The board of directors has not yet decided whether and when to effect the reverse stock split.</p>",
  });
}

export function forwardSplit(issuer: IssuerParts, time: ReleaseTime): Publication {
  const { company, ticker } = issuer.plan;
  return release(issuer, time, {
    part: 5,
    heading: `${company} Announces Two-for-One Stock Split`,
    teaser: `${company} (${issuer.market}: ${ticker}) today announced a two-for-one forward stock split of its common stock.`,
    body: `<p>Trading is expected to begin on a split-adjusted basis on ${longDate(time.on + 4)}.</p>`,
  });
}
