import { type BulletinSource, createBulletinReader as createReader } from "../official/bulletin-reader.ts";
import type { StatementReader } from "../official/follow-statements.ts";
import type { StatementReaderTools } from "../official/official-source.ts";
import type { Statement } from "../official/statement.ts";
import type { Bulletin } from "./bulletin-list.ts";
import { CONTROLLER_PATH, type EarlierStatement, type EarlierStatements, statementsOf } from "./bulletin-statements.ts";
import { TSXV_READERS } from "./readers.ts";

const LIST_QUERY = "BulletinsMode=on&GetPage=LatestCompanyDocuments&NewsReleases=off";

/** Reads the list of the latest bulletins, and the pages of those that may be about consolidations. */
export function createBulletinReader(origin: string, tools: StatementReaderTools): StatementReader {
  const { reader } = tools;
  const controller = `${origin}${CONTROLLER_PATH}`;
  const earlier = createEarlierStatements(tools);
  const source: BulletinSource<Bulletin> = {
    name: "tsxv",
    list: { url: `${controller}?${LIST_QUERY}`, headers: { accept: "text/html" } },
    readList: (answer, since) => reader.read(TSXV_READERS, "readBulletinList", answer, since),
    pageUrl: ({ query }) => `${controller}?${query}`,
    readPage: async (bulletin, page) => {
      const blocks = await reader.read(TSXV_READERS, "readBulletinPage", page, bulletin);
      const earlierOf: EarlierStatements = (tickers) => earlier.of(bulletin.id, tickers);
      const statements = statementsOf(blocks, { page, bulletin, earlierOf });
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
