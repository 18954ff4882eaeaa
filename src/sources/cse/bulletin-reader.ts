import { type BulletinSource, createBulletinReader as createReader } from "../official/bulletin-reader.ts";
import type { StatementReader } from "../official/follow-statements.ts";
import type { StatementReaderTools } from "../official/official-source.ts";
import { type Bulletin, readBulletinList } from "./bulletin-list.ts";
import { announcesConsolidation, statementOf } from "./bulletin-page.ts";

const LIST_PATH = "/api/bulletins?locale=en";
/** The list contains all bulletins since 2003. */
const MAX_LIST_BYTES = 32 * 1024 * 1024;

type Origins = Readonly<Record<"url" | "pageUrl", string>>;

/** Reads the list of bulletins, and the pages of bulletins about consolidations. */
export function createBulletinReader({ url, pageUrl }: Origins, tools: StatementReaderTools): StatementReader {
  const headers = { accept: "application/json", origin: pageUrl, referer: `${pageUrl}/` };
  const source: BulletinSource<Bulletin> = {
    name: "cse",
    list: { url: `${url}${LIST_PATH}`, headers, maxBytes: MAX_LIST_BYTES },
    readList: readBulletinList,
    isFollowed: announcesConsolidation,
    pageUrl: ({ id }) => `${pageUrl}/bulletin/${id}/`,
    readPage: async (bulletin, page) => [await statementOf(bulletin, page)],
  };
  return createReader(source, tools);
}
