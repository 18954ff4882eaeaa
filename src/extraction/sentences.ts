import type { PlainText } from "./text.ts";

export interface Sentence {
  /** For the rules to read. */
  readonly plain: string;
  /** As it was written: what is quoted. */
  readonly verbatim: string;
  readonly inHeading: boolean;
  /** Its place in the plain text that it was cut from. */
  readonly start: number;
  readonly end: number;
}

/** Nobody writes longer ones: what goes on without an end is a table, or made to hurt. It is cut at a blank. */
const LONGEST_SENTENCE = 2_000;

const LEAD_SENTENCES = 8;

/** A stop before a blank, the end of a paragraph, or a stop whose blank was lost (`shares.The`). */
const PERHAPS_END = /[.!?]["')\]]{0,4}(?=\s|$)|\n|(?<=[a-z)]{2})\.(?=[A-Z][a-z])/g;

/** A sentence never ends with these. */
const GOES_ON_AFTER = words(
  "mr mrs ms dr prof messrs st vs approx art sec fig vol cf viz e.g i.e jan feb mar apr jun jul aug sep sept oct nov dec exp prod",
);

/** A sentence may end with these: it does when the next word is one that begins sentences. */
const ENDS_SOMETIMES = words(
  `inc corp ltd co llc plc bros etc al p.m a.m u.s u.k d.c s.a n.v a.g b.v l.p est
  calif minn fla mass conn ariz colo ill mich ont que alta wash tex nev pa va wis ave blvd ste jr sr no nos`,
);

const STARTERS = words(
  `the this that these those there a an in on at as by for from to upon under after before until once when while if
  it its our we you they he she his her any all each every no none not neither such both some many most
  stockholders shareholders holders fractional instead accordingly additionally additional following immediately
  trading beginning effective however therefore thereafter further furthermore moreover currently subject pursuant
  certain registered beneficial instructions investors forward-looking about for more with without per new`,
);

const WORD_BEFORE = /[A-Za-z.]+$/;
const WORD_AFTER = /\s*["'([]{0,3}([A-Za-z-]+|\d)/y;

/** Cuts a text into its sentences, in one pass. */
export function splitSentences(text: PlainText, inHeading: boolean): Sentence[] {
  const { plain } = text;
  const sentences: Sentence[] = [];
  let start = 0;
  for (const stop of plain.matchAll(PERHAPS_END)) {
    if (!endsSentence(plain, stop[0], stop.index)) continue;
    const end = stop.index + stop[0].length;
    add(start, end);
    start = end;
  }
  add(start, plain.length);
  return sentences;

  function add(from: number, to: number): void {
    for (const [first, last] of bounded(plain, from, to)) {
      const cut = plain.slice(first, last);
      const begin = first + cut.length - cut.trimStart().length;
      const end = begin + cut.trim().length;
      // A row of dashes or a bullet alone says nothing.
      if (!/[A-Za-z\d]/.test(cut)) continue;
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

/** The heading and the first sentences: where a release tells its news. Further down it tells what may happen, and the past. */
export function leadSentences(sentences: readonly Sentence[]): readonly Sentence[] {
  const headings = sentences.filter(({ inHeading }) => inHeading);
  return [...headings, ...sentences.filter(({ inHeading }) => !inHeading).slice(0, LEAD_SENTENCES)];
}

function endsSentence(plain: string, stop: string, at: number): boolean {
  if (stop === "\n") return true;
  WORD_AFTER.lastIndex = at + stop.length;
  const next = WORD_AFTER.exec(plain)?.[1];
  if (next === undefined) return plain[at + stop.length + 1] !== "&";
  if (/^[a-z]/.test(next)) return false;
  if (!stop.startsWith(".")) return true;
  const begins = STARTERS.has(next.toLowerCase());
  const lostBlank = /[A-Za-z]/.test(plain[at + 1] ?? "");
  if (lostBlank) return begins;
  return endsAfter(plain.slice(Math.max(0, at - 12), at), next, begins);
}

/** Whether a full stop behind `before` ends a sentence when `next` follows. */
function endsAfter(before: string, next: string, begins: boolean): boolean {
  const word = WORD_BEFORE.exec(before)?.[0].toLowerCase() ?? "";
  if (GOES_ON_AFTER.has(word)) return false;
  if (/^nos?$/.test(word) && /\d/.test(next)) return false;
  const initials = /^(?:[a-z]\.)*[a-z]$/.test(word);
  return initials || ENDS_SOMETIMES.has(word) ? begins : true;
}

function* bounded(plain: string, from: number, to: number): Generator<readonly [number, number]> {
  let start = from;
  while (to - start > LONGEST_SENTENCE) {
    // Looked for in this stretch alone: a text without blanks would else be searched back to its beginning each time.
    const blank = plain.slice(start, start + LONGEST_SENTENCE).lastIndexOf(" ");
    const end = start + (blank > 0 ? blank : LONGEST_SENTENCE);
    yield [start, end];
    start = end;
  }
  yield [start, to];
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/));
}
