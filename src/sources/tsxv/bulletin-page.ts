import type { TickerMention } from "../../domain/article/article.ts";
import type { Ticker } from "../../domain/split/ticker.ts";
import { type Day, dayInZone } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import { instantAt, MINUTES_PER_DAY } from "../../domain/time/wall-clock.ts";
import {
  type Consolidation,
  readVentureBulletins,
  symbolsIn,
  TSXV,
  type VentureBulletin,
} from "../../extraction/venture-bulletins.ts";
import type { Statement } from "../official/follow-statements.ts";
import { unreadable } from "../web/fetch-error.ts";
import { documentText } from "../web/page-text.ts";
import type { WebAnswer } from "../web/web.ts";
import { type Bulletin, CONTROLLER_PATH } from "./bulletin-list.ts";

const SITE = "https://infoventure.tsx.com";

/** Terms of an earlier statement about the same security. */
export type EarlierStatement = Omit<Statement, "publishedAt"> & Partial<Pick<Statement, "publishedAt">>;

/** Earlier statements about any of the symbols, oldest first. */
export type EarlierStatements = (tickers: readonly Ticker[]) => readonly EarlierStatement[];

type BulletinEntry = Pick<Bulletin, "id" | "title" | "date">;

/**
 * Statements of a bulletin's page about consolidations, one per company; none if it is about something else. Rejects with a
 * FetchError for a page that is not the bulletin.
 * @param earlierOf Statements of earlier bulletins, which a correction completes and a rescission withdraws.
 */
export async function readBulletinPage(
  page: WebAnswer,
  bulletin: BulletinEntry,
  earlierOf: EarlierStatements,
): Promise<readonly Statement[]> {
  checkAddress(page, bulletin);
  const blocks = readVentureBulletins(documentText(page));
  if (blocks.length === 0) throw unreadable(page, "expected a bulletin with its BULLETIN TYPE, got another page");
  checkSymbols(page, bulletin, blocks);
  const statements = blocks.flatMap((block) => statementOf(block, bulletin, earlierOf) ?? []);
  if (statements.some(({ listings }) => listings.length === 0))
    throw unreadable(page, "expected the symbol beside the name of the company, got none");
  if (statements.length === 1) return statements;
  return statements.map((statement) => ({ ...statement, id: `${bulletin.id} ${statement.listings[0]?.ticker}` }));
}

/** The bulletin that an address names; null: none. */
export function noticeIdOf({ searchParams }: URL): string | null {
  const id = /^0*(\d{1,12})$/.exec(parameter(searchParams, "NOTICE_ID"))?.[1];
  return id ?? null;
}

export function parameter(parameters: URLSearchParams, name: string): string {
  for (const [key, value] of parameters) if (key.toUpperCase() === name.toUpperCase()) return value;
  return "";
}

/** A redirect may lead to another bulletin or to the list. */
function checkAddress(page: WebAnswer, { id }: BulletinEntry): void {
  const pageId = noticeIdOf(page.url);
  if (pageId !== null && pageId !== id) throw unreadable(page, `expected bulletin ${id}, got bulletin ${pageId}`);
}

/** Compares the symbols of the row, if it names any in quotes, with those of the page. */
function checkSymbols(page: WebAnswer, { id, title }: BulletinEntry, blocks: readonly VentureBulletin[]): void {
  const listed = /\(\s?["“]/.test(title) ? symbolsIn(title.replace(/[“”]/g, '"')) : [];
  const stated = blocks.flatMap(({ tickers }) => tickers);
  if (listed.length === 0 || stated.length === 0 || listed.some((ticker) => stated.includes(ticker))) return;
  throw unreadable(page, `expected bulletin ${id} on ${listed.join(", ")}, got a bulletin on ${stated.join(", ")}`);
}

function statementOf(block: VentureBulletin, bulletin: BulletinEntry, earlierOf: EarlierStatements): Statement | null {
  const { consolidation, tickers, company } = block;
  const original = originalOf(block, earlierOf(tickers));
  const issuedOn = block.issuedOn ?? bulletin.date;
  const stated = {
    id: bulletin.id,
    url: `${SITE}${CONTROLLER_PATH}?GetPage=NoticesContents&NOTICE_ID=${bulletin.id}`,
    company: isSameName(company, original?.company) ? (original?.company ?? null) : company,
    // The bulletin states only the day, so the time is the last minute of the day.
    publishedAt: issuedOn === null ? null : instantAt(issuedOn, MINUTES_PER_DAY - 1, MARKET_ZONE),
  };
  if (consolidation !== null) return { ...stated, ...termsOf(consolidation, tickers, original) };
  if (block.rescission === null || original === null) return null;
  const { listings, ratio, evidence } = original;
  return {
    ...stated,
    kind: "cancelled",
    listings,
    ratio,
    exDate: null,
    newCusip: null,
    evidence: { ...evidence, kind: block.rescission },
  };
}

/** Whether an earlier statement spells the name of the company, or if the bulletin names none. */
function isSameName(company: string | null, earlier: string | null | undefined): boolean {
  return company === null || company.toLowerCase() === earlier?.toLowerCase();
}

type Terms = Pick<Statement, "kind" | "listings" | "ratio" | "exDate" | "newCusip" | "evidence">;

/** Terms of a block. A correction, postponement or cancellation doesn't repeat all terms of the original bulletin. */
function termsOf(consolidation: Consolidation, tickers: readonly Ticker[], original: EarlierStatement | null): Terms {
  const { kind, isCorrection, ratio, exDate, newCusip, evidence } = consolidation;
  const listings: readonly TickerMention[] = tickers.map((ticker) => ({ ticker, exchange: TSXV }));
  const stated = Object.fromEntries(Object.entries(evidence));
  if (original === null || (kind === "announced" && !isCorrection))
    return { kind, listings, ratio, exDate, newCusip, evidence: stated };
  const isKept = (term: keyof typeof evidence): boolean => evidence[term] === undefined && kind !== "cancelled";
  const added = listings.filter(({ ticker }) => !original.listings.some((known) => known.ticker === ticker));
  return {
    kind,
    listings: [...original.listings, ...added],
    ratio: evidence.ratio === undefined ? original.ratio : ratio,
    exDate: kind === "announced" && isKept("exDate") ? original.exDate : exDate,
    newCusip: isKept("newCusip") ? original.newCusip : newCusip,
    evidence: { ...original.evidence, ...stated },
  };
}

/** The latest earlier statement that a bulletin refers to, by its day if the bulletin names one. */
function originalOf({ refersTo }: VentureBulletin, earlier: readonly EarlierStatement[]): EarlierStatement | null {
  const pending = earlier.filter(({ kind }) => kind !== "cancelled");
  const named = pending.findLast(({ publishedAt }) => publishedAt && refersTo.includes(dayOf(publishedAt)));
  return named ?? (refersTo.length === 0 ? (pending.at(-1) ?? null) : null);
}

function dayOf(publishedAt: number): Day {
  return dayInZone(publishedAt, MARKET_ZONE);
}
