// Program of the thread that reads foreign documents. It uses no network, no files and no state but the copied symbol table.
import { parentPort, workerData } from "node:worker_threads";
import { SOURCES } from "./sources/index.ts";
import { SHARED_READERS } from "./sources/reading/shared-readers.ts";
import {
  type FromThread,
  receivedDocument,
  type SentCall,
  sentError,
  type ThreadData,
  type ToThread,
} from "./sources/reading/thread-messages.ts";
import { directoryOf } from "./sources/symbol-table.ts";

type Reader = (document: unknown, ...rest: readonly unknown[]) => unknown;

const { running } = workerData as ThreadData;
const imports = new Map(
  [SHARED_READERS, ...SOURCES.map(({ readers }) => readers)].flatMap(({ name, functions }) =>
    Object.entries(functions).map(([reader, load]) => [`${name}.${reader}`, load as () => Promise<Reader>]),
  ),
);
let table = directoryOf([]);

async function callReader({ reader, document, args, tableAt }: SentCall): Promise<unknown> {
  const read = await imports.get(reader)?.();
  if (read === undefined) throw new Error(`There is no reader ${reader}.`);
  const rest = args.map((arg, index) => (index === tableAt ? table : arg));
  return read(receivedDocument(document), ...rest);
}

async function answer(call: SentCall): Promise<void> {
  Atomics.store(running, 0, call.id);
  const settled: FromThread = await callReader(call).then(
    (value) => ({ id: call.id, value }),
    (error: unknown) => ({ id: call.id, error: sentError(error) }),
  );
  parentPort?.postMessage(settled);
  Atomics.store(running, 0, 0);
}

async function answerAll(calls: readonly SentCall[]): Promise<void> {
  for (const call of calls) await answer(call);
}

parentPort?.on("message", (message: ToThread) => {
  if (message.kind === "table") table = directoryOf(message.lists);
  else void answerAll(message.calls);
});
