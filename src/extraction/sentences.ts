import { isInCapitals } from "./capital-words.ts";
import type { PlainText } from "./plain-text.ts";

export interface Sentence {
  /** Normalized text, which the rules match. */
  readonly plain: string;
  /** Original text, which is quoted. */
  readonly verbatim: string;
  readonly inHeading: boolean;
  /** Position in the plain text of the heading or body. */
  readonly start: number;
  readonly end: number;
}

/** Computes a value once for each sentence, because the finders of several facts need it. */
export function oncePerSentence<T extends {}>(compute: (sentence: Sentence) => T): (sentence: Sentence) => T {
  const values = new WeakMap<Sentence, T>();
  return (sentence) => {
    const known = values.get(sentence);
    if (known !== undefined) return known;
    const value = compute(sentence);
    values.set(sentence, value);
    return value;
  };
}

/** Longer runs of text are tables or hostile input, and are cut at a space. */
const MAX_SENTENCE_LENGTH = 2_000;

const MAX_LEAD_SENTENCES = 8;

/** A full stop before a space, the end of a paragraph, or a full stop without its space (`shares.The`). */
const POSSIBLE_END =
  /[.!?]["')\]]{0,4}(?=\s|$)|\n|\](?= [-•] ["A-Z])|(?<=[a-z]{2}|[\d)%])\.["')\]]{0,2}(?=["'(]{0,2}[A-Z][a-z])/g;

/** Abbreviations that never end a sentence. */
const NEVER_LAST = wordSet(
  "mr mrs ms dr prof messrs st vs approx art sec fig vol cf viz e.g i.e jan feb mar apr jun jul aug sep sept oct nov dec exp prod",
);

/** Abbreviations that end a sentence if the next word usually starts one. */
const SOMETIMES_LAST = wordSet(
  `inc corp ltd co llc plc bros etc al p.m a.m u.s u.k d.c s.a n.v a.g b.v l.p est
  calif minn fla mass conn ariz colo ill mich ont que alta wash tex nev pa va wis ave blvd ste jr sr no nos`,
);

const STARTERS = wordSet(
  `the this that these those there a an in on at as by for from to upon under after before until once when while if
  it its our we you they he she his her any all each every no none not neither such both some many most
  stockholders shareholders holders fractional instead accordingly additionally additional following immediately
  trading beginning effective however therefore thereafter further furthermore moreover currently subject pursuant
  certain registered beneficial instructions investors forward-looking about for more with without per new`,
);

const PREPOSITIONS = wordSet("on in at as by for from to under of with and or");

/** Text before a full stop that ends a sentence although no space follows. Excludes names such as `Mills.Com`. */
const LOWER_CASE_END = /(?:(?<![A-Za-z.@/])[a-z]{2,}|[\d)%])$/;
const DOMAIN_PART = /^(?:com|net|org|io|ai|co|htm|html|pdf|php|aspx?)$/i;

/** `5:00 p.m. New York time` is one expression, although `new` often begins a sentence. */
const NEW_YORK_TIME = /\b[ap]\.? ?m\.,? \(?New York\b/i;

/** Unit of a number at the end of a sentence, which is no initial: `to 5.5M`. */
const UNIT_OF_NUMBER = /\d ?[A-Za-z]$/;
const WORD_BEFORE = /[A-Za-z.]+$/;
const WORD_AFTER = /\s*["'([]{0,3}([A-Za-z-]+|\d)/y;

/** Splits a text into sentences in one pass. */
export function splitSentences(text: PlainText, inHeading: boolean): Sentence[] {
  const { plain } = text;
  const sentences: Sentence[] = [];
  let start = 0;
  for (const stop of plain.matchAll(POSSIBLE_END)) {
    if (!endsSentence(plain, stop[0], stop.index)) continue;
    const end = stop.index + stop[0].length;
    addSentences(start, end);
    start = end;
  }
  addSentences(start, plain.length);
  return sentences;

  function addSentences(from: number, to: number): void {
    for (const [first, last] of splitLongRun(plain, from, to)) {
      const piece = plain.slice(first, last);
      const begin = first + piece.length - piece.trimStart().length;
      const end = begin + piece.trim().length;
      // Skips rows of dashes and lone bullets.
      if (!/[A-Za-z\d]/.test(piece)) continue;
      sentences.push({
        plain: plain.slice(begin, end),
        verbatim: text.verbatim(begin, end),
        inHeading,
        start: begin,
        end,
      });
    }
  }
}

/** Heading and first body sentences, which state the news of a release. Later ones describe risks and history. */
export function leadSentences(sentences: readonly Sentence[]): readonly Sentence[] {
  const headings = sentences.filter(({ inHeading }) => inHeading);
  return [...headings, ...sentences.filter(({ inHeading }) => !inHeading).slice(0, MAX_LEAD_SENTENCES)];
}

/** Whether a sentence is a line without a full stop, such as the heading of another text. */
export function isHeadline({ plain }: Sentence): boolean {
  return !/[.!?:]["')]{0,2}$/.test(plain);
}

function endsSentence(plain: string, stop: string, at: number): boolean {
  if (stop === "\n") return true;
  WORD_AFTER.lastIndex = at + stop.length;
  const next = WORD_AFTER.exec(plain)?.[1];
  if (next === undefined) return plain[at + stop.length + 1] !== "&";
  if (/^[a-z]/.test(next)) return false;
  if (!stop.startsWith(".")) return true;
  if (next === "New" && NEW_YORK_TIME.test(plain.slice(Math.max(0, at - 4), at + 16))) return false;
  const startsSentence = isStarter(plain, next, at + stop.length);
  const before = plain.slice(Math.max(0, at - 12), at);
  const isSpaceMissing = !/\s/.test(plain[at + stop.length] ?? " ");
  if (isSpaceMissing && (DOMAIN_PART.test(next) || !LOWER_CASE_END.test(before))) return startsSentence;
  return endsAfter(before, next, startsSentence);
}

/** Whether a word usually starts a sentence. In capitals, a preposition or a bracket doesn't: `5:00 P.M. ON MAY 4`. */
function isStarter(plain: string, next: string, at: number): boolean {
  const word = next.toLowerCase();
  const continues =
    next.length > 1 && isInCapitals(next) && (PREPOSITIONS.has(word) || /^\s*\(/.test(plain.slice(at, at + 4)));
  return STARTERS.has(word) && !continues;
}

/** Whether a full stop between `before` and `next` ends a sentence. */
function endsAfter(before: string, next: string, startsSentence: boolean): boolean {
  const word = WORD_BEFORE.exec(before)?.[0].toLowerCase() ?? "";
  if (NEVER_LAST.has(word)) return false;
  if (/^nos?$/.test(word) && /\d/.test(next)) return false;
  const isInitials = /^(?:[a-z]\.)*[a-z]$/.test(word) && !UNIT_OF_NUMBER.test(before);
  return isInitials || SOMETIMES_LAST.has(word) ? startsSentence : true;
}

function splitLongRun(plain: string, from: number, to: number): readonly (readonly [number, number])[] {
  const pieces: [number, number][] = [];
  let start = from;
  while (to - start > MAX_SENTENCE_LENGTH) {
    // Searches only this piece, so that a text without spaces takes linear time.
    const space = plain.slice(start, start + MAX_SENTENCE_LENGTH).lastIndexOf(" ");
    const end = start + (space > 0 ? space : MAX_SENTENCE_LENGTH);
    pieces.push([start, end]);
    start = end;
  }
  pieces.push([start, to]);
  return pieces;
}

function wordSet(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/));
}
