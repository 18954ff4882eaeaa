import type { Fraction, ReleaseKind } from "../domain/article/article.ts";
import { isSameRatio, type Ratio, ratioOfIntegers } from "../domain/split/ratio.ts";
import type { SymbolDirectory } from "../domain/split/symbol-directory.ts";
import { parseTicker, type Ticker, withListing } from "../domain/split/ticker.ts";
import { addDays, type Day, daysBetween, parseDay, yearOf } from "../domain/time/day.ts";
import { isListedForOther } from "./bare-tickers.ts";
import { isLegalFormWord } from "./company-names.ts";
import { isMarketClosed, MAX_PAST_DAYS } from "./date-candidates.ts";
import { type ArticleFacts, quoteEvidence, type Security } from "./facts.ts";
import { LANGUAGES } from "./languages/index.ts";
import type { Language } from "./languages/language.ts";
import { decodeMarkup } from "./markup.ts";
import { listMentions, selectCommonShare } from "./mentions.ts";
import { toPlainText } from "./plain-text.ts";
import type { Sentence } from "./sentences.ts";
import { findMatches } from "./text-rule.ts";
import { findTickers } from "./tickers.ts";

const ENGLISH_WORDS = /(?<!\p{L})(?:the|of|and|to|will|shares|is|for|with|on|by|its|that)(?!\p{L})/giu;
/** Minimum number of function words of a language, which excludes an English text with a foreign name. */
const MIN_WORDS = 3;
/** Length of the text that tells the language, in characters. */
const LANGUAGE_SAMPLE = 4_000;

/** Finds the language of a text about a reverse split that is neither English nor mostly English; undefined if there is none. */
export function findLanguage(text: string): Language | undefined {
  const sample = text.slice(0, LANGUAGE_SAMPLE);
  const possible = LANGUAGES.filter(({ split }) => split.test(sample));
  if (possible.length === 0) return undefined;
  const count = ({ words }: Pick<Language, "words">): number => findMatches(words, sample).length;
  const [best] = possible
    .map((language) => ({ language, words: count(language) }))
    .toSorted((a, b) => b.words - a.words);
  return best !== undefined && best.words >= MIN_WORDS && best.words > count({ words: ENGLISH_WORDS })
    ? best.language
    : undefined;
}

/** A sentence of a text, with its numbers as digits. */
interface Statement {
  readonly sentence: Sentence;
  readonly digits: string;
}

/** Text of a release in another language. */
interface Release {
  readonly language: Language;
  readonly statements: readonly Statement[];
  /** Statements that name a split. */
  readonly aboutSplit: readonly Statement[];
  readonly published: Day | null;
}

interface Text {
  readonly heading: string;
  readonly content: string;
  readonly published: Day | null;
}

/** Facts of a release in another language than English. What it doesn't state clearly is null. */
export function extractForeignFacts(text: Text, language: Language, directory: SymbolDirectory | null): ArticleFacts {
  const statements = statementsOf(text, language);
  const announced = findDateline(statements, language);
  const release: Release = {
    language,
    statements,
    aboutSplit: statements.filter(({ sentence }) => language.split.test(sentence.plain)),
    published: text.published ?? announced,
  };
  const company = findCompany(release);
  const symbols = findSymbols(release);
  const security = securityOf(company.name, symbols, directory);
  const [ratio, exDate] = [findRatio(release), findExDate(release)];
  const { kind, sentence } = findKind(release, ratio.ratio, exDate.day);
  const facts = {
    kind,
    mentions: symbols.mentions.map(withListing),
    security: withListing(security),
    subject: company.name,
    fraction: null,
    announced,
    splits: [],
    contradictions: [],
    evidence: {
      ...quoteEvidence("kind", sentence),
      ...quoteEvidence("company", company.sentence),
      ...(security.ticker !== null && quoteEvidence("ticker", symbols.sentence)),
    },
  };
  if (!ANNOUNCEMENTS.includes(kind)) return facts;
  const fraction = findFraction(release);
  const terms = { ratio: ratio.ratio, exDate: exDate.day, exDateBasis: exDate.basis, newCusip: null };
  return {
    ...facts,
    fraction,
    splits: [withListing({ ...security, ...terms, evidence: {} })],
    contradictions: exDate.contradictory ? ["exDate"] : [],
    evidence: {
      ...facts.evidence,
      ...quoteEvidence("ratio", ratio.sentence),
      ...(exDate.day !== null && quoteEvidence("exDate", exDate.sentence)),
      ...(fraction && { fraction: fraction.sentence }),
    },
  };
}

