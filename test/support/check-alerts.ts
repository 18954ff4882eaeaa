import type { ChangingUpstream, ListedSplit } from "./changing-upstream.ts";
import { type SeenAlert, type TermWords, termWords } from "./seen-alerts.ts";

/** A destination of the web chat, with the alerts that it subscribed to and those that it received. */
export interface Recipient {
  readonly name: string;
  readonly alerts: readonly SeenAlert[];
  receives(split: ListedSplit): boolean;
  /** Whether it receives every release that names the ticker, not only withdrawals. */
  readsReleases(ticker: string): boolean;
}

export interface Discrepancy {
  readonly kind: "lost" | "twice" | "wrong";
  readonly what: string;
}

type SplitAlert = Extract<SeenAlert, { readonly ticker: string }>;

/**
 * Compares the alerts of a recipient with the upstream's history. `seen`: the versions of the list that polls read and saved,
 * in order; their terms must have been alerted. Terms between polls may be missed, but all alerts must form one unbroken
 * chain from the first terms to the last.
 */
export function checkSplits(story: ChangingUpstream, seen: readonly number[], recipient: Recipient): Discrepancy[] {
  const known = new Set(story.splits.map(({ ticker }) => ticker));
  const stray = recipient.alerts.filter(
    (alert) => alert.kind === "unexpected" || ("ticker" in alert && !known.has(alert.ticker)),
  );
  const discrepancies = stray.map((alert): Discrepancy => ({ kind: "wrong", what: JSON.stringify(alert) }));
  for (const split of story.splits) {
    const alerts = recipient.alerts.filter((one): one is SplitAlert => "ticker" in one && one.ticker === split.ticker);
    discrepancies.push(
      ...(recipient.receives(split) ? checkSplit(story, seen, { split, alerts }) : unsubscribed(alerts)),
    );
  }
  return discrepancies.map(({ kind, what }) => ({ kind, what: `${recipient.name}: ${what}` }));
}

/** `reference` receives everything: it shows which releases were alerted as withdrawals. */
export function checkReleases(story: ChangingUpstream, recipient: Recipient, reference: Recipient): Discrepancy[] {
  return story.releases.flatMap(({ url, ticker }): Discrepancy[] => {
    const split = story.splits.find((one) => one.ticker === ticker);
    const withdrawn = reference.alerts.some((one) => "url" in one && one.url === url && one.withdrawn);
    const expected = recipient.readsReleases(ticker) || (withdrawn && split !== undefined && recipient.receives(split));
    const times = recipient.alerts.filter((one) => "url" in one && one.url === url).length;
    if (times === Number(expected) || (expected && isRepeatedAfterListing(url, ticker, recipient.alerts))) return [];
    const what = `${recipient.name}: ${url} on ${ticker} was alerted ${times} times`;
    if (!expected) return [{ kind: "wrong", what }];
    return [{ kind: times === 0 ? "lost" : "twice", what }];
  });
}

/** A withdrawal is alerted a second time if its split was listed after it. */
function isRepeatedAfterListing(url: string, ticker: string, alerts: readonly SeenAlert[]): boolean {
  const isOfRelease = (one: SeenAlert): boolean => "url" in one && one.url === url;
  const isAnnouncement = (one: SeenAlert): boolean => one.kind === "announced" && one.ticker === ticker;
  const story = alerts.filter((one) => isOfRelease(one) || isAnnouncement(one));
  const words = story.map((one) => (one.kind === "release" && one.withdrawn ? "withdrawn" : one.kind));
  return words.join(", ") === "release, announced, withdrawn";
}

/** Message ids and numbers must be unique. */
export function checkMessages(
  messages: readonly { readonly messageId: string; readonly number: number }[],
): Discrepancy[] {
  const ids = new Set(messages.map(({ messageId }) => messageId));
  const numbers = new Set(messages.map(({ number }) => number));
  if (ids.size === messages.length && numbers.size === messages.length) return [];
  return [{ kind: "twice", what: `${messages.length} messages have ${ids.size} ids and ${numbers.size} numbers` }];
}

