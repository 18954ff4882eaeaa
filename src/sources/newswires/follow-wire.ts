import type { Release } from "../../catalog/release.ts";
import { DAY_MS, type Instant } from "../../domain/time/day.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { asWireError, type FeedItem, type Newswire, WireError, type WireLook } from "./newswire.ts";
import type { Shelf } from "./release-cache.ts";
import { failedToRead, foundRelease, isAwaited, isMarkedAnew, seenAgain, withText } from "./release-state.ts";
import { afterLook, unseenWire, type WireState } from "./wire-state.ts";

/** How long nothing is tried after the store could not write, or we failed ourselves. */
const PAUSE_MS = 30_000;

/** No press release is longer. In characters. */
const LONGEST_TEXT = 500_000;

export interface FollowWireParts {
  readonly wire: Newswire;
  readonly shelf: Shelf;
  readonly clock: Clock;
  readonly log: Log;
  /** Aborts when we stop. */
  readonly signal: AbortSignal;
  /** Whether the page may tell of a reverse split: the others are neither kept nor read. */
  isWanted(item: FeedItem): boolean;
  /** The wire's state, or one of its releases, is another. */
  changed(): void;
}

export interface FollowedWire {
  state(): WireState;
  /** A release was found whose page was not asked for yet. */
  hasUntried(): boolean;
  /** Resolves when it was stopped and nothing of it runs any more. */
  readonly ended: Promise<unknown>;
}

/** Looks at a wire at its pace and reads the pages that it shows, each at its time: looking does not wait for reading. */
export function followWire(parts: FollowWireParts): FollowedWire {
  const { wire, shelf, clock, log, signal } = parts;
  const nap = createNap(clock, signal);
  let state = unseenWire(wire.name, clock.now());

  /** A mistake of ours that one release brings to light ends neither the other releases nor the process. */
  const stumbled = (error: unknown): void => log.error("wire follow failed", { wire: wire.name, error });

  async function lookOnce(): Promise<void> {
    const look = await lookAt(parts);
    if (signal.aborted) return;
    const news = await keepNews(parts, look);
    const before = state;
    state = afterLook(before, look, clock.now());
    logState(parts, before, state);
    parts.changed();
    if (news > 0) nap.wake();
  }

  async function keepLooking(): Promise<void> {
    while (!signal.aborted) {
      await lookOnce().catch(stumbled);
      await clock.sleep(wire.everyMs, signal);
    }
  }

  /** Reads the page that is next, or waits for its time. */
  async function readNext(): Promise<void> {
    const next = nextToRead(parts);
    if (next === null || next.notBefore > clock.now()) await nap.until(next?.notBefore ?? null);
    else if (!(await readOne(parts, next))) await nap.until(clock.now() + PAUSE_MS);
  }

  async function keepReading(): Promise<void> {
    while (!signal.aborted) {
      await readNext().catch((error: unknown) => {
        stumbled(error);
        return nap.until(clock.now() + PAUSE_MS);
      });
    }
  }

  return {
    state: () => state,
    hasUntried: () => awaited(shelf, wire.name, clock.now()).some(({ text, tries }) => text === null && tries === 0),
    ended: Promise.all([keepLooking(), keepReading()]),
  };
}

async function lookAt({ wire, signal }: FollowWireParts): Promise<WireLook> {
  try {
    return await wire.look(signal);
  } catch (error) {
    return { shown: [], failures: [asWireError(error)] };
  }
}

/**
 * Takes down what is new before anything else is done with it, and tells how much that was. What cannot be written comes
 * again with the next look.
 */
async function keepNews(parts: FollowWireParts, look: WireLook): Promise<number> {
  const { wire, shelf, log } = parts;
  const news = newsIn(parts, look);
  const kept = await Promise.allSettled(news.map((release) => shelf.put(release)));
  for (const [index, { url, readVersion }] of news.entries()) {
    const result = kept[index];
    if (result?.status === "rejected") log.error("release not saved", { wire: wire.name, url, error: result.reason });
    else log.info(readVersion === null ? "release found" : "release corrected", { wire: wire.name, url });
  }
  return news.length;
}

function newsIn(parts: FollowWireParts, look: WireLook): readonly Release[] {
  const { wire, shelf } = parts;
  // A release may stand in several feeds of a wire.
  const shown = [...new Map(look.shown.toReversed().map((item) => [item.url, item])).values()];
  const news: Release[] = [];
  for (const item of shown) {
    const known = shelf.get(item.url);
    const release = known ? seenAgain(known, item, wire.name) : newRelease(parts, item, news);
    if (release) news.push(release);
  }
  return news.length > 0 ? news : markOfFirstLook(parts, shown);
}

