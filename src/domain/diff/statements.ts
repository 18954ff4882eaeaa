import { compareText } from "../../lib/collections.ts";
import { type ChangeableTerm, type Changed, eventIds } from "../alert/event.ts";
import type { KnownArticle } from "../article/article.ts";
import {
  type ArticleIndex,
  announces,
  DAYS_BEFORE_EX_DATE,
  isAboutNextSplit,
  isIssuersOwn,
  termsOn,
} from "../article/evidence.ts";
import { evidenceWithOtherRows } from "../split/quality.ts";
import { isSameRatio } from "../split/ratio.ts";
import { type Split, type SplitRecord, type Statements, symbolsOf } from "../split/split.ts";
import type { Ticker } from "../split/ticker.ts";
import { addDays, type Day, type Instant } from "../time/day.ts";
import { isFlapping, withTransition } from "./transitions.ts";

/** Days after the ex date in which an issuer may correct what it stated. */
const MAX_DAYS_OF_CORRECTIONS = 45;

/** A release that was read now, with its previous version. */
export interface ReadRelease {
  readonly article: KnownArticle;
  readonly before: KnownArticle | undefined;
  /**
   * True if it triggers no events: it is read for the first time, and is older than the snapshot or was published before its wire
   * was followed.
   */
  readonly isSilent: boolean;
}

/**
 * Adds the statements of releases to the splits that they are about. Returns the changed splits. `known`: the releases known before.
 * A statement changes only if the issuer's newest release states another value: repetitions, older releases and releases that state
 * nothing change nothing, and the first statement is no change. What a correction leaves out stays stated.
 */
export function addStatements(
  splits: readonly Split[],
  releases: readonly ReadRelease[],
  { known, at }: { readonly known: ArticleIndex; readonly at: Instant },
): readonly Split[] {
  const stating = releases.filter(({ article, before }) => {
    if (before === undefined) return states(article);
    return (states(article) || states(before)) && !isSameStatement(before, article);
  });
  if (stating.length === 0) return [];
  const bySymbol = splitsBySymbol(splits);
  const after = new Map<Split["id"], Split>();
  const statements = stating.flatMap(({ article, before, isSilent }) =>
    splitsStatedIn(states(article) ? article : (before ?? article), bySymbol).map((stored) => ({
      article,
      isCorrected: before !== undefined,
      isSilent,
      stored,
    })),
  );
  for (const { article, isCorrected, isSilent, stored } of statements) {
    const split = after.get(stored.id) ?? stored;
    const { current: last, alerted } = split.statements ?? { current: knownStatements(stored, bySymbol, known) };
    const current = withStatementsOf(article, split.record, last);
    const lastAlerted = isSilent ? current : (alerted ?? last);
    const isKept = isCorrected && split.statements === undefined;
    if (current !== last || isKept) after.set(split.id, withStatements(split, { lastAlerted, current }, at));
  }
  return [...after.values()];
}

/** `lastAlerted`: the statements of the last alert. A further change of a flapping split is held for longer. */
function withStatements(
  split: Split,
  { lastAlerted, current }: { readonly lastAlerted: Statements; readonly current: Statements },
  at: Instant,
): Split {
  const alerted = alertedIfChanged(lastAlerted, current);
  if (changesBetween(alerted, current).length === 0) return { ...split, statements: { current } };
  const transitionTimes = isFlapping(split, at) ? withTransition(split, at) : split.transitionTimes;
  return { ...split, statements: { current, alerted }, transitionTimes };
}

/** Terms whose statement changed since the last alert. */
export function statedChanges({ statements }: Split): readonly ChangeableTerm[] {
  return statements?.alerted === undefined ? [] : changesBetween(statements.alerted, statements.current);
}

/** The part of an event that shows what changed in the statements; empty if nothing changed. */
export function statedPart(split: Split): Pick<Changed, "stated"> & { readonly fraction?: Changed["fraction"] } {
  const { statements } = split;
  if (statements?.alerted === undefined) return {};
  const { current, alerted } = statements;
  return { stated: { was: alerted, now: current }, ...(current.fraction ? { fraction: current.fraction } : {}) };
}

/** A split whose changed statements are alerted. */
export function withAlertedStatements(split: Split): Split {
  return split.statements?.alerted === undefined
    ? split
    : { ...split, statements: { current: split.statements.current } };
}

export interface ReportContext {
  readonly at: Instant;
  readonly sample: boolean;
  readonly listed: readonly SplitRecord[];
  readonly articles: ArticleIndex;
}

/** Reports changed statements of a split whose row is unchanged. Null if there are none, and while the split is flapping. */
export function reportStatements(
  split: Split,
  { at, sample, listed, articles }: ReportContext,
): { readonly split: Split; readonly event: Changed } | null {
  const terms = statedChanges(split);
  if (terms.length === 0 || isFlapping(split, at)) return null;
  const { id, record } = split;
  const revision = split.revision + 1;
  const changed = { ...withAlertedStatements(split), revision, transitionTimes: withTransition(split, at) };
  const event: Changed = {
    kind: "changed",
    id: eventIds.revision(id, revision),
    at,
    sample,
    splitId: id,
    record,
    ...evidenceWithOtherRows(record, listed, articles),
    ...statedPart(split),
    was: record,
    terms: [...terms],
    flapping: isFlapping(changed, at),
  };
  return { split: changed, event };
}

function changesBetween(was: Statements, now: Statements): readonly ChangeableTerm[] {
  const terms: ChangeableTerm[] = [];
  if (isOtherFraction(was.fraction, now.fraction)) terms.push("fraction");
  if (was.newCusip !== null && now.newCusip !== null && was.newCusip.value !== now.newCusip.value)
    terms.push("newCusip");
  return terms;
}