function statementsOf({ heading, content }: Text, language: Language): readonly Statement[] {
  const writeDigits = digitsWriter(language);
  const sentences = [...sentencesOf(heading, true), ...sentencesOf(content, false)];
  return sentences.map((sentence) => ({ sentence, digits: writeDigits(sentence.plain) }));
}

/** End of a sentence. A number before a full stop may be the day of a date: `11. November`. */
const SENTENCE_END =
  /\n|[。！？]|(?<=\p{Ll}{2}|[)%"']|\p{Lu}{2}|\d)[.!?](?=\s+(?!(?:Jan|Feb|M[äa]r|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez))["(]?\p{Lu}|$)/gu;
/** Line break before a label: `Kortnamn: ACME`. */
const LABEL_LINE = /\n(?=\p{Lu}[^\n:]{1,60}: ?\S)/gu;
const MAX_SENTENCE_LENGTH = 1_500;
const MAX_SENTENCES = 400;
/** Maximum number of matches of one pattern in a sentence. */
const MAX_RATIOS = 4;

function sentencesOf(raw: string, inHeading: boolean): readonly Sentence[] {
  // Full-width digits, letters and punctuation have the form of the others.
  const text = toPlainText(decodeMarkup(raw).normalize("NFKC").replace(LABEL_LINE, "\n\n"));
  const sentences: Sentence[] = [];
  let from = 0;
  for (const end of [
    ...findMatches(SENTENCE_END, text.plain, MAX_SENTENCES).map((match) => match.index + match[0].length),
    text.plain.length,
  ]) {
    const piece = text.plain.slice(from, Math.min(end, from + MAX_SENTENCE_LENGTH));
    const start = from + piece.length - piece.trimStart().length;
    const last = start + piece.trim().length;
    if (last > start)
      sentences.push({
        plain: text.plain.slice(start, last),
        verbatim: text.verbatim(start, last),
        inHeading,
        start,
        end: last,
      });
    from = end;
  }
  return sentences;
}

const CJK_NUMBER =
  /[一二三四五六七八九十百千]+(?=股|株|[并併合])|(?<=[并併合为為成])一(?=股)|(?<=[并併合])一(?!\p{Script=Han})/gu;
const CJK_DIGITS = "一二三四五六七八九";
const CJK_UNITS: readonly (readonly [string, number])[] = [
  ["千", 1000],
  ["百", 100],
  ["十", 10],
];

function valueOfCjk(word: string): number {
  let rest = word;
  let value = 0;
  for (const [unit, size] of CJK_UNITS) {
    const at = rest.indexOf(unit);
    if (at < 0) continue;
    value += size * (at === 0 ? 1 : CJK_DIGITS.indexOf(rest.charAt(at - 1)) + 1);
    rest = rest.slice(at + 1);
  }
  return value + (rest === "" ? 0 : CJK_DIGITS.indexOf(rest) + 1);
}

const THOUSANDS = /(?<![\d.,])\d{1,3}(?:[. ]\d{3})+(?![\d,.]*\d)/g;
/** Amounts of money and par values: `0,30`, `1.50`. */
const DECIMAL = /(?<![\d.,])\d{1,9}[.,](?:\d{1,2}|0\d{2,4})(?![\d.,]*\d)/g;
const REPEATED_IN_WORDS = /(?<=(?<!\d)\d{1,6}) ?\(\p{L}[\p{L} -]{1,30}\)/gu;
const REPEATED_IN_DIGITS = /(?<=(?<!\d)\d{1,6}) ?\(\d{1,6}\)/g;