/**
 * Any release that the wire shows, where none of it is kept: what it shows later is news, though it may be the first that is
 * wanted, and we may have been away when it came out.
 */
function markOfFirstLook({ wire, shelf, clock }: FollowWireParts, shown: readonly FeedItem[]): readonly Release[] {
  if ([...shelf.all()].some(({ source }) => source === wire.name)) return [];
  const unknown = shown.filter(({ url }) => shelf.get(url) === undefined).slice(0, 1);
  return unknown.map((item) => foundRelease(item, wire.name, clock.now()));
}

/** Null where the page is not to be read, or is another's with another mark in its address. */
function newRelease(parts: FollowWireParts, item: FeedItem, found: readonly Release[]): Release | null {
  if (!parts.isWanted(item)) return null;
  const { wire, shelf, clock } = parts;
  const isKnown = [...shelf.all(), ...found].some((known) => isMarkedAnew(known, item, wire.name));
  return isKnown ? null : foundRelease(item, wire.name, clock.now());
}

/** False when the store could not write what came of it. */
async function readOne(parts: FollowWireParts, { url, version, ...release }: Release): Promise<boolean> {
  const { wire, shelf, clock, log, signal } = parts;
  const page = await wire.read({ ...release, url, version }, signal).catch(asWireError);
  const known = shelf.get(url);
  if (signal.aborted || !known) return true;
  const read =
    page instanceof WireError
      ? failedToRead(known, page, clock.now())
      : textOf(known, page, { version, at: clock.now() });
  try {
    await shelf.put(read);
  } catch (error) {
    log.error("release not saved", { wire: wire.name, url, error });
    return false;
  }
  logRead(parts, read);
  parts.changed();
  return true;
}

/** A text that the extractor fails on is no reason to stop: it is a bug to be told of, and the other releases go on. */
function textOf(
  known: Release,
  page: string,
  { version, at }: { readonly version: string; readonly at: Instant },
): Release {
  try {
    return withText(known, page.slice(0, LONGEST_TEXT), version, at);
  } catch (error) {
    return failedToRead(known, asWireError(error), at);
  }
}

/** Those that failed least go first, the newest of them before the others: a bad page holds up no good one. */
function nextToRead({ wire, shelf, clock }: FollowWireParts): Release | null {
  const now = clock.now();
  const waiting = awaited(shelf, wire.name, now);
  const due = waiting.filter(({ notBefore }) => notBefore <= now);
  const [first] = due.length > 0 ? due.toSorted(byUrgency) : waiting.toSorted((a, b) => a.notBefore - b.notBefore);
  return first ?? null;
}

function awaited(shelf: Shelf, source: string, now: Instant): readonly Release[] {
  return [...shelf.all()].filter((release) => release.source === source && isAwaited(release, now));
}

function byUrgency(a: Release, b: Release): number {
  return a.tries - b.tries || (b.publishedAt ?? b.foundAt) - (a.publishedAt ?? a.foundAt);
}

function logState({ log }: FollowWireParts, before: WireState, { name, condition, problem, shown }: WireState): void {
  if (condition === before.condition && problem === before.problem) return;
  if (problem !== null) log.warn("wire read failed", { wire: name, condition, problem });
  else log.info("wire read", { wire: name, shown });
}

function logRead({ log }: FollowWireParts, { url, source, facts, tries, problem }: Release): void {
  if (problem === null)
    log.info("release read", { wire: source, url, kind: facts?.kind, splits: facts?.splits.length });
  else log.warn("release read failed", { wire: source, url, tries, problem });
}

interface Nap {
  /** Sleeps until then, or until somebody wakes it; null: until then alone. */
  until(at: Instant | null): Promise<void>;
  wake(): void;
}

/** A look now and then does no harm, and a timer that is set for much longer goes off at once. */
const LONGEST_NAP_MS = DAY_MS;

function createNap(clock: Clock, signal: AbortSignal): Nap {
  let nap = new AbortController();
  const wake = (): void => nap.abort();
  signal.addEventListener("abort", wake);
  return {
    async until(at) {
      nap = new AbortController();
      if (signal.aborted) return;
      await clock.sleep(Math.min(LONGEST_NAP_MS, at === null ? LONGEST_NAP_MS : at - clock.now()), nap.signal);
    },
    wake,
  };
}
