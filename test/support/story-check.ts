import type { RestlessUpstream, StorySplit } from "./restless-upstream.ts";
import { type AlertSeen, type TermWords, termWords } from "./told.ts";

/** A place of the web chat, with what it asked for and what it was told. */
export interface Listener {
  readonly name: string;
  readonly told: readonly AlertSeen[];
  hears(split: StorySplit): boolean;
  /** Every release that names the ticker, not only those that call a split off. */
  readsReleases(ticker: string): boolean;
}

export interface Problem {
  readonly kind: "lost" | "twice" | "wrong";
  readonly what: string;
}

type SplitTold = Extract<AlertSeen, { readonly ticker: string }>;

/**
 * Compares what a listener was told with what upstream showed. `seen` are the versions of the list that polls read and
 * saved, in their order: what they showed must have been told. What no poll saw may have been missed, but whatever was told
 * must make one unbroken chain from the first terms to the last.
 */
export function checkSplits(story: RestlessUpstream, seen: readonly number[], listener: Listener): Problem[] {
  const known = new Set(story.splits.map(({ ticker }) => ticker));
  const stray = listener.told.filter(
    (told) => told.kind === "unexpected" || ("ticker" in told && !known.has(told.ticker)),
  );
  const problems = stray.map((told): Problem => ({ kind: "wrong", what: JSON.stringify(told) }));
  for (const split of story.splits) {
    const told = listener.told.filter((one): one is SplitTold => "ticker" in one && one.ticker === split.ticker);
    problems.push(...(listener.hears(split) ? checkSplit(story, seen, { split, told }) : unasked(told)));
  }
  return problems.map(({ kind, what }) => ({ kind, what: `${listener.name}: ${what}` }));
}

/** `reference` hears everything: it shows which releases were told as calling a split off. */
export function checkReleases(story: RestlessUpstream, listener: Listener, reference: Listener): Problem[] {
  return story.releases.flatMap(({ url, ticker }): Problem[] => {
    const split = story.splits.find((one) => one.ticker === ticker);
    const calledOff = reference.told.some((one) => "url" in one && one.url === url && one.calledOff);
    const expected = listener.readsReleases(ticker) || (calledOff && split !== undefined && listener.hears(split));
    const times = listener.told.filter((one) => "url" in one && one.url === url).length;
    if (times === Number(expected) || (expected && isToldAgain(url, ticker, listener.told))) return [];
    const what = `${listener.name}: ${url} on ${ticker} was told ${times} times`;
    if (!expected) return [{ kind: "wrong", what }];
    return [{ kind: times === 0 ? "lost" : "twice", what }];
  });
}

/** A release is told a second time where the split that it calls off came to the list only after it. */
function isToldAgain(url: string, ticker: string, told: readonly AlertSeen[]): boolean {
  const isOfRelease = (one: AlertSeen): boolean => "url" in one && one.url === url;
  const isAnnouncement = (one: AlertSeen): boolean => one.kind === "announced" && one.ticker === ticker;
  const story = told.filter((one) => isOfRelease(one) || isAnnouncement(one));
  const words = story.map((one) => (one.kind === "release" && one.calledOff ? "called off" : one.kind));
  return words.join(", ") === "release, announced, called off";
}

/** A message is one message for ever, wherever it is. */
export function checkMessages(messages: readonly { readonly messageId: string; readonly number: number }[]): Problem[] {
  const ids = new Set(messages.map(({ messageId }) => messageId));
  const numbers = new Set(messages.map(({ number }) => number));
  if (ids.size === messages.length && numbers.size === messages.length) return [];
  return [{ kind: "twice", what: `${messages.length} messages have ${ids.size} ids and ${numbers.size} numbers` }];
}

function unasked(told: readonly SplitTold[]): Problem[] {
  return told.map((one) => ({ kind: "wrong", what: `${one.ticker}: nobody asked for it, ${one.kind} was told` }));
}

function checkSplit(
  story: RestlessUpstream,
  seen: readonly number[],
  { split, told }: { readonly split: StorySplit; readonly told: readonly SplitTold[] },
): Problem[] {
  const history = withoutRepeats(split.terms.map(({ terms }) => termWords(terms)));
  const shown = withoutRepeats(seen.flatMap((version) => wordsIn(story, split, version)));
  const values = chainOf(split, told);
  const text = `${split.ticker}: history ${show(history)}, shown ${show(shown)}, told ${JSON.stringify(told)}`;
  const problem = (kind: Problem["kind"], what: string): Problem => ({ kind, what: `${what}: ${text}` });

  const problems = checkCounts(split, told, shown.length > 0).map(({ kind, what }) => problem(kind, what));
  if (values === null) return [...problems, problem("wrong", "the chain of old and new terms is broken")];
  if (!isWithin(values, history)) problems.push(problem("wrong", "terms were told that upstream did not have so"));
  if (!isWithin(shown, values)) problems.push(problem("lost", "terms that a poll saw were not told"));
  if (split.removedIn === null && show(values.slice(-1)) !== show(history.slice(-1)))
    problems.push(problem("lost", "the last terms were not told"));
  return problems;
}

function checkCounts(split: StorySplit, told: readonly SplitTold[], wasShown: boolean): Problem[] {
  const count = (kind: SplitTold["kind"]): number => told.filter((one) => one.kind === kind).length;
  const known = split.initial || wasShown || count("announced") > 0;
  const removed = split.removedIn !== null;
  const expected = {
    announced: Number(!split.initial && (known || !removed)),
    missing: Number(removed && known),
  };
  return (["announced", "missing"] as const).flatMap((kind): Problem[] => {
    if (count(kind) === expected[kind]) return [];
    const what = `${kind} was told ${count(kind)} times, not ${expected[kind]}`;
    return [{ kind: count(kind) < expected[kind] ? "lost" : "twice", what }];
  });
}

/** The terms after each alert, the first ones first; null when an old value is not the one that was told last. */
function chainOf(split: StorySplit, told: readonly SplitTold[]): TermWords[] | null {
  const values: TermWords[] = split.initial ? split.terms.slice(0, 1).map(({ terms }) => termWords(terms)) : [];
  for (const one of told) {
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

function wordsIn(story: RestlessUpstream, split: StorySplit, version: number): TermWords[] {
  const terms = story.termsIn(split, version);
  return terms ? [termWords(terms)] : [];
}

function withoutRepeats(values: readonly TermWords[]): TermWords[] {
  return values.filter((value, index) => index === 0 || show(value) !== show(values[index - 1]));
}

/** Whether `part` is left when some values of `whole` are taken out. */
function isWithin(part: readonly TermWords[], whole: readonly TermWords[]): boolean {
  let at = 0;
  for (const value of whole) if (at < part.length && show(part[at]) === show(value)) at += 1;
  return at === part.length;
}

function show(value: unknown): string {
  return JSON.stringify(value);
}
