import { readVentureBulletins, symbolsIn, type VentureBulletin } from "../../extraction/venture-bulletins.ts";
import { unreadable } from "../web/fetch-error.ts";
import { documentText } from "../web/page-text.ts";
import type { WebAnswer } from "../web/web-answer.ts";
import type { Bulletin } from "./bulletin-list.ts";

type BulletinEntry = Pick<Bulletin, "id" | "title">;

/** Blocks of a bulletin's page. Throws a FetchError for a page that is not the bulletin. */
export function readBulletinPage(page: WebAnswer, bulletin: BulletinEntry): readonly VentureBulletin[] {
  checkAddress(page, bulletin);
  const blocks = readVentureBulletins(documentText(page));
  if (blocks.length === 0) throw unreadable(page, "expected a bulletin with its BULLETIN TYPE, got another page");
  checkSymbols(page, bulletin, blocks);
  return blocks;
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
