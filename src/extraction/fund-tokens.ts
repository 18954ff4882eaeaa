import type { Ratio } from "../domain/split/ratio.ts";
import { parseTicker, type Ticker } from "../domain/split/ticker.ts";
import { normalizeNumbers, parseAmount, ratioOfAmounts } from "./number-words.ts";
import { ILLUSTRATIVE, RATIO_RULES } from "./ratio-rules.ts";
import type { Sentence } from "./sentences.ts";
import { plainText } from "./text.ts";
import { loose } from "./text-rule.ts";

/** A ticker, a ratio or a CUSIP where a release on funds names one, with the words round it, as far as the next. */
export type FundToken = {
  readonly sentence: Sentence;
  readonly before: string;
  readonly after: string;
} & (
  | { readonly kind: "ticker"; readonly ticker: Ticker }
  /** `reverse` is false for a forward split. */
  | { readonly kind: "ratio"; readonly ratio: Ratio; readonly reverse: boolean }
  | { readonly kind: "cusip"; readonly cusip: string }
);

type Place = { readonly start: number; readonly end: number } & (
  | { readonly kind: "ticker"; readonly ticker: Ticker }
  | { readonly kind: "ratio"; readonly ratio: Ratio; readonly oldFirst: boolean }
  | { readonly kind: "cusip"; readonly cusip: string }
);

/** The cells of a table that stand together, or one sentence of prose. */
interface Block {
  readonly cells: readonly Cell[];
}

interface Cell {
  readonly plain: string;
  readonly sentence: Sentence;
}

const CUSIP = /(?<![A-Z0-9])([0-9A-Z]\d{2}[0-9A-Z]{3}) ?([0-9A-Z]{2}) ?(\d)(?![A-Z0-9])/g;
const NO_TICKER =
  "NAV|DTC|ETFS?|ETNS?|SEC|CUSIPS?|USD?|NYSE|FINRA|LLC|INC|FUNDS?|TRUST|SHARES|NASDAQ|CBOE|OTC|NEW|OLD|NONE";
const SYMBOL = String.raw`(?!(?:${NO_TICKER})\b)[A-Z]{2,5}`;
/** In brackets, alone or with its exchange; alone in a cell; before a CUSIP; first in a row. */
const TICKER = new RegExp(
  [
    String.raw`\((?:[A-Za-z .]{2,30}: ?)?"?(?<tagged>${SYMBOL})"?\)`,
    `^(?<alone>${SYMBOL})$`,
    String.raw`(?<![\w(])(?<coded>${SYMBOL})(?= [0-9A-Z]\d{2}[0-9A-Z]{3} ?[0-9A-Z]{2} ?\d(?![A-Z0-9]))`,
    `^(?<first>${SYMBOL})(?= [A-Z][A-Z-]{0,8}[a-z])`,
  ].join("|"),
  "g",
);

/** `Acme Clearing Corporation ("ACC")`: a short name, not a ticker. */
const SHORT_NAME_BEFORE = /\b(?:Corporation|Corp\.?|Company|Commission|Inc\.?|LLC|Ltd\.?|AG|Bank|plc) $/;