/** For each term the alerted statement if it changed since then, else the current one. */
function alertedIfChanged(alerted: Statements, current: Statements): Statements {
  const changed = changesBetween(alerted, current);
  return {
    fraction: changed.includes("fraction") ? alerted.fraction : current.fraction,
    newCusip: changed.includes("newCusip") ? alerted.newCusip : current.newCusip,
  };
}

/** False for a repetition in less detail, such as one without the level. */
function isOtherFraction(was: Statements["fraction"], now: Statements["fraction"]): boolean {
  if (was === null || now === null) return false;
  if (was.treatment !== now.treatment) return true;
  return was.level !== null && now.level !== null && was.level !== now.level;
}

function states({ fraction, terms, kind }: KnownArticle): boolean {
  return kind !== "cancelled" && (fraction !== null || terms.some(({ newCusip }) => newCusip !== null));
}

/** True if a corrected release states the same as before. */
export function isSameStatement(before: KnownArticle, after: KnownArticle): boolean {
  return statementKey(before) === statementKey(after);
}

function statementKey({ fraction, terms, kind }: KnownArticle): string {
  const values = terms.map((stated) => ({ ...stated, newCusipSentence: null }));
  return JSON.stringify([kind, fraction?.treatment, fraction?.level, values]);
}

/** Statements after a release; the same object if it states nothing, or was published before them. */
function withStatementsOf(article: KnownArticle, record: SplitRecord, known: Statements): Statements {
  const fraction = newerFraction(article, known.fraction);
  const newCusip = newerCusip(article, record, known.newCusip);
  return fraction === known.fraction && newCusip === known.newCusip ? known : { fraction, newCusip };
}

function newerFraction(article: KnownArticle, known: Statements["fraction"]): Statements["fraction"] {
  const { fraction, url, source, published } = article;
  if (fraction === null || (known !== null && published < known.published)) return known;
  const hasLevel = known !== null && known.level !== null && known.treatment === fraction.treatment;
  return hasLevel && fraction.level === null ? { ...known, published } : { ...fraction, url, source, published };
}

function newerCusip(article: KnownArticle, record: SplitRecord, known: Statements["newCusip"]): Statements["newCusip"] {
  const { url, source, published } = article;
  const { newCusip: value = null, newCusipSentence: sentence } = termsOn(article, record) ?? {};
  if (value === null || (known !== null && published < known.published)) return known;
  return { value, ...(sentence !== undefined && { sentence }), url, source, published };
}

/** Statements of the known releases, from the oldest to the newest. */
function knownStatements(split: Split, bySymbol: SplitsBySymbol, index: ArticleIndex): Statements {
  const articles = new Set(symbolsOf(split.record).flatMap((ticker) => index.get(ticker) ?? []));
  const stating = [...articles]
    .filter((article) => states(article) && splitsStatedIn(article, bySymbol).includes(split))
    .toSorted((a, b) => compareText(a.published, b.published) || a.seenAt - b.seenAt || compareText(b.url, a.url));
  let statements: Statements = { fraction: null, newCusip: null };
  for (const article of stating) statements = withStatementsOf(article, split.record, statements);
  return statements;
}

type SplitsBySymbol = ReadonlyMap<Ticker, readonly Split[]>;

function splitsBySymbol(splits: readonly Split[]): SplitsBySymbol {
  const bySymbol = new Map<Ticker, Split[]>();
  for (const split of splits) {
    for (const ticker of symbolsOf(split.record)) bySymbol.set(ticker, [...(bySymbol.get(ticker) ?? []), split]);
  }
  return bySymbol;
}

/** The splits about which a release of their issuer makes its statements: of two splits of one symbol, only one. */
function splitsStatedIn(article: KnownArticle, bySymbol: SplitsBySymbol): readonly Split[] {
  const candidates = new Set(article.concerns.flatMap(({ ticker }) => bySymbol.get(ticker) ?? []));
  const possible = [...candidates].filter(({ record }) => mayStateTermsOf(article, record));
  return possible.filter(
    ({ record }) =>
      record.exDate ===
      statedDate(
        article,
        possible.filter((other) => other.record.ticker === record.ticker),
      ),
  );
}

/** The stated ex date if a split has it; else the next one after the release, or the last one. */
function statedDate(article: KnownArticle, splits: readonly Split[]): Day | undefined {
  const days = splits.map(({ record }) => record.exDate).toSorted();
  const stated = splits.find(({ record }) => termsOn(article, record)?.exDate === record.exDate);
  return stated?.record.exDate ?? days.find((day) => day >= article.published) ?? days.at(-1);
}

function mayStateTermsOf(article: KnownArticle, record: SplitRecord): boolean {
  const { published } = article;
  const isNear =
    published >= addDays(record.exDate, -DAYS_BEFORE_EX_DATE) &&
    published <= addDays(record.exDate, MAX_DAYS_OF_CORRECTIONS);
  if (!isNear || !isIssuersOwn(article, record) || isAboutNextSplit(article, record)) return false;
  if (article.kind === "completed_past" || article.kind === "other") return published >= record.exDate;
  return published <= record.exDate || confirmsTerms(article, record);
}

/** True if a release after the ex date repeats a term of the split, so that it isn't about the next one. */
function confirmsTerms(article: KnownArticle, record: SplitRecord): boolean {
  const terms = termsOn(article, record);
  if (!announces(article) || terms === undefined) return false;
  return terms.exDate === record.exDate || (terms.ratio !== null && isSameRatio(terms.ratio, record.ratio));
}