/** Words between the parts of a number: `vinte e cinco`. */
const NUMBER_JOINER = "[ -]|(?: (?:e|y|et|og|och|en|und) )";

/** Returns a function that writes numbers as digits without separators, and removes dates and amounts with decimals. */
function digitsWriter({ numbers, date }: Language): (plain: string) => string {
  const words = Object.keys(numbers).toSorted((a, b) => b.length - a.length);
  const word = `(?:${words.join("|")})(?!\\p{L})`;
  const pattern =
    words.length > 0 ? new RegExp(`(?<![\\p{L}-])${word}(?:(?:${NUMBER_JOINER})${word}){0,5}(?!-)`, "giu") : CJK_NUMBER;
  return (plain) =>
    plain
      .replace(date, "")
      .replace(REPEATED_IN_WORDS, "")
      .replace(THOUSANDS, (number) => number.replace(/\D/g, ""))
      .replace(DECIMAL, "")
      .replace(pattern, (text) =>
        words.length > 0 ? valueOfWords(text.toLowerCase(), numbers) : String(valueOfCjk(text)),
      )
      .replace(REPEATED_IN_DIGITS, "");
}

/** Value of number words: `vingt-deux` is 22, `cinq cents` 500. Empty if their order has another form. */
function valueOfWords(text: string, numbers: Language["numbers"]): string {
  const exact = numbers[text];
  if (exact !== undefined) return String(exact);
  const parts = text.split(/[ -](?:(?:e|y|et|og|och|en|und) )?/).map((part) => numbers[part]);
  const [first, second, ...others] = parts;
  if (first === undefined || second === undefined || others.length > 0) return "";
  if (second >= 100 && first < 10) return String(first * second);
  return first >= 20 && first < 100 && second < 10 ? String(first + second) : "";
}

interface RatioResult {
  readonly ratio: Ratio | null;
  readonly sentence: Sentence | null;
}

const NO_RATIO: RatioResult = { ratio: null, sentence: null };

/** Finds the only ratio in the sentences that name a split, and in those after them. */
function findRatio({ language, statements, aboutSplit }: Release): RatioResult {
  const named = new Set(aboutSplit);
  const relevant = statements.filter((one, index) => named.has(one) || named.has(statements[index - 1] ?? one));
  const found = relevant.flatMap(({ sentence, digits }) =>
    language.ratios
      .flatMap((pattern) => findMatches(pattern, digits, MAX_RATIOS))
      .flatMap(({ groups }) => {
        const ratio = ratioOfIntegers(1, Number(groups?.old));
        return ratio !== undefined && ratio.oldShares > 1 ? [{ ratio, sentence }] : [];
      }),
  );
  const [first] = found;
  if (first === undefined) return NO_RATIO;
  return found.every(({ ratio }) => isSameRatio(ratio, first.ratio)) ? first : NO_RATIO;
}

/** Maximum number of dates read from one sentence. */
const MAX_DATES = 12;

interface DateInText {
  readonly day: Day;
  readonly start: number;
  readonly end: number;
}

function findDates(plain: string, { date, months }: Language, near: Day | null): readonly DateInText[] {
  return findMatches(date, plain, MAX_DATES).flatMap((match) => {
    const { year, glued, era, eraYear = "", month = "", day = "" } = match.groups ?? {};
    const number = months === null || /\d/.test(month) ? Number(month) : monthNumber(month, months);
    const stated = year ?? glued ?? (era === undefined ? undefined : String(yearOfEra(era, eraYear)));
    const found = dayOf(stated, number, day, near);
    return found === undefined ? [] : [{ day: found, start: match.index, end: match.index + match[0].length }];
  });
}