const FORWARD = /\bforward\b[^.;]{0,25}?\bsplits?\b/i;
const REVERSE = loose("reverse (?:stock |share |unit )?splits?|consolidation");
const CELL_BREAK = /[\n\t|]|\s{3,}/g;
/** No text holds it. */
const CELL_END = "\u0001";
/** What stands alone in a cell and nowhere in prose. */
const CELL = /^(?:\d[\d.]* ?(?:for|:|-for-) ?\d[\d.]*|[\d.]+ ?%|[A-Z]{2,5}|[0-9A-Z]{8}\d)$/i;
const PROSE = /[.:]$/;
const LONGEST_CELL = 300;
/** How much of the words round a mark is kept, in characters. */
const REACH = 160;
const BESIDE_BEHIND = /^[^.;:0-9]{0,25}?\b(forward|reverse)\b/i;
const BESIDE_BEFORE =
  /\b(forward|reverse)(?: (?:stock|share|unit))?(?: splits?)?(?: shares)?(?: (?:on|at|in|by))?(?: an?| the)?(?: (?:ratios?|basis)(?: of)?)?[ \n:(-]*$/i;

/** The marks of each block of a release, in order. */
export function findFundTokens(sentences: readonly Sentence[]): readonly (readonly FundToken[])[] {
  const namesForward = sentences.some(({ plain }) => FORWARD.test(plain));
  let section: "reverse" | "forward" | undefined;
  return blocksOf(sentences).map((block) => {
    const text = block.cells.map(({ plain }) => plain).join(" ");
    const [isForward, isReverse] = [FORWARD.test(text), REVERSE.test(text)];
    // In a release on both kinds only a heading of a table says which it holds; a sentence in passing does not.
    if (isForward !== isReverse && (!namesForward || isHeading(block))) section = isForward ? "forward" : "reverse";
    else if (isForward) section = undefined;
    return marksOf(block, section);
  });
}

function isHeading({ cells }: Block): boolean {
  const [first] = cells;
  return cells.length > 1 || (first !== undefined && (first.plain.length < 80 || first.plain.endsWith(":")));
}

function blocksOf(sentences: readonly Sentence[]): readonly Block[] {
  const blocks: { cells: Cell[] }[] = [];
  let table: { cells: Cell[] } | undefined;
  for (const sentence of sentences) {
    const cells = cellsOf(sentence).map((plain) => ({ plain, sentence }));
    const isProse = cells.length === 1 && (PROSE.test(sentence.plain) || sentence.plain.length > LONGEST_CELL);
    if (table && !isProse) table.cells.push(...cells);
    else {
      table = { cells };
      blocks.push(table);
    }
    if (isProse) table = undefined;
  }
  return blocks;
}

/** The cells of a row whose tabs and breaks were made blanks; prose stays whole. */
function cellsOf({ plain, verbatim }: Sentence): readonly string[] {
  const marked = normalizeNumbers(plainText(verbatim.replaceAll(CELL_BREAK, CELL_END)).plain);
  const pieces = marked.split(CELL_END).flatMap((piece) => piece.trim() || []);
  const tabular = /[\t|]/.test(verbatim) || (pieces.length > 1 && pieces.some((piece) => CELL.test(piece)));
  return tabular ? pieces : [normalizeNumbers(plain)];
}

function marksOf({ cells }: Block, section: "reverse" | "forward" | undefined): readonly FundToken[] {
  const text = cells.map(({ plain }) => plain).join("\n");
  const places: (Place & { readonly sentence: Sentence })[] = [];
  let offset = 0;
  for (const { plain, sentence } of cells) {
    const found = placesOf(plain);
    places.push(...found.map((one) => ({ ...one, start: one.start + offset, end: one.end + offset, sentence })));
    offset += plain.length + 1;
  }
  return places.map((place, index) => {
    const before = text.slice(places[index - 1]?.end ?? 0, place.start);
    const after = text.slice(place.end, places[index + 1]?.start);
    const around = { sentence: place.sentence, before: before.slice(-REACH), after: after.slice(0, REACH) };
    if (place.kind !== "ratio") return { ...place, ...around };
    return { ...around, kind: "ratio", ratio: place.ratio, reverse: makesFewer(place.oldFirst, around, section) };
  });
}

/** What stands right beside the ratio says its direction, else the heading above it, else the order of its numbers. */
function makesFewer(
  oldFirst: boolean,
  { before, after }: Pick<FundToken, "before" | "after">,
  section: "reverse" | "forward" | undefined,
): boolean {
  const beside = BESIDE_BEHIND.exec(after)?.[1] ?? BESIDE_BEFORE.exec(before)?.[1];
  if (beside) return beside.toLowerCase() === "reverse";
  return section === undefined ? !oldFirst : section === "reverse";
}

/** In order, none within another. */
function placesOf(plain: string): readonly Place[] {
  if (!/[A-Z\d]/.test(plain)) return [];
  const all = [...ratiosIn(plain), ...cusipsIn(plain), ...tickersIn(plain)].toSorted((a, b) => a.start - b.start);
  return all.filter(({ start }, index) => start >= (all[index - 1]?.end ?? 0));
}

function ratiosIn(plain: string): readonly Place[] {
  if (!/\d/.test(plain) || ILLUSTRATIVE.test(plain)) return [];
  return RATIO_RULES.filter(({ form: how }) => how === "digits").flatMap(
    ({ pattern, notBefore: unlessBefore, notAfter: unlessAfter }) =>
      [...plain.matchAll(pattern)].flatMap(({ 0: text, index, groups = {} }): Place[] => {
        const [left, right] = [parseAmount(groups.left ?? ""), parseAmount(groups.right ?? "")];
        const ratio = left && right && ratioOfAmounts(left, right);
        const end = index + text.length;
        if (!ratio || unlessBefore?.test(plain.slice(Math.max(0, index - 60), index))) return [];
        if (unlessAfter?.test(plain.slice(end, end + 20))) return [];
        return [
          {
            kind: "ratio",
            ratio,
            oldFirst: left.numerator * right.denominator > right.numerator * left.denominator,
            start: index,
            end,
          },
        ];
      }),
  );
}

function cusipsIn(plain: string): readonly Place[] {
  return [...plain.matchAll(CUSIP)].map(({ 0: text, index }) => ({
    kind: "cusip",
    cusip: text.replaceAll(" ", ""),
    start: index,
    end: index + text.length,
  }));
}

function tickersIn(plain: string): readonly Place[] {
  return [...plain.matchAll(TICKER)].flatMap(({ 0: text, index, groups = {} }): Place[] => {
    const { tagged, alone, coded, first } = groups;
    const ticker = parseTicker(tagged ?? alone ?? coded ?? first ?? "");
    if (text.startsWith('("') && SHORT_NAME_BEFORE.test(plain.slice(Math.max(0, index - 20), index))) return [];
    return ticker ? [{ kind: "ticker", ticker, start: index, end: index + text.length }] : [];
  });
}
