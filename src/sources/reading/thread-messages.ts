import type { NamedLists } from "../symbol-table.ts";
import { FetchError, type FetchFailure } from "../web/fetch-error.ts";
import type { WebAnswer } from "../web/web-answer.ts";
import type { ForeignDocument, ForeignText } from "./document-reader.ts";

/** A call of a reader, as it is sent to the thread. */
export interface SentCall {
  /** Positive; unique in the thread. */
  readonly id: number;
  /** `nasdaq.readNotice` */
  readonly reader: string;
  readonly document: SentDocument;
  /** The further arguments. */
  readonly args: readonly unknown[];
  /** Position in `args` of the shared symbol table; -1: none. */
  readonly tableAt: number;
}

export type ToThread =
  | { readonly kind: "calls"; readonly calls: readonly SentCall[] }
  | { readonly kind: "table"; readonly lists: NamedLists };

export type FromThread =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: SentError };

/** Options of the thread. */
export interface ThreadData {
  /** Id of the call that is running; 0: none. */
  readonly running: Int32Array<SharedArrayBuffer>;
}

interface SentAnswer {
  readonly url: string;
  readonly status: number;
  readonly contentType: string | null;
  readonly body: Uint8Array;
}

type SentDocument = SentAnswer | ForeignText;

export function isAnswer(document: ForeignDocument): document is WebAnswer {
  return "body" in document;
}

export function sentDocument(document: ForeignDocument): SentDocument {
  if (!isAnswer(document)) return document;
  const { url, status, header, body } = document;
  return { url: url.href, status, contentType: header("content-type"), body };
}

export function receivedDocument(sent: SentDocument): ForeignDocument {
  if (!("body" in sent)) return sent;
  const { url, status, contentType, body } = sent;
  const header = (name: string): string | null => {
    if (name === "content-type") return contentType;
    throw new Error(`The header ${name} is not copied to readers.`);
  };
  return {
    url: new URL(url),
    status,
    header,
    headers: (name) => [header(name) ?? []].flat(),
    body: Buffer.from(body.buffer, body.byteOffset, body.byteLength),
  };
}

interface SentError {
  readonly message: string;
  /** Missing: an error of the reader itself. */
  readonly failure?: FetchFailure;
  readonly stack?: string | undefined;
}

export function sentError(error: unknown): SentError {
  if (error instanceof FetchError) return { message: error.message, failure: error.failure };
  return error instanceof Error ? { message: error.message, stack: error.stack } : { message: String(error) };
}

export function receivedError({ message, failure, stack }: SentError): Error {
  if (failure !== undefined) return new FetchError(failure, message);
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
