import { createHash } from "node:crypto";
import { z } from "zod";
import { type Instant, instantSchema } from "../../domain/time/day.ts";
import { cutText } from "../../lib/external-text.ts";
import { parseJson } from "../../lib/json.ts";
import type { Documents } from "../../ports/store.ts";
import { formatTime } from "../source-status.ts";
import { FetchError } from "../web/fetch-error.ts";
import type { ForeignDocument } from "./document-reader.ts";
import { isAnswer } from "./thread-messages.ts";

const documentSchema = z.object({
  /** Function that read it: `nasdaq.readNotice`. */
  reader: z.string(),
  /** Address of the document. */
  url: z.string(),
  /** Hash of its content. */
  version: z.string(),
  /** Worded to follow "reading it". */
  reason: z.string(),
  at: instantSchema,
});

/** A document that is not read, because reading it took too much time or memory. */
export type QuarantinedDocument = z.infer<typeof documentSchema>;

/** The quarantined documents, with a copy in the store, so that a restart and other processes don't read them either. */
export interface Quarantine {
  /** The oldest first. */
  all(): readonly QuarantinedDocument[];
  /** The entry of this content; null: it may be read. A document that has changed is released. */
  find(reader: string, document: ForeignDocument): QuarantinedDocument | null;
  add(reader: string, document: ForeignDocument, reason: string, at: Instant): QuarantinedDocument;
  /** Writes the copy in the store. */
  save(): Promise<void>;
  /** Reads the copy in the store, now and when another process replaces it. A missing or damaged copy is empty. */
  follow(copies: Documents): Promise<void>;
}

const NAME = "quarantined-documents";
/** An older entry is removed: its document is read, and quarantined, again. */
const MAX_DOCUMENTS = 1_000;
const MAX_URL_LENGTH = 2_000;

const listSchema = z.array(documentSchema).max(MAX_DOCUMENTS);

/** Creates an empty list, which is kept in memory only until it follows a store. */
export function createQuarantine(): Quarantine {
  let entries: readonly QuarantinedDocument[] = [];
  let copies: Documents | null = null;

  const save = async (): Promise<void> => copies?.write(NAME, JSON.stringify(entries));

  return {
    all: () => entries,
    find(reader, document) {
      const url = addressOf(document);
      const entry = entries.find((other) => other.reader === reader && other.url === url);
      if (entry === undefined) return null;
      if (entry.version === versionOf(document)) return entry;
      entries = entries.filter((other) => other !== entry);
      // If the copy isn't written, the entry of the earlier content is harmless.
      save().catch(() => undefined);
      return null;
    },
    add(reader, document, reason, at) {
      const entry = { reader, url: addressOf(document), version: versionOf(document), reason, at };
      const others = entries.filter((other) => other.reader !== reader || other.url !== entry.url);
      entries = [...others, entry].slice(-MAX_DOCUMENTS);
      return entry;
    },
    save,
    async follow(documents) {
      copies = documents;
      const load = async (): Promise<void> => {
        entries = await readCopy(documents);
      };
      documents.onChange((name) => {
        // Without a reading of the copy, the list in memory stays.
        if (name === NAME) load().catch(() => undefined);
      });
      await load();
    },
  };
}

/** `www.example.com/a.html: quarantined since 2026-03-02 14:00 UTC, because reading it took more than 5 s of CPU time` */
export function describeQuarantined({ url, reason, at }: QuarantinedDocument): string {
  return `${nameOf(url)}: quarantined since ${formatTime(at)}, because reading it ${reason}`;
}

/** Error of a read that was ended, or not tried again. */
export function quarantineError(entry: QuarantinedDocument): FetchError {
  return new FetchError("unreadable", `${describeQuarantined(entry)}; it is not read again until it changes`);
}

const MAX_NAME_LENGTH = 120;

/** Address for messages, without query and credentials, which may be secret. */
function nameOf(url: string): string {
  if (!URL.canParse(url)) return cutText(url, MAX_NAME_LENGTH);
  const { host, pathname, search } = new URL(url);
  return cutText(host + pathname + (search === "" ? "" : "?…"), MAX_NAME_LENGTH);
}

async function readCopy(copies: Documents): Promise<readonly QuarantinedDocument[]> {
  const text = await copies.read(NAME);
  return listSchema.safeParse(text === null ? null : parseJson(text)).data ?? [];
}

/** Deletes the copy, so that all documents are read again. Returns the number of entries. */
export async function clearQuarantine(copies: Documents): Promise<number> {
  const entries = await readCopy(copies);
  await copies.write(NAME, "[]");
  return entries.length;
}

function addressOf(document: ForeignDocument): string {
  return (isAnswer(document) ? document.url.href : document.url).slice(0, MAX_URL_LENGTH);
}

function versionOf(document: ForeignDocument): string {
  const hash = createHash("sha256");
  if (isAnswer(document)) hash.update(document.body);
  else hash.update(`${document.heading}\n${document.content}`);
  return hash.digest("hex").slice(0, 32);
}