function monthNumber(written: string, months: readonly string[]): number {
  return months.findIndex((start) => new RegExp(`^${start}`, "iu").test(written)) + 1;
}

function yearOfEra(era: string, year: string): number {
  return (era === "令和" ? 2018 : 1988) + (year === "元" ? 1 : Number(year));
}

/** The day without its year that is nearest to `near`. */
function dayOf(year: string | undefined, month: number, dayOfMonth: string, near: Day | null): Day | undefined {
  const inYear = (one: number | string): Day | undefined =>
    parseDay(`${one}-${String(month).padStart(2, "0")}-${dayOfMonth.padStart(2, "0")}`);
  if (year !== undefined) return inYear(year);
  if (near === null) return undefined;
  const candidates = [-1, 0, 1].flatMap((step) => inYear(yearOf(near) + step) ?? []);
  return candidates.toSorted((a, b) => Math.abs(daysBetween(near, a)) - Math.abs(daysBetween(near, b)))[0];
}

/** Maximum length of the place before the day of a text. */
const MAX_DATELINE = 40;

/** Day at the beginning of a text, after its place: `Tonneins, le 7 janvier 2008 -`. */
function findDateline(statements: readonly Statement[], language: Language): Day | null {
  const opening = statements.filter(({ sentence }) => !sentence.inHeading).slice(0, 3);
  for (const { sentence } of opening) {
    const [first] = findDates(sentence.plain, language, null);
    if (first !== undefined && first.start <= MAX_DATELINE && isDateline(sentence.plain, first)) return first.day;
  }
  return null;
}