function unsubscribed(alerts: readonly SplitAlert[]): Discrepancy[] {
  return alerts.map((one) => ({ kind: "wrong", what: `${one.ticker}: no subscription, ${one.kind} was alerted` }));
}

function checkSplit(
  story: ChangingUpstream,
  seen: readonly number[],
  { split, alerts }: { readonly split: ListedSplit; readonly alerts: readonly SplitAlert[] },
): Discrepancy[] {
  const history = withoutRepeats(split.terms.map(({ terms }) => termWords(terms)));
  const shown = withoutRepeats(seen.flatMap((version) => wordsIn(story, split, version)));
  const values = chainOf(split, alerts);
  const text = `${split.ticker}: history ${show(history)}, shown ${show(shown)}, alerts ${JSON.stringify(alerts)}`;
  const discrepancy = (kind: Discrepancy["kind"], what: string): Discrepancy => ({ kind, what: `${what}: ${text}` });

  const discrepancies = checkCounts(split, alerts, shown.length > 0).map(({ kind, what }) => discrepancy(kind, what));
  if (values === null) return [...discrepancies, discrepancy("wrong", "the chain of old and new terms is broken")];
  if (!isWithin(values, history))
    discrepancies.push(discrepancy("wrong", "terms were alerted that the upstream never had"));
  if (!isWithin(shown, values)) discrepancies.push(discrepancy("lost", "terms that a poll saw were not alerted"));
  if (split.removedIn === null && show(values.slice(-1)) !== show(history.slice(-1)))
    discrepancies.push(discrepancy("lost", "the last terms were not alerted"));
  return discrepancies;
}

function checkCounts(split: ListedSplit, alerts: readonly SplitAlert[], wasShown: boolean): Discrepancy[] {
  const count = (kind: SplitAlert["kind"]): number => alerts.filter((one) => one.kind === kind).length;
  const known = split.initial || wasShown || count("announced") > 0;
  const removed = split.removedIn !== null;
  const expected = {
    announced: Number(!split.initial && (known || !removed)),
    missing: Number(removed && known),
  };
  return (["announced", "missing"] as const).flatMap((kind): Discrepancy[] => {
    if (count(kind) === expected[kind]) return [];
    const what = `${kind} was alerted ${count(kind)} times, not ${expected[kind]}`;
    return [{ kind: count(kind) < expected[kind] ? "lost" : "twice", what }];
  });
}

/** The terms after each alert, in order; null if an old value is not the last alerted one. */
function chainOf(split: ListedSplit, alerts: readonly SplitAlert[]): TermWords[] | null {
  const values: TermWords[] = split.initial ? split.terms.slice(0, 1).map(({ terms }) => termWords(terms)) : [];
  for (const one of alerts) {
    const last = values.at(-1);
    if (one.kind === "announced") values.push(one.now);
    if (one.kind !== "changed") continue;
    if (!last || !isSame(last, one.was) || show(Object.keys(one.was)) !== show(Object.keys(one.now))) return null;
    values.push({ ...last, ...one.now });
  }
  return values;
}

function isSame(terms: TermWords, part: Partial<TermWords>): boolean {
  return show({ ...terms, ...part }) === show(terms);
}

function wordsIn(story: ChangingUpstream, split: ListedSplit, version: number): TermWords[] {
  const terms = story.termsIn(split, version);
  return terms ? [termWords(terms)] : [];
}

function withoutRepeats(values: readonly TermWords[]): TermWords[] {
  return values.filter((value, index) => index === 0 || show(value) !== show(values[index - 1]));
}

/** Whether `part` is a subsequence of `whole`. */
function isWithin(part: readonly TermWords[], whole: readonly TermWords[]): boolean {
  let at = 0;
  for (const value of whole) if (at < part.length && show(part[at]) === show(value)) at += 1;
  return at === part.length;
}

function show(value: unknown): string {
  return JSON.stringify(value);
}
