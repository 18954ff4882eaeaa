import type { TickerMention } from "../../domain/article/article.ts";
import { parseExchange } from "../../domain/split/exchange.ts";
import type { Ticker } from "../../domain/split/ticker.ts";
import { type Day, dayInZone } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import { instantAt, MINUTES_PER_DAY } from "../../domain/time/wall-clock.ts";
import type { Consolidation, VentureBulletin } from "../../extraction/venture-bulletins.ts";
import type { Statement } from "../official/statement.ts";
import { unreadable } from "../web/fetch-error.ts";
import type { WebAnswer } from "../web/web-answer.ts";
import type { Bulletin } from "./bulletin-list.ts";

const SITE = "https://infoventure.tsx.com";
export const CONTROLLER_PATH = "/TSXVenture/TSXVentureHttpController";
const TSXV = parseExchange("TSXV") ?? null;

/** Terms of an earlier statement about the same security. */
export type EarlierStatement = Omit<Statement, "publishedAt"> & Partial<Pick<Statement, "publishedAt">>;

/** Earlier statements about any of the symbols, oldest first. */
export type EarlierStatements = (tickers: readonly Ticker[]) => readonly EarlierStatement[];

type BulletinEntry = Pick<Bulletin, "id" | "date">;

/**
 * Statements of the blocks of a page about consolidations, one per company; none if they are about something else. Throws a
 * FetchError if a block names no symbol.
 */
export function statementsOf(
  blocks: readonly VentureBulletin[],
  { page, bulletin, earlierOf }: StatementContext,
): readonly Statement[] {
  const statements = blocks.flatMap((block) => statementOf(block, bulletin, earlierOf) ?? []);
  if (statements.some(({ listings }) => listings.length === 0))
    throw unreadable(page, "expected the symbol beside the name of the company, got none");
  if (statements.length === 1) return statements;
  return statements.map((statement) => ({ ...statement, id: `${bulletin.id} ${statement.listings[0]?.ticker}` }));
}

interface StatementContext {
  readonly page: Pick<WebAnswer, "url">;
  readonly bulletin: BulletinEntry;
  /** Statements of earlier bulletins, which a correction completes and a rescission withdraws. */
  readonly earlierOf: EarlierStatements;
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
