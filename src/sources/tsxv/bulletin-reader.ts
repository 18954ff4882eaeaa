import { addDays, dayInZone } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import type { DocumentReading, ReadContext } from "../document-reading.ts";
import { type BulletinSource, createBulletinReader as createReader } from "../official/bulletin-reader.ts";
import type { Statement, StatementReader } from "../official/follow-statements.ts";
import type { StatementReaderTools } from "../official/official-source.ts";
import type { WebAnswer } from "../web/web.ts";
import {
  type Bulletin,
  CONTROLLER_PATH,
  LIST_QUERY,
  mayConcernConsolidation,
  readBulletinList,
} from "./bulletin-list.ts";
import {
  type EarlierStatement,
  type EarlierStatements,
  noticeIdOf,
  parameter,
  readBulletinPage,
} from "./bulletin-page.ts";

/** Reads the list of the latest bulletins, and the pages of those that may be about consolidations. */
export function createBulletinReader(origin: string, tools: StatementReaderTools): StatementReader {
  const controller = `${origin}${CONTROLLER_PATH}`;
  const earlier = createEarlierStatements(tools);
  const source: BulletinSource<Bulletin> = {
    name: "tsxv",
    list: { url: `${controller}?${LIST_QUERY}`, headers: { accept: "text/html" } },
    readList: readBulletinList,
    isFollowed: mayConcernConsolidation,
    pageUrl: ({ query }) => `${controller}?${query}`,
    readPage: async (bulletin, page) => {
      const statements = await readBulletinPage(page, bulletin, (tickers) => earlier.of(bulletin.id, tickers));
      earlier.add(bulletin.id, statements);
      return statements;
    },
  };
  return createReader(source, tools);
}

/** Statements of the bulletins that were recorded or read in this run, by bulletin. */
function createEarlierStatements({ recordedObservations }: Pick<StatementReaderTools, "recordedObservations">): {
  /** Statements of other bulletins about any of the symbols, oldest first. */
  of(id: string, tickers: Parameters<EarlierStatements>[0]): readonly EarlierStatement[];
  add(id: string, statements: readonly Statement[]): void;
} {
  const read = new Map<string, readonly Statement[]>();
  return {
    of(id, tickers) {
      const number = Number(id);
      const known = [...recordedObservations(), ...[...read.values()].flat()];
      const latest = new Map(known.map((statement) => [statement.id, statement]));
      return [...latest.values()]
        .filter((statement) => numberOf(statement) < number)
        .filter(({ listings }) => listings.some(({ ticker }) => tickers.includes(ticker)))
        .toSorted((a, b) => numberOf(a) - numberOf(b));
    },
    add: (id, statements) => void read.set(id, statements),
  };
}

function numberOf({ id }: EarlierStatement): number {
  return Number(id.split(" ", 1)[0]);
}

/** Days before the reading whose list entries are followed. */
const WINDOW_DAYS = 40;

/** Reads a captured list or page. Rejects with a FetchError for another document. */
export async function readBulletinDocument(document: WebAnswer, { now }: ReadContext): Promise<DocumentReading> {
  const id = noticeIdOf(document.url);
  const getPage = parameter(document.url.searchParams, "GetPage").toLowerCase();
  const isPage =
    getPage === "noticescontents" || (getPage === "" && BULLETIN_TYPE.test(document.body.toString("latin1")));
  if (isPage) {
    const bulletin = { id: id ?? "bulletin", title: "", date: null };
    return { document: "bulletin", statements: await readBulletinPage(document, bulletin, () => []) };
  }
  const bulletins = await readBulletinList(document, addDays(dayInZone(now, MARKET_ZONE), -WINDOW_DAYS));
  return {
    document: "list of bulletins",
    entries: bulletins.map((bulletin) => ({
      id: bulletin.id,
      title: bulletin.title,
      publishedAt: null,
      isFollowed: mayConcernConsolidation(bulletin),
    })),
  };
}

const BULLETIN_TYPE = /\bBULLETIN\s{1,5}TYPE\s{0,5}:/i;
