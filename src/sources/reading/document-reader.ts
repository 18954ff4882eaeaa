import type { WebAnswer } from "../web/web.ts";

/** A text that was read from a document: a release, or an article of a data service. */
export interface ForeignText {
  /** Address of the document. */
  readonly url: string;
  readonly heading: string;
  readonly content: string;
}

export type ForeignDocument = WebAnswer | ForeignText;

/**
 * Plain functions that read a document, their first argument. Arguments and results are copied between threads, so they are data;
 * of an answer, only address, status, content type and body are copied. An argument may be a symbol table, whose lists are copied
 * when they change. A document that is refused throws a FetchError.
 */
type Readers = Readonly<Record<string, (document: never, ...rest: never[]) => unknown>>;

/** A module whose exports are `Readers`. */
export interface ReaderModule<R extends Readers = Readers> {
  /** Unique name: that of the source's folder. */
  readonly name: string;
  readonly load: () => Promise<R>;
}

export function readerModule<R extends Readers>(name: string, load: () => Promise<R>): ReaderModule<R> {
  return { name, load };
}

/** Runs readers outside of the main thread, which no document may stall. */
export interface DocumentReader {
  /**
   * Calls a function of the module. Rejects with a FetchError for a document that is refused, and for one that is quarantined
   * because reading it took too much time or memory.
   */
  read<R extends Readers, Name extends keyof R & string>(
    module: ReaderModule<R>,
    name: Name,
    ...args: Parameters<R[Name]>
  ): Promise<Awaited<ReturnType<R[Name]>>>;
}
