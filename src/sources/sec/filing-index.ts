import { parseFieldTime } from "../notations.ts";
import { decodeText } from "../web/decode-text.ts";
import { unreadable } from "../web/fetch-error.ts";
import type { WebAnswer } from "../web/web-answer.ts";
import { accessionOfFolder, accessionOfIndex, type FilingDocument, type FilingIndex, isFileName } from "./filing.ts";

const MAX_ROWS = 300;
const MAX_TYPE_LENGTH = 100;

/**
 * Parses the index page of a filing. The address identifies the filing, and the page has to list its documents. Throws a
 * FetchError for any other page, and for the index of another filing.
 */
export function readFilingIndex(answer: WebAnswer): FilingIndex {
  const html = decodeText(answer.body, answer.header("content-type"));
  const expected = accessionOfIndex(answer.url);
  const listed = documentsIn(html.split(/<tr\b/i, MAX_ROWS).slice(1));
  const documents = listed.filter(({ accession }) => [expected, null].includes(accession) || expected === null);
  if (documents.length === 0) {
    const others = listed.length > 0 ? `those of ${listed[0]?.accession}` : "none";
    throw unreadable(answer, `expected the documents of filing ${expected ?? "(unknown number)"}, got ${others}`);
  }
  return { acceptedAt: acceptanceTime(html), documents: documents.map(({ type, file }) => ({ type, file })) };
}

interface ListedDocument extends FilingDocument {
  /** Filing whose folder the link names; null for a relative link. */
  readonly accession: string | null;
}

/** Default position of the column with the type, after sequence, description and document. */
const TYPE_COLUMN = 3;

function documentsIn(rows: readonly string[]): readonly ListedDocument[] {
  let typeColumn = TYPE_COLUMN;
  return rows.flatMap((row) => {
    const cells = row.split(/<t[dh]\b[^>]{0,200}>/i).slice(1);
    const texts = cells.map((cell) => plainText(cell));
    const links = cells.flatMap((cell) => linkIn(cell) ?? []);
    const header = texts.findIndex((text) => /^type$/i.test(text));
    if (links.length === 0 && header >= 0) typeColumn = header;
    const type = (texts[typeColumn] ?? "").slice(0, MAX_TYPE_LENGTH).toUpperCase();
    return type === "" ? [] : links.slice(0, 1).map((link) => ({ ...link, type }));
  });
}

const LINK = /\bhref\s{0,5}=\s{0,5}(?:"([^"]{1,400})"|'([^']{1,400})'|([^\s"'>]{1,400}))/i;

function linkIn(cell: string): Pick<ListedDocument, "file" | "accession"> | null {
  const [, quoted, inApostrophes, bare] = LINK.exec(cell) ?? [];
  const address = (quoted ?? inApostrophes ?? bare ?? "").trim();
  const file = address.slice(address.lastIndexOf("/") + 1);
  return isFileName(file) ? { file, accession: accessionOfFolder(address) } : null;
}

/** Text without tags and repeated spaces. */
function plainText(html: string): string {
  return html
    .replace(/<[^<>]{0,500}>|&nbsp;|&#160;|&#xa0;/gi, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** `Accepted 2026-10-01 16:08:32`, in New York's time */
const ACCEPTED = /\baccepted\b[^\d<>]{0,40}(\d{4}-\d\d-\d\d[ T]{1,3}\d{1,2}:\d\d(?::\d\d)?)/i;
/** In characters; the time is above the documents. */
const MAX_HEADER_LENGTH = 100_000;

/** Null if the page states no time of acceptance, or in another form. */
function acceptanceTime(html: string): FilingIndex["acceptedAt"] {
  const [, time = ""] = ACCEPTED.exec(plainText(html.slice(0, MAX_HEADER_LENGTH))) ?? [];
  return parseFieldTime(time);
}
