import { type BulletinSource, createBulletinReader as createReader } from "../official/bulletin-reader.ts";
import type { StatementReader } from "../official/follow-statements.ts";
import type { StatementReaderTools } from "../official/official-source.ts";
import type { Bulletin } from "./bulletin-list.ts";
import { CSE_READERS } from "./readers.ts";

const LIST_PATH = "/api/bulletins?locale=en";
/** The list contains all bulletins since 2003. */
const MAX_LIST_BYTES = 32 * 1024 * 1024;

type Origins = Readonly<Record<"url" | "pageUrl", string>>;

/** Reads the list of bulletins, and the pages of bulletins about consolidations. */
export function createBulletinReader({ url, pageUrl }: Origins, tools: StatementReaderTools): StatementReader {
  const { reader } = tools;
  const headers = { accept: "application/json", origin: pageUrl, referer: `${pageUrl}/` };
  const source: BulletinSource<Bulletin> = {
    name: "cse",
    list: { url: `${url}${LIST_PATH}`, headers, maxBytes: MAX_LIST_BYTES },
    readList: (answer, since) => reader.read(CSE_READERS, "readBulletinList", answer, since),
    pageUrl: ({ id }) => `${pageUrl}/bulletin/${id}/`,
    readPage: async (bulletin, page) => [await reader.read(CSE_READERS, "readBulletinPage", page, bulletin)],
  };
  return createReader(source, tools);
}
