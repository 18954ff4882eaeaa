import type { Disagreement, SplitEvidence } from "../domain/alert/event.ts";
import type { TermsOfTicker } from "../domain/article/stated-terms.ts";
import { exchangeName } from "../domain/split/exchange.ts";
import { type Ratio, ratioName } from "../domain/split/ratio.ts";
import type { SplitRecord } from "../domain/split/split.ts";
import type { Fact, Row } from "./message.ts";
import { termText } from "./split-facts.ts";
import { capitalize, formatDay, formatDistance, type TimeContext } from "./words.ts";

/** A release's own word on a split, and what the list says of it. */

const NOT_YET_LISTED = "announced on the wire, not yet in the list";

/** `ACME 1-for-25 reverse split: announced on the wire, not yet in the list` */
export function unlistedTitle(terms: TermsOfTicker): string {
  return `${statedName(terms)}: ${NOT_YET_LISTED}`;
}

/** A split that only a release knows, in a list. */
export function unlistedRow(terms: TermsOfTicker): Row {
  return { title: statedName(terms), detail: capitalize(unlistedText(terms)) };
}

/** `announced on the wire, not yet in the list; the release says: ratio 1-for-25, ex date not stated` */
export function unlistedText(terms: TermsOfTicker): string {
  return `${NOT_YET_LISTED}; the release says: ratio ${ratioWords(terms)}, ex date ${exDateWords(terms)}`;
}

/** The terms of a split that only a release knows. */
export function statedFacts(terms: TermsOfTicker, { today }: TimeContext): readonly Fact[] {
  const { company, exchange, ratio, exDate, newCusip } = terms;
  const distance = exDate === null || exchange === null ? "" : `, ${formatDistance(exchange, today, exDate)}`;
  return [
    { label: "Company", value: company ?? "not stated" },
    { label: "Exchange", value: exchange === null ? "not stated" : exchangeName(exchange) },
    { label: "Ratio, says the release", value: ratio === null ? "not stated" : longRatioWords(ratio) },
    { label: "Ex date, says the release", value: `${exDateWords(terms)}${distance}` },
    ...(newCusip === null ? [] : [{ label: "New CUSIP, says the release", value: newCusip }]),
  ];
}

/** `The release says 1-for-25, the list 1-for-20.` */
export function disagreementWarnings(
  { disagreements }: Pick<SplitEvidence, "disagreements">,
  record: SplitRecord,
): readonly string[] {
  return disagreements.map((disagreement) => {
    const listed = termText(disagreement.term, record);
    return `The release says ${statedWords(disagreement)}, the list ${listed}.`;
  });
}

function statedWords(disagreement: Disagreement): string {
  return disagreement.term === "ratio"
    ? ratioName(disagreement.stated)
    : `that the ex date is ${formatDay(disagreement.stated)}`;
}

function statedName({ ticker, ratio }: TermsOfTicker): string {
  return ratio === null ? `${ticker} reverse split` : `${ticker} ${ratioName(ratio)} reverse split`;
}

function ratioWords({ ratio }: TermsOfTicker): string {
  return ratio === null ? "not stated" : ratioName(ratio);
}

function longRatioWords(ratio: Ratio): string {
  return `${ratioName(ratio)}: ${ratio.oldShares} old shares become ${ratio.newShares} new`;
}

function exDateWords({ exDate }: TermsOfTicker): string {
  return exDate === null ? "not stated" : formatDay(exDate);
}
