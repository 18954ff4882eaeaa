import { SOURCES } from "../../../src/sources/index.ts";
import type { DocumentReader, ForeignDocument, Readers } from "../../../src/sources/reading/document-reader.ts";
import { SHARED_READERS } from "../../../src/sources/reading/shared-readers.ts";
import { FetchError } from "../../../src/sources/web/fetch-error.ts";
import { webAnswer } from "../web-answer.ts";
import { FIELD, READER_EXAMPLES, type ReaderExample } from "./reader-examples.ts";
import { SHAPES, type Shape } from "./shapes.ts";

/** A function that reads documents of some source, with an example of its call. */
export interface ReaderUnderTest {
  /** `nasdaq.readNotice`, `newswires.readFeed (Atom)` */
  readonly name: string;
  readonly example: ReaderExample;
  call(reader: DocumentReader, document: ForeignDocument): Promise<unknown>;
}

/** All readers. Throws if one has no example. */
export function allReaders(): readonly ReaderUnderTest[] {
  return [SHARED_READERS, ...SOURCES.map(({ readers }) => readers)].flatMap(readersOf);
}

function readersOf(readers: Readers): readonly ReaderUnderTest[] {
  return Object.keys(readers.functions).flatMap((reader) => {
    const name = `${readers.name}.${reader}`;
    const examples = [READER_EXAMPLES[name] ?? []].flat();
    if (examples.length === 0)
      throw new Error(`${name} has no example; add one to test/support/hostile/reader-examples.ts`);
    return examples.map((example) => ({
      name: example.format === undefined ? name : `${name} (${example.format})`,
      example,
      call: (thread: DocumentReader, document: ForeignDocument) =>
        thread.read(readers, reader, ...([document, ...example.args] as unknown as [never])),
    }));
  });
}

/** Where a document has its hostile text: it is the document, or a field of a document that the reader accepts. */
export type Position = "alone" | "in a field";

export const POSITIONS: readonly Position[] = ["alone", "in a field"];

/** A document that a reader receives. */
export interface HostileDocument {
  readonly reader: ReaderUnderTest;
  readonly shape: Shape;
  readonly position: Position;
  /** At most, if the reader has a lower limit. */
  readonly sizeBytes: number;
}

/** Every shape in every position. */
export function documentsFor(reader: ReaderUnderTest, sizeBytes: number): readonly HostileDocument[] {
  return SHAPES.flatMap((shape) => POSITIONS.map((position) => ({ reader, shape, position, sizeBytes })));
}

/** A document that `reader` accepts. */
export function acceptedDocument(reader: ReaderUnderTest): HostileDocument {
  const shape = { name: "an ordinary text", write: () => "Acme" };
  return { reader, shape, position: "in a field", sizeBytes: reader.example.maxBytes };
}

export function describeDocument({ reader, shape, position, sizeBytes }: HostileDocument): string {
  return `${reader.name}: ${shape.name}, ${position}, ${Math.min(sizeBytes, reader.example.maxBytes)} bytes`;
}

export type Outcome = "read" | "refused" | "quarantined";

/** A document as its source answers it. */
export interface WrittenDocument {
  readonly reader: HostileDocument["reader"];
  readonly written: ForeignDocument;
}

let count = 0;

/** Writes the document for an address of its own, which takes longer than sending it to a thread. */
export function writeDocument(document: HostileDocument): WrittenDocument {
  count += 1;
  return { reader: document.reader, written: foreignDocument(document, `https://source.example/${count}`) };
}

/** Rejects with the error of a reader that fails. */
export async function readDocument(thread: DocumentReader, { reader, written }: WrittenDocument): Promise<Outcome> {
  try {
    await reader.call(thread, written);
    return "read";
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    return error.message.includes("quarantined since") ? "quarantined" : "refused";
  }
}

function foreignDocument({ reader, ...parts }: HostileDocument, url: string): ForeignDocument {
  const { type, maxBytes } = reader.example;
  const body = Buffer.from(bodyOf(reader.example, parts)).subarray(0, maxBytes);
  if (type !== null) return webAnswer(body, url, type);
  const text = { url, heading: "Acme Robotics Announces 1-for-20 Reverse Stock Split", content: body.toString("utf8") };
  return Object.assign(text, { source: "prnewswire", published: "2026-03-02" });
}

function bodyOf(
  { template, escape: escapeText = (text) => text, maxBytes }: ReaderExample,
  { shape, position, sizeBytes }: Omit<HostileDocument, "reader">,
): string | Buffer {
  const limit = Math.min(sizeBytes, maxBytes);
  if (position === "alone") return shape.write(limit);
  const parts = template.split(FIELD);
  const room = Math.max(1, Math.floor((limit - Buffer.byteLength(template)) / (parts.length - 1)));
  const hostile = shape.write(room);
  if (typeof hostile !== "string")
    return Buffer.concat(parts.map((part) => Buffer.from(part)).flatMap(joinedBy(hostile)));
  const growth = Buffer.byteLength(escapeText(hostile)) / Buffer.byteLength(hostile);
  return parts.join(escapeText(String(shape.write(Math.floor(room / growth)))));
}

function joinedBy(separator: Buffer) {
  return (part: Buffer, index: number): readonly Buffer[] => (index === 0 ? [part] : [separator, part]);
}