function isDateline(plain: string, { start, end }: DateInText): boolean {
  return (
    (start === 0 && end === plain.length) ||
    (/^(?:\p{Lu}[\p{L}. '-]{1,30},? ?(?:le|den|il|el)? ?)?$/u.test(plain.slice(0, start)) &&
      /^ ?[-–:(,]|^$/.test(plain.slice(end)))
  );
}

interface ExDateResult {
  readonly day: Day | null;
  readonly basis: "trading" | "effective" | null;
  readonly sentence: Sentence | null;
  readonly contradictory: boolean;
}

const NO_EX_DATE: ExDateResult = { day: null, basis: null, sentence: null, contradictory: false };

/** Text beside a date that says what happens on it, in characters. */
const BEFORE_DATE = 100;
const AFTER_DATE = 120;
/** Text directly after a date that may say that it is another day. */
const LABEL_AFTER = 24;

/** Start of a clause with another day: `och avstämningsdag är den`. */
const NEXT_CLAUSE = / (?:och|og|et|y|e|und|en|ja|samt) /;

interface ExDateCandidate {
  readonly day: Day;
  readonly basis: "trading" | "effective";
  readonly sentence: Sentence;
}

/** Finds the only first trading day, else the only day on which the split takes effect. */
function findExDate({ language, statements, aboutSplit, published }: Release): ExDateResult {
  const found = statements.flatMap(({ sentence }) => exDatesIn(sentence, language, published));
  const today = aboutSplit.flatMap(({ sentence }): ExDateCandidate[] =>
    published !== null && language.today.test(sentence.plain) ? [{ day: published, basis: "effective", sentence }] : [],
  );
  const [trading, effective] = (["trading", "effective"] as const).map((basis) =>
    found.filter((one) => one.basis === basis),
  );
  const candidates = [trading, effective, today].find((list) => list !== undefined && list.length > 0) ?? [];
  const [first] = candidates;
  if (first === undefined) return NO_EX_DATE;
  const contradictory = candidates.some(({ day }) => day !== first.day);
  return contradictory ? { ...NO_EX_DATE, sentence: first.sentence, contradictory } : { ...first, contradictory };
}

function exDatesIn(sentence: Sentence, language: Language, near: Day | null): readonly ExDateCandidate[] {
  const { plain } = sentence;
  const dates = findDates(plain, language, near);
  return dates.flatMap(({ day, start, end }, index) => {
    const before = plain.slice(Math.max(dates[index - 1]?.end ?? 0, start - BEFORE_DATE), start);
    const after = plain.slice(end, Math.min(dates[index + 1]?.start ?? plain.length, end + AFTER_DATE));
    const basis = basisOf({ before, after }, language);
    if (basis === undefined) return [];
    const first = basis === "close" ? addDays(day, 1) : day;
    return [{ day: tradingDayFrom(first), basis: basis === "trading" ? "trading" : "effective", sentence }];
  });
}

/** What the text beside a day says of it; undefined if it is another day. */
function basisOf(
  { before, after }: { readonly before: string; readonly after: string },
  { otherDay, decides, afterClose, trading, effective }: Language,
): "trading" | "effective" | "close" | undefined {
  const [label = ""] = after.slice(0, LABEL_AFTER).split(NEXT_CLAUSE);
  if (otherDay.test(before) || otherDay.test(label) || decides.test(label)) return undefined;
  if (afterClose.test(before)) return "close";
  if (trading.test(before) || trading.test(after)) return "trading";
  return effective.test(before) || effective.test(after) ? "effective" : undefined;
}

function tradingDayFrom(day: Day): Day {
  let next = day;
  while (isMarketClosed(null, next)) next = addDays(next, 1);
  return next;
}

interface KindResult {
  readonly kind: ReleaseKind;
  readonly sentence: Sentence | null;
}

const ANNOUNCEMENTS: readonly ReleaseKind[] = ["reverse_split", "ads_ratio_change"];
const OTHER: KindResult = { kind: "other", sentence: null };
/** Number of statements that state the news of a text. */
const MAX_LEAD = 6;
const ADS = /\bADSs?\b|存托|預託|ADR/u;

function findKind(release: Release, ratio: Ratio | null, exDate: Day | null): KindResult {
  const { language, statements, aboutSplit, published } = release;
  const lead = aboutSplit.filter((statement) => statements.indexOf(statement) < MAX_LEAD);
  const sentence = lead.find((one) => !one.sentence.inHeading)?.sentence ?? lead[0]?.sentence ?? null;
  const states = (pattern: RegExp, among = statements): boolean =>
    among.some((one) => pattern.test(one.sentence.plain));
  if (sentence === null || isOther(release, exDate)) return OTHER;
  if (states(language.pending) && !states(language.decided)) return { kind: "approval_only", sentence };
  if (ratio === null || (exDate === null && !states(language.announces, lead))) return OTHER;
  const isPast = exDate !== null && published !== null && daysBetween(exDate, published) > MAX_PAST_DAYS;
  if (isPast) return { kind: "completed_past", sentence };
  return { kind: states(ADS, lead) ? "ads_ratio_change" : "reverse_split", sentence };
}

/** Whether a text is about a forward split, a split that is called off, or splits in general. */
function isOther({ language, statements }: Release, exDate: Day | null): boolean {
  const { forwardSplit, split, withdrawn, general } = language;
  const states = (pattern: RegExp): boolean => statements.some(({ sentence }) => pattern.test(sentence.plain));
  const isForward = statements
    .slice(0, 2)
    .some(({ sentence }) => forwardSplit.test(sentence.plain) && !split.test(sentence.plain));
  return isForward || states(withdrawn) || (exDate === null && states(general));
}

/** The only treatment of fractions that the sentences about them state. Cash takes precedence, as it replaces what is rounded off. */
function findFraction({ language, statements }: Release): Fraction | null {
  const { fraction, cash, roundUp, roundDown } = language;
  const index = statements.findIndex(({ sentence }) => fraction.test(sentence.plain));
  const about = statements.filter((_, at) => index >= 0 && at >= index);
  const withPattern = (pattern: RegExp): Statement | undefined =>
    about.find(
      ({ sentence }, at) =>
        pattern.test(sentence.plain) &&
        (fraction.test(sentence.plain) ||
          (about[at - 1] !== undefined && fraction.test((about[at - 1] as Statement).sentence.plain))),
    );
  const [up, paid, down] = [roundUp, cash, roundDown].map(withPattern);
  if (up !== undefined && paid !== undefined) return null;
  const found = up ?? paid ?? down;
  if (found === undefined) return null;
  const treatment = up !== undefined ? "round_up" : paid !== undefined ? "cash_in_lieu" : "round_down";
  return { treatment, level: null, sentence: found.sentence.verbatim };
}

interface CompanyResult {
  readonly name: string | null;
  readonly sentence: Sentence | null;
}

const NO_COMPANY: CompanyResult = { name: null, sentence: null };

const WORD = String.raw`\p{Lu}[\p{L}\d&.'/-]*`;
/** A name in mixed case, with words such as `de` between its words. */
const NAME = new RegExp(
  String.raw`(?<![\p{L}\d])${WORD}(?: (?:(?:i|de|del|della|du|di|da|do|dos|das|de la|of|&|och|og|y|e|et) )?${WORD}){0,6}(?:,? (?:inc\.|ltée)|, (?:S\.A\.|S\.L\.|N\.V\.|Inc\.|Ltd\.?|LLC))?`,
  "gu",
);
/** Companies that carry out a split for its issuer, and exchanges. */
const AGENT =
  /\b(?:clearstream|euroclear|bank(?:ing)?|trust|computershare|odyssey|securities|services|b[öo]rse|exchange|nasdaq|borsa|euronext|vp|advis[eo]r|certified|news|wire|transfer|uptevia|soci[ée]t[ée] g[ée]n[ée]rale)\b|証券|銀行|取引所|信託/iu;
/** Parts of a company before its name: `Styrelsen i Acme AB`. */
const PART_OF = /^(?:\p{Lu}[\p{L}'-]* (?:i|de|del|della|du|di|da|do|of) )(?=\p{Lu})/u;
const PART =
  /^(?:Styrelse|Bolag|Aktie|Årsstämma|Conseil|Assemblée|Actions?|Actionnaires|Regroupement|Junta|Consejo|Acciones|Agrupación|Consiglio|Assemblea|Azioni|Raggruppamento|Conselho|Assembleia|Ações|Grupamento|Raad|Styret|Bestyrelse)/u;

/** Finds the issuer: a name with its legal form, else the name at the beginning of the heading that the text repeats. */
function findCompany(release: Release): CompanyResult {
  const { language, statements } = release;
  if (language.company !== undefined) return companyOfPattern(language.company, statements);
  const lead = statements.slice(0, MAX_LEAD);
  const full = lead.flatMap(({ sentence }) =>
    namesIn(sentence.plain).flatMap((name) =>
      hasLegalForm(name) && !AGENT.test(name) ? [{ name: withoutPart(name), sentence }] : [],
    ),
  );
  if (full.length === 0) return language.capitalizesNouns ? NO_COMPANY : companyOfHeading(statements);
  const preferred =
    full.find(({ sentence }) => sentence.inHeading) ??
    full.find(({ sentence }) => language.split.test(sentence.plain)) ??
    full[0];
  // A name after capitalized words: `ISIN i Acme AB`.
  const shortest = full
    .filter(({ name }) => preferred?.name.endsWith(name))
    .toSorted((a, b) => a.name.length - b.name.length);
  return shortest[0] ?? NO_COMPANY;
}

/** Names in a sentence; one with a legal form ends with it. */
function namesIn(plain: string): readonly string[] {
  return findMatches(NAME, plain, 20).map(([name]) => {
    const words = name.split(" ");
    const last = words.findIndex((word, index) => index > 0 && isLegalForm(word));
    if (last > 0)
      return words
        .slice(0, last + 1)
        .join(" ")
        .replace(/,$/, "");
    return name.replace(/[,'-]+$|(?<=[^.\p{Lu}]\p{L})\.$/gu, "");
  });
}

function isLegalForm(word: string): boolean {
  return (
    isLegalFormWord(word) ||
    /^(?:A\/S|AS|ASA|AB|Abp|Oyj|AG|SE|KGaA|N\.V\.|NV|S\.A\.|SA|S\.p\.A\.|SpA|SpA\.|inc\.|ltée|Ltda\.?|S\.L\.)(?::s)?,?$/u.test(
      word,
    )
  );
}

function hasLegalForm(name: string): boolean {
  const words = name.split(" ");
  return words.length > 1 && isLegalForm(words.at(-1) ?? "");
}

function withoutPart(name: string): string {
  return (PART.test(name) ? name.replace(PART_OF, "") : name).replace(/(?<=\p{L}):s$/u, "");
}

/** Words with which the heading of a text about any company begins. */
const MIN_NAME_LENGTH = 3;

function companyOfHeading(statements: readonly Statement[]): CompanyResult {
  const heading = statements.find(({ sentence }) => sentence.inHeading)?.sentence;
  if (heading === undefined) return NO_COMPANY;
  const body = statements.filter(({ sentence }) => !sentence.inHeading).map(({ sentence }) => sentence);
  const text = body.map(({ plain }) => plain).join("\n");
  for (const name of namesIn(heading.plain)) {
    const isWord = text.includes(name.toLowerCase()) || heading.plain.includes(name.toLowerCase());
    const sentence = body.find(({ plain }) => plain.includes(name));
    if (name.length >= MIN_NAME_LENGTH && !isWord && sentence !== undefined && !AGENT.test(name))
      return { name, sentence };
  }
  return NO_COMPANY;
}

/** Words before a name in scripts without spaces: `上市公司`. */
const NOT_IN_NAME = /^.*(?:公司|[获獲]悉)(?=.{2})/u;

function companyOfPattern(pattern: RegExp, statements: readonly Statement[]): CompanyResult {
  for (const { sentence } of statements.slice(0, MAX_LEAD)) {
    for (const { groups } of findMatches(pattern, sentence.plain, 6)) {
      const name = (groups?.name ?? "").replace(NOT_IN_NAME, "");
      if (!AGENT.test(name)) return { name, sentence };
    }
  }
  return NO_COMPANY;
}

interface SymbolsResult {
  readonly mentions: ReturnType<typeof listMentions>;
  readonly symbol: Ticker | null;
  readonly sentence: Sentence | null;
}

/** Finds the symbols in the tags of supported exchanges, and the one after a label, which may be that of another exchange. */
function findSymbols({ language, statements }: Release): SymbolsResult {
  const lead = statements.slice(0, MAX_LEAD);
  const tagged = lead.map(({ sentence }) => ({
    sentence,
    matches: findTickers(sentence.plain).filter(({ form }) => form === "tag" || form === "cashtag"),
  }));
  const mentions = listMentions(tagged.flatMap(({ matches }) => matches));
  const share = selectCommonShare(mentions);
  if (share !== null)
    return {
      mentions,
      symbol: share.ticker,
      sentence: tagged.find(({ matches }) => matches.some(({ ticker }) => ticker === share.ticker))?.sentence ?? null,
    };
  for (const { sentence } of statements) {
    const { symbol, code } = language.symbol.exec(sentence.plain)?.groups ?? {};
    const ticker = parseTicker((symbol ?? code ?? "").replace(" ", "."));
    if (ticker !== undefined) return { mentions, symbol: ticker, sentence };
  }
  return { mentions, symbol: null, sentence: null };
}

/** A symbol that the directory lists only for other companies is that of a share on another exchange. */
function securityOf(
  company: string | null,
  { mentions, symbol }: SymbolsResult,
  directory: SymbolDirectory | null,
): Security {
  const share = mentions.find(({ ticker }) => ticker === symbol);
  const isForeign =
    share === undefined && symbol !== null && company !== null && isListedForOther(symbol, company, directory);
  return { ticker: isForeign ? null : symbol, exchange: share?.exchange ?? null, company };
}
