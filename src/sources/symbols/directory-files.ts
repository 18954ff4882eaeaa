import type { ListedSymbols } from "../../domain/split/symbol-directory.ts";
import { contactProblem, SEC_AGENT, SEC_PACE_MS, secQueue } from "../sec-hosts.ts";
import type { SourceCheckContext, SourceParts } from "../source-definition.ts";
import type { DirectoryName } from "../symbol-table.ts";
import { DEFAULT_AGENT, userAgent } from "../web/user-agent.ts";
import { createWeb, type Web } from "../web/web.ts";
import type { WebAnswer } from "../web/web-answer.ts";
import { DIRECTORY_READERS } from "./readers.ts";

/** Settings keys of the origins of Nasdaq and the SEC. */
export type DirectoryOrigin = "url" | "secUrl";

/** A directory that is read from one address. */
export interface DirectoryFile {
  readonly name: DirectoryName;
  readonly publisher: "Nasdaq" | "SEC";
  readonly url: string;
  readonly accept: string;
  readonly paceMs: number;
  readonly web: Web;
  /** Rejects with a FetchError if the answer is not a complete directory. */
  readonly read: (answer: WebAnswer) => Promise<ListedSymbols>;
}

export interface Directories {
  readonly files: readonly DirectoryFile[];
  /** Number of requests sent. */
  readonly requestCount: number;
  close(): Promise<void>;
}

const PACE_MS = 2_000;
const AGENT = `${DEFAULT_AGENT}/{version} (+{contact})`;
const EXCHANGE_DIRECTORIES: readonly DirectoryName[] = ["otherlisted", "nasdaqtraded"];

/** Creates one web client per publisher. Omits the SEC's directory unless the contact is a mail address. */
export function connectDirectories(
  { url, secUrl }: Readonly<Record<DirectoryOrigin, string>>,
  { clock, queue, reader, onAnswer, ...identity }: SourceCheckContext | SourceParts,
): Directories {
  const [agent, secAgent] = [userAgent(AGENT, identity), userAgent(SEC_AGENT, identity)];
  const web = createWeb({ clock, queue, reader, userAgentFor: () => agent, configured: [url], onAnswer });
  const secWeb = createWeb({
    clock,
    queue: secQueue(queue),
    reader,
    userAgentFor: () => secAgent,
    configured: [secUrl],
    onAnswer,
  });
  const exchangeFiles = EXCHANGE_DIRECTORIES.map(
    (name): DirectoryFile => ({
      name,
      publisher: "Nasdaq",
      url: `${url}/dynamic/SymDir/${name}.txt`,
      accept: "text/plain",
      paceMs: PACE_MS,
      web,
      read: (answer) => reader.read(DIRECTORY_READERS, "readSymbolFile", answer),
    }),
  );
  const secFile: DirectoryFile = {
    name: "company-tickers",
    publisher: "SEC",
    url: `${secUrl}/files/company_tickers_exchange.json`,
    accept: "application/json",
    paceMs: SEC_PACE_MS,
    web: secWeb,
    read: (answer) => reader.read(DIRECTORY_READERS, "readCompanyTickers", answer),
  };
  return {
    files: contactProblem(identity.contact) === null ? [...exchangeFiles, secFile] : exchangeFiles,
    get requestCount() {
      return web.requestCount + secWeb.requestCount;
    },
    async close() {
      await Promise.all([web.close(), secWeb.close()]);
    },
  };
}
