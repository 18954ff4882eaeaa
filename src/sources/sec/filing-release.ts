import { type Release, SEC } from "../../catalog/release.ts";
import type { ReleaseKind } from "../../domain/article/article.ts";
import type { SymbolDirectory } from "../../domain/split/symbol-directory.ts";
import { dayInZone, type Instant } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import { findDatelineWire } from "../../extraction/dateline.ts";
import type { ForeignText } from "../reading/document-reader.ts";
import { readText } from "../reading/release-facts.ts";
import { concernsReverseSplit } from "../split-keywords.ts";
import type { Filer } from "./filer.ts";
import { type Filing, isRelevantItem } from "./filing.ts";

/** In characters; the announcement of a split is within this part of an exhibit. */
const MAX_EXHIBIT_LENGTH = 200_000;
/** In characters; an excerpt contains the items about the split without cover page and signatures. */
const MAX_EXCERPT_LENGTH = 30_000;

export interface FiledDocument {
  readonly filing: Filing;
  readonly acceptedAt: Instant;
  readonly filer: Filer | null;
  readonly readAt: Instant;
}

/** Release from an exhibit. The source is the wire that the dateline names, else the SEC. */
export function readExhibit(
  { url, content }: ForeignText,
  document: FiledDocument,
  directory: SymbolDirectory | null,
): Release {
  const text = withoutLabels(content).slice(0, MAX_EXHIBIT_LENGTH);
  const heading = headlineOf(text) ?? headingOfFiling(document);
  return releaseOf({ url, source: findDatelineWire(text) ?? SEC, heading, text }, document, directory);
}

/** Release from the main document of a filing, which reports the split itself. */
export function readReport(
  { url, content }: ForeignText,
  document: FiledDocument,
  directory: SymbolDirectory | null,
): Release {
  const heading = headingOfFiling(document);
  return releaseOf({ url, source: SEC, heading, text: excerptOf(content) }, document, directory);
}

type ReleaseText = Pick<Release, "url" | "source" | "heading"> & { readonly text: string };

function releaseOf(
  { url, source, heading, text }: ReleaseText,
  { filing, acceptedAt, filer, readAt }: FiledDocument,
  directory: SymbolDirectory | null,
): Release {
  const { accession: version } = filing;
  const release: Release = {
    url,
    source,
    heading,
    teaser: "",
    tickers: filer?.share ? [filer.share] : [],
    publishedAt: acceptedAt,
    published: dayInZone(acceptedAt, MARKET_ZONE),
    foundAt: readAt,
    version,
    readVersion: version,
    readAt,
    reads: 1,
    text,
    facts: null,
    tries: 0,
    problem: null,
    notBefore: readAt,
  };
  const readRelease = { ...release, ...readText({ url, heading, content: text }, release.published, directory) };
  // An empty text records that the document was read and reports no split.
  return reportsSplit(readRelease) ? readRelease : { ...readRelease, text: "" };
}

const MENTION_ONLY_KINDS: readonly ReleaseKind[] = ["other", "forward_split", "completed_past", "deficiency"];

/** Whether the release is about a reverse split. For a filing, a mention of a split is not sufficient. */
function reportsSplit(release: Release): boolean {
  if (release.source !== SEC) return concernsReverseSplit(release);
  return release.facts !== null && !MENTION_ONLY_KINDS.includes(release.facts.kind);
}

/** Lines before the headline: `Exhibit 99.1`, `EX-99.1 2 ex99-1.htm PRESS RELEASE`, `FOR IMMEDIATE RELEASE`. */
const LABEL =
  /^(?:exhibit\s+99(?:\.\d+)?|ex-99\S*.{0,200}|(?:for )?(?:immediate )?(?:press|news) ?releases?|(?:for )?immediate (?:press |news )?release|for release .{0,60}|not for (?:release|distribution).{0,200}|contacts?:?|page \d+.{0,20}|\d{1,3}|\W*)$/i;
/** Limit of the number of label lines, including the blank lines between them. */
const MAX_LABEL_LINES = 24;

/** Removes the labels at the start of an exhibit. */
function withoutLabels(text: string): string {
  const lines = text.split("\n");
  const firstIndex = lines.findIndex((line, index) => index >= MAX_LABEL_LINES || !LABEL.test(line.trim()));
  return lines.slice(Math.max(0, firstIndex)).join("\n");
}

const MAX_HEADLINE_LENGTH = 300;
const MIN_HEADLINE_WORDS = 4;
/** Paragraphs searched for the headline. It may follow a logo's text, the company's name and a date. */
const MAX_PARAGRAPHS = 8;
/** Characters searched for the headline. */
const MAX_HEADLINE_OFFSET = 6_000;
/** Words that distinguish a headline from a company's name or an address. Most are verbs. */
const HEADLINE_WORD =
  /\b(?:announc|report|approv|effect|implement|complet|provid|receiv|regain|declar|set|adopt|postpon|cancel|withdr|abandon|propos|plan|consolidat|split|result|chang|begin|trad|commenc|confirm|updat|transfer|adjust|enter)\w*/i;

/** First paragraph that looks like a headline; null if there is none before the dateline. */
function headlineOf(text: string): string | null {
  const paragraphs = text.slice(0, MAX_HEADLINE_OFFSET).split(/\n{2,}/, MAX_PARAGRAPHS);
  for (const paragraph of paragraphs) {
    const line = paragraph.replace(/\s+/g, " ").trim();
    if (LABEL.test(line)) continue;
    if (findDatelineWire(line) !== null || line.length > MAX_HEADLINE_LENGTH) return null;
    if (line.split(" ").length >= MIN_HEADLINE_WORDS && HEADLINE_WORD.test(line)) return line;
  }
  return null;
}

/** `Quillmere Therapeutics, Inc. (NASDAQ: QLMR): Form 8-K, items 3.03, 5.03` */
function headingOfFiling({ filing, filer }: FiledDocument): string {
  const share = filer?.share ?? null;
  const tag = share?.exchange ? ` (${share.exchange}: ${share.ticker})` : "";
  const items = filing.items.filter(isRelevantItem);
  const itemList = items.length === 0 ? "" : `, ${items.length === 1 ? "item" : "items"} ${items.join(", ")}`;
  return `${filer?.name || filing.company}${tag}: Form ${filing.form}${itemList}`;
}

/** `Item 5.03 Amendments to Articles of Incorporation` */
const ITEM_HEADING = /^[ \t|]*item\s{1,4}(\d\.\d\d)\b/gim;
const SIGNATURE = /^[ \t|]*signatures?[ \t|]*$/im;

function excerptOf(text: string): string {
  const headings = [...text.matchAll(ITEM_HEADING)];
  const sections = headings.map(({ 1: item = "", index }, n) => ({
    item,
    text: text.slice(index, headings[n + 1]?.index),
  }));
  const relevant = sections.filter(({ item }) => isRelevantItem(item)).map((section) => section.text);
  const body = relevant.length === 0 ? text : relevant.join("\n\n");
  const end = body.search(SIGNATURE);
  return body.slice(0, end < 0 ? MAX_EXCERPT_LENGTH : Math.min(end, MAX_EXCERPT_LENGTH)).trim();
}
