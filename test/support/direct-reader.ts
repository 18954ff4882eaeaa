import type { DocumentReader } from "../../src/sources/reading/document-reader.ts";
import { receivedDocument, sentDocument } from "../../src/sources/reading/thread-messages.ts";
import { isSymbolTable } from "../../src/sources/symbol-table.ts";

/** Calls readers in the main thread, with copies of their arguments as the thread of the program has them. */
export const directReader: DocumentReader = {
  queued: 0,
  start: () => undefined,
  close: async () => undefined,
  async read(readers, name, ...args) {
    const [document, ...rest] = args as unknown as readonly [Parameters<typeof sentDocument>[0], ...unknown[]];
    const read = (await readers.functions[name]?.()) as ((...copies: readonly unknown[]) => never) | undefined;
    const copies = rest.map(copyOf);
    return structuredClone(read?.(receivedDocument(structuredClone(sentDocument(document))), ...copies)) as never;
  },
};

/** Copies of arguments that several calls have, as the thread has them. */
const copied = new WeakMap<object, unknown>();

function copyOf(arg: unknown): unknown {
  if (typeof arg !== "object" || arg === null || isSymbolTable(arg)) return arg;
  const copy = copied.get(arg) ?? structuredClone(arg);
  copied.set(arg, copy);
  return copy;
}
