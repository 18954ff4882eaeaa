import type { WebAnswer } from "../web/web-answer.ts";

/** A text that was read from a document: a release, or an article of a data service. */
export interface ForeignText {
  /** Address of the document. */
  readonly url: string;
  readonly heading: string;
  readonly content: string;
}

export type ForeignDocument = WebAnswer | ForeignText;

/**
 * Plain function that reads a document, its first argument. Arguments and result are copied between threads, so they are data; of
 * an answer, only address, status, content type and body are copied. An argument may be a symbol table, whose lists are copied
 * when they change. A document that is refused throws a FetchError.
 */
type ReaderFunction = (document: never, ...rest: never[]) => unknown;

/** Functions by name, each imported when it is first called: the main thread names them and doesn't load them. */
type ReaderImports = Readonly<Record<string, () => Promise<ReaderFunction>>>;

export interface Readers<I extends ReaderImports = ReaderImports> {
  /** Unique: the name of the source's folder. */
  readonly name: string;
  readonly functions: I;
}

export function defineReaders<I extends ReaderImports>(name: string, functions: I): Readers<I> {
  return { name, functions };
}

/** No document can be read: the thread that reads them doesn't start, or is closed. */
export class ReaderUnavailableError extends Error {
  override readonly name = "ReaderUnavailableError";
}

/** Runs readers outside of the main thread, which no document may stall. */
export interface DocumentReader {
  /** Number of documents that wait or are being read. */
  readonly queued: number;
  /**
   * Calls one of the readers. Rejects with a FetchError for a document that is refused, and for one that is quarantined because
   * reading it took too much time or memory. Rejects with a ReaderUnavailableError for all documents.
   */
  read<I extends ReaderImports, Name extends keyof I & string>(
    readers: Readers<I>,
    name: Name,
    ...args: Parameters<Awaited<ReturnType<I[Name]>>>
  ): Promise<Awaited<ReturnType<Awaited<ReturnType<I[Name]>>>>>;
  /** Prepares for the first document, so that it doesn't wait. */
  start(): void;
  /** Ends the document that is being read, and rejects the reads in progress with a ReaderUnavailableError. */
  close(): Promise<void>;
}
