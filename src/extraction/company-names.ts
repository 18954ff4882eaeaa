import { containsInOrder, foldName } from "../domain/article/company-name.ts";
import { canBeBareSymbol } from "./capital-words.ts";
import { findMatches, MONTH } from "./text-rule.ts";

/** Length of the text before and after a bracket that is read, in characters. */
const BRACKET_CONTEXT = 200;
const MAX_BRACKETS = 12;
const MAX_NAME_LENGTH = 100;

const LEGAL_FORM =
  /^(?:inc|incorporated|corp|corporation|co|company|ltd|limited|llc|l\.l\.c|lp|l\.p|n\.a|plc|p\.l\.c|nv|n\.v|sa|s\.a|se|ag|a\/s|asa|ab|s\.p\.a|spa|oyj|bv|b\.v|ltée|ltee|gmbh|kgaa|s\.a\.b|trust|pbc|p\.b\.c)[.,']?(?:,|'s)?$/i;
/** Legal forms in lower case. */
const LOWER_CASE_FORM = /^(?:plc|oyj|asa|spa),?$/;
const CONNECTOR = /^(?:of|and|the|for|de|du|la|le|les|y|e|und|von|van|&|\+)$/;
const NAME_WORD = /^["'($]?(?:[\p{Lu}0-9]|[a-z]{1,4}[A-Z])/u;
/** Words that end a name or precede it, also capitalized in a heading: `Acme To Split`. */
const NOT_IN_NAME =
  /^(?:will|would|has|have|is|are|was|were|be|that|which|who|it|its|their|this|these|to|in|on|at|by|with|from|after|before|as|today|also|said|says)$/i;
const YEAR = /^(?:19|20)\d\d[.,]?$/;
/** Last word of a sentence, of five letters or more. Abbreviations in names are shorter: `Bros.`. */
const SENTENCE_END = /.{5}\.$/;
/** Part of a time of day: `11:00AM`, `9:30 a.m. ET`. */
const TIME_OF_DAY = /^(?:\d{1,2}[:.]\d\d(?:[ap]\.?m\.?)?|[AaPp]\.?[Mm]\.?|[ECMP][SD]?T)$/i;
/** Words that cannot start a name. */
const NOT_FIRST_WORD = [CONNECTOR, YEAR, TIME_OF_DAY, /^(?:why|how|what|when|is|are|did|does)$/i, /^AND$/];

/** What ends the search for the start of a name: dashes of a dateline, brackets, quotes, colons, the year of a date. */
const BOUNDARY = new RegExp(
  String.raw`(?<=\b${MONTH}(?: \d{1,2},?)? )(?:19|20)\d\d,? (?=\p{Lu}[\p{Ll}.])|-{2,}|(?:^|\s)-+\s?|-\s|\/\s|[:;]\s|[)\]"|*\u2022]\s?|\s\/(?=\S)`,
  "gu",
);

/** Words before a name that denote a part of the company: `the Board of Directors of Acme`, `shares of Acme`. */
const COMPANY_PART_BEFORE =
  /^(?:the )?(?:board|directors|management|shareholders|stockholders|holders|shares|stock|common stock|units|ceo|cfo|chairman|president|subsidiary|parent|(?:reverse|share|stock) (?:stock |share )?(?:split|consolidation))\b.* (?:of|at|by|for) (?=[A-Z])/i;
/** Symbol after the legal form of a name. */
const SYMBOL = /^[A-Z]{2,5}$/;
const NOT_A_NAME =
  /^(?:company|corporation|issuer)'s\b|\b(?:certificates?|articles|by-?laws|agreement|amendments?|incorporation|memorandum|resolutions?|proposals?|statement|statutes|code|(?:eastern|central|mountain|pacific)(?: (?:standard|daylight))? time)$|^(?:consequently|additionally|importantly|notably|accordingly|subsequently|currently|specifically|typically|however|therefore|moreover|furthermore|overall)$|\bthe (?:company|corporation|issuer)(?:'s)?$|^(?:the |a )?(?:board of )?directors$|^\d[\d,.]*(?:-for-|-to-| for |:)\d[\d,.]*$|^american depositary (?:shares?|receipts?)$|^officials$|^(?:series|class) [a-z]$|^(?:the ?)?(?:company|corporation|issuer|fund|funds|trust|group|ratio|ratio change|adrs?|common (?:stock|shares)|ordinary shares|shares|ads|adss|reverse (?:stock )?split|consolidation|share consolidation|nasdaq.*|nyse.*|finra|dtcc?|occ|effective date|board|related|mentioned|tags?|keywords|topics|companies|symbols?|tickers?|stocks?|.*(?:exchange|number|official list|commission|authority|act))$/i;
/** `Monday`, `Sept. 2`, `Monday, Sept. 2, 2025`. */
const DAY_AS_NAME = new RegExp(
  String.raw`^(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,? ?)?(?:${MONTH}(?: \d{1,2})?(?:,? (?:19|20)\d\d)?)?$`,
);

export const LINK = /\[([^\]\n]{1,100})\]\([^)\s]{0,400}\)/g;
/** Line of a notice: `Issuer: Acme Inc.`. */
const LABELED =
  /^(?:(?:company|issuer|entity)(?: name)?|name of (?:the )?(?:company|issuer|entity)): ([\p{Lu}\d][^:|]{1,80})$/iu;
/** Title: `Acme Inc. - Reverse Split`, `Reverse Stock Split of Acme Inc.`. */
const TITLE =
  /^(?:(?!(?:event|corporate action|subject|re|type|action|announcement|notice|news|headline|title)\b)(?<before>[\p{Lu}\d][^:|]{1,80}?)(?: ?[-|:]|(?<=\b(?:inc|corp|ltd|plc|co)\.?)) (?:(?:\d{1,4}-for-\d{1,5}|proposed|announcement of) )?(?:reverse (?:stock |share )?split|(?:share |stock )?consolidation)|(?:reverse (?:stock |share )?split|(?:share |stock )?consolidation) (?:of|in|for|by) (?<after>[\p{Lu}\d][^:|,]{1,80}?(?:, (?:inc|ltd|llc)\.?)?))$/iu;
const ABOUT = /^about ([A-Z0-9][^.:|]{1,80}?(?:[.,] ?(?:inc|corp|ltd|co|llc|s\.a|n\.v|plc)\.?)?):?$/i;
/** Words before the company in `On May 4, 2026, Acme announced`, `The board of directors of Acme approved`. */
const LEAD_IN =
  /^(?:(?:[a-z]{4,}ly|however|therefore|moreover|as a result|in addition|as previously (?:disclosed|announced|reported)), )?(?:(?:on [A-Z][a-z]{2,8}\.? \d{1,2}(?:,? \d{4})?|today|further to [^.;]{0,100}\d{4}),? )?(?:(?:the )?(?:board(?: of directors)?|shareholders|stockholders|shares|management) (?:of|in|at) )?(?=\S)/i;
/** ` on Monday morning`, ` on Sept. 2, 2025`. */
const DAY_BEFORE_VERB = String.raw`(?:on )?(?:(?:mon|tues|wednes|thurs|fri)day(?: (?:morning|afternoon|evening))?|${MONTH} \d{1,2}(?:,? (?:19|20)\d\d)?),?`;
/** Words between a company and its verb: ` today`, ` on Monday`, ` has formally`. */
const ADVERBS = `(?: (?:has|have|is|are|was|were|today|also|now|just|hereby|yesterday|earlier|late|[a-z]{2,14}ly|this (?:week|morning|month)|${DAY_BEFORE_VERB}|pleased to|proud to|set to|due to|about to|slated to|going to))*`;
/** Description between a company and its verb: `, a maker of boats,`. */
const APPOSITION =
  '(?:,? (?:an?|the|one of|whose|which|(?:[a-z-]+ )?(?:makers?|developers?|providers?|producers?|operators?|owners?|manufacturers?) of)\\b[^"]{0,200}?,)?';
/** What an issuer says or does in its own release or in news about it. */
const ISSUER_VERB = [
  "said|says|stated|states|issue[sd]|filed?|files|amended|plan(?:s|ned)?|reveal(?:s|ed)|disclos(?:es|ed)|changing",
  "(?:is|are|was) (?:[a-z]+ing|set|due|slated|scheduled)|will be (?:effecting|implementing|consolidating|traded|quoted)",
  "(?:names|appoints|hires|closes|prices|files|regains|launches|raises|posts|initiates|joins|slashes|unveils|executes|enacts|performs|undergoes|conducts|sets|cuts|moves|opts|eyes|seeks|schedules|readies|prepares|decides|elects|adopts|acquires|buys|signs|secures|wins|expands|unveiled|initiated|executed|conducted|underwent|decided|elected|adopted|scheduled|filed)",
  "(?:falls|drops|sinks|plunges|slides|tumbles|slumps|jumps|soars|surges|rises|dips|climbs|tanks)",
  "(?:announc|report|declar|receiv|approv|postpon|delay|abandon|rescind|propos|intend|expect|complet|implement|effect|consolidat|provid|confirm)(?:e|es|s|ed|ing)?",
  "cancel(?:s|l?ed|l?ing)|withdr(?:aws|ew|awn|awing)",
].join("|");
/** Text after the name of an issuer: ` today announced`, `, a maker of boats, will implement`. */
const ISSUER_ACTION = new RegExp(
  `^${APPOSITION},?${ADVERBS} (?:(?:${ISSUER_VERB})\\b|(?:will|to|would) (?:do\\b|undergo|effect|implement|carry|conduct|undertake|consolidate|complete|proceed|change|split|reverse|reduce|combine|execute))`,
  "i",
);
/** Text after the name of an issuer in `Acme's board`, `Acme's shares`. */
const ISSUER_POSSESSION =
  /^(?:'s?|s') (?:[a-z-]+ ){0,2}(?:board|shares|stock|units|shareholders|stockholders|adss?)\b/i;
/** Words that start a sentence, not a name. */
const SENTENCE_START =
  /^(?:the|an?|this|that|these|those|it|its|we|our|in|if|as|at|no|all|each|any|for|there|upon|following|after|before|when|while|both|such|under|trading|shareholders|stockholders|holders|fractional|new|pursuant|anticipated|expected|current|currently|he|she|they|management|reverse|share|stock|splits?|consolidation|announcement|notice|update|directors|approval|by|with|to|of|on|from|how|why|what|once|here|there)\b/i;

/** Heading of the paragraph about the issuer, joined with its first line: `About Acme Acme, Inc.`. */
const ABOUT_LINE = /^About (.{2,60}) (?=\1)/;
/** Former or other name between a name and its bracket: `, formerly Mills Inc.`. */
const OTHER_NAME =
  /,? (?:formerly|f\/k\/a|d\/b\/a|a\/k\/a|dba|(?:now |also )?(?:known|doing business|operating) as)\b[^()]*$/i;
/** Description between a name and its bracket: `, a maker of boats`. */
const DESCRIPTION = /, (?:an?|the|one of) [^():;"]{3,160}$/;
/** Security between a name and its bracket: `Acme Inc stock (ACME)`, `Acme's common shares (ACME)`. */
const SECURITY_AFTER = /(?<=[A-Z][\w.]*)(?:'s?)? (?:(?:common|ordinary) )?(?:stock|shares|units)$/;
const IN_BRACKETS = / ?(?:\([^()]{0,160}\)|\[[^\][]{0,160}\])/g;
/** Capitalized word before a name that is not part of it: `Today`, `Oregon-based`. */
const LEADING_WORD =
  /^(?:today|separately|additionally|meanwhile|summary|takeaways?|overview|highlights|\S+-(?:listed|based|traded|stage|focused))$/i;

/** Returns the name at the end of `left`. */
export function nameBefore(left: string): string | undefined {
  const text = withoutBrackets(left)
    .replace(/[\s,]+$/, "")
    .replace(SECURITY_AFTER, "")
    .replace(OTHER_NAME, "")
    .replace(/[\s,]+$/, "");
  return nameAtEnd(text) ?? (DESCRIPTION.test(text) ? nameAtEnd(text.replace(DESCRIPTION, "")) : undefined);
}

function nameAtEnd(text: string): string | undefined {
  const start = endOfLast(BOUNDARY, text);
  const words = text.slice(start).trim().split(" ");
  let first = words.length;
  while (first > 0 && belongsToName(words, first - 1)) first -= 1;
  // A name in lower case: `tidelabs SE`, or `tidelabs` alone.
  if (first === words.length - 1 && first > 0 && LEGAL_FORM.test(words[first] ?? "")) first -= 1;
  if (first === 1 && words.length === 1 && /^[a-z]{3,}$/.test(text)) first = 0;
  return cleanName(words.slice(first));
}

/** Removes brackets after a name: `Acme Inc. (formerly Mills Inc.) (Nasdaq: ACME)`. */
function withoutBrackets(text: string): string {
  let result = text.trimEnd();
  while (result.endsWith(")") || result.endsWith("),")) {
    const bracketStart = result.lastIndexOf("(");
    if (bracketStart < 0) break;
    result = result.slice(0, bracketStart).trimEnd();
  }
  return result;
}

/** Whether the word at `index` belongs to the name that the next words form. */
function belongsToName(words: readonly string[], index: number): boolean {
  const word = words[index] ?? "";
  const next = words[index + 1];
  if (next !== undefined && SENTENCE_END.test(word) && !LEGAL_FORM.test(word)) return false;
  if (endsAtComma(words, index) || NOT_IN_NAME.test(word)) return false;
  return NAME_WORD.test(word) || (CONNECTOR.test(word) && next !== undefined) || LOWER_CASE_FORM.test(word);
}

/** Whether a name ends at the comma after a word: not before a legal form, nor in `Marlow, Reed & Hollis Inc.`. */
function endsAtComma(words: readonly string[], index: number): boolean {
  const next = words[index + 1];
  if (!words[index]?.endsWith(",") || next === undefined || LEGAL_FORM.test(next)) return false;
  return !(words.slice(index + 1, index + 4).includes("&") && NAME_WORD.test(next));
}

function cleanName(words: readonly string[]): string | undefined {
  const nameWords = [...words];
  while (nameWords.length > 0 && NOT_FIRST_WORD.some((pattern) => pattern.test(nameWords[0] ?? ""))) nameWords.shift();
  nameWords.splice(0, nameWords.findLastIndex((word) => LEADING_WORD.test(word)) + 1);
  if (endsWithSymbol(nameWords)) nameWords.pop();
  const name = nameWords
    .join(" ")
    .replace(/^(?:(?:19|20)\d\d-+)?(?:[01]?\d[-/][0-3]?\d(?:\/(?:19|20)?\d\d)? )?/, "")
    .replace(ABOUT_LINE, "")
    // Label of a news agency: `BRIEF-Acme`.
    .replace(/^[A-Z]{4,}(?: \d)?-(?=\p{Lu}\p{Ll})/u, "")
    // A time without a space after it: `9:22 AM ETAcme`.
    .replace(/^E[SD]?T(?=\p{Lu}\p{Ll})/u, "")
    .replace(/^["'($]+|["',]+$|'s$/g, "")
    .replace(COMPANY_PART_BEFORE, "");
  const isName =
    /\p{L}/u.test(name) &&
    name.length > 1 &&
    name.length <= MAX_NAME_LENGTH &&
    !NOT_A_NAME.test(name) &&
    !DAY_AS_NAME.test(name);
  return isName ? name : undefined;
}

/** Whether a symbol follows a name: `Acme Inc ACME`, `Acme Boats ACBO`. */
function endsWithSymbol(words: readonly string[]): boolean {
  const [last = "", ...nameWords] = words.toReversed();
  if (nameWords.length === 0 || !SYMBOL.test(last) || !canBeBareSymbol(last)) return false;
  const form = words.findIndex((word) => LEGAL_FORM.test(word));
  const isMixedCase = nameWords.every((word) => word !== word.toUpperCase());
  return (
    (form > 0 && form === words.length - 2) ||
    (last.length > 2 && isMixedCase && abbreviates(last, nameWords.toReversed().join(" ")))
  );
}

/** Whether a symbol consists of letters of the name in their order, from its first letter: `ORLK` and `Orlock`. */
export function abbreviates(symbol: string, name: string): boolean {
  const letters = foldName(name).join("");
  const wanted = symbol.toLowerCase().replace(/[^a-z0-9].*$/, "");
  return wanted.length > 1 && wanted[0] === letters[0] && containsInOrder(letters, wanted);
}

/** Finds the company in a title or a labeled line: `Acme Inc. - Reverse Split`, `Issuer: Acme Inc.`. */
export function nameInTitle(plain: string): string | undefined {
  const line = plain.replaceAll(IN_BRACKETS, "");
  const { before, after } = TITLE.exec(line)?.groups ?? {};
  return cleanName((before ?? after ?? LABELED.exec(line)?.[1] ?? "").split(" "));
}

export function nameInAbout(plain: string): string | undefined {
  const name = ABOUT.exec(plain)?.[1];
  return name === undefined || !/\p{Lu}/u.test(name) || /^(?:the )?(?:reverse|forward|company|us)\b/i.test(name)
    ? undefined
    : name;
}

export function isLegalFormWord(word: string): boolean {
  return LEGAL_FORM.test(word);
}

/** Whether the text after a name shows that it is the issuer in its own release. */
export function actsAsIssuer(after: string): boolean {
  return ISSUER_ACTION.test(after);
}

/** Finds the company in `Acme, a maker of boats, today announced` or `Acme's board`, at the start or after a dateline. */
export function nameOfAnnouncingCompany(plain: string): string | undefined {
  const opening = plain
    .slice(0, 3 * BRACKET_CONTEXT)
    .replaceAll(IN_BRACKETS, "")
    // A link to a symbol: `$Acme (ACME.US)$`.
    .replaceAll("$", "")
    .replaceAll(" ,", ",");
  const clauseStarts = findMatches(BOUNDARY, opening.slice(0, BRACKET_CONTEXT)).map(
    ({ 0: boundary, index }) => index + boundary.length,
  );
  for (const start of [0, ...clauseStarts.slice(0, MAX_BRACKETS)]) {
    const name = nameAtStart(opening.slice(start).trimStart().replace(LEAD_IN, ""));
    if (name !== undefined) return name;
  }
  return undefined;
}

/** Starts of names within a sentence. A defined term, as in `the Amendment`, isn't a name. */
const NAME_WITHIN = /(?<=(?:^| )[a-z][a-z\d'-]{0,20},? |\d{4}, |[;⟧] )(?<!\bthe )(?=[A-Z0-9])/g;
/** Stands for a bracket, so that the name before it ends there. */
const BRACKET = "⟧";
/** What an issuer does with a split: ` announced`, ` will effect`. */
const SPLIT_ACTION =
  /^(?: (?:has|have|today|also|now|recently|just|hereby))* (?:announce[sd]?|declare[sd]|approve[sd]|completed?s?|implement(?:s|ed)|effect(?:s|ed)|execute[sd]|conduct(?:s|ed)|consolidate[sd]|proposes|plans? an? |(?:is|are) planning|(?:was|is|are|were) going to (?:do|undergo|effect|implement|conduct|complete)|(?:will|would|plans to|intends to|is to|is set to|says it will|said it will|says it would|said it would) (?:be )?(?:do|effect|implement|carry|conduct|undertake|undergo|execute|consolidat|complete|proceed|change|split|reverse|combine|make|perform))/i;
/** Last words of things that effect a split on behalf of the issuer. */
const NOT_AN_ACTOR =
  /\b(?:amendment|certificate|proposal|articles|plan|resolution|meeting|agent|court|board|directors|(?:stock|share)holders|management|committee|splits?|consolidation|date|time|market|exchange|nasdaq|nyse|tsxv?|otc|finra|dtc|sec|cse|commission|act|trust company)$/i;

/** Names within a sentence before words such as ` announced a reverse split`. */
export function namesOfActors(plain: string): readonly string[] {
  const text = plain.slice(0, 5 * BRACKET_CONTEXT).replaceAll(IN_BRACKETS, ` ${BRACKET}`);
  return findMatches(NAME_WITHIN, text, 3 * MAX_BRACKETS).flatMap(({ index }) => {
    const run = nameRun(text.slice(index));
    const name = cleanName(run.split(" "));
    const after = text.slice(index + run.length).replace(` ${BRACKET}`, "");
    const isActor =
      /\p{Ll}/u.test(run) &&
      !LEGAL_FORM.test(run) &&
      SPLIT_ACTION.test(after) &&
      /\b(?:splits?|consolidat\w+|ratio)\b/i.test(after);
    return isActor && name !== undefined && !NOT_AN_ACTOR.test(name) && !SENTENCE_START.test(name) ? name : [];
  });
}

/** Whether a name ends with a legal form, or with `Holdings` or `Group`. */
export function isFullName(name: string): boolean {
  const last = lastWord(name);
  return LEGAL_FORM.test(last) || /^(?:Holdings?|Group)$/.test(last);
}

function nameAtStart(clause: string): string | undefined {
  const name = nameRun(clause);
  const textAfter = clause.slice(name.length);
  const isShareNews =
    /^ (?:shares|stock|(?:share|stock)holders|board)\b/.test(textAfter) &&
    LEGAL_FORM.test(lastWord(cleanName(name.split(" ")) ?? ""));
  const isName = !SENTENCE_START.test(name) || LEGAL_FORM.test(lastWord(name));
  return isName && (isShareNews || ISSUER_ACTION.test(textAfter) || ISSUER_POSSESSION.test(textAfter))
    ? cleanName(name.split(" "))
    : undefined;
}

/** Words of a name at the beginning of a text. */
function nameRun(clause: string): string {
  const words = clause.slice(0, MAX_NAME_LENGTH).split(" ");
  let count = 0;
  while (count < words.length && continuesName(words, count)) count += 1;
  return words
    .slice(0, count)
    .join(" ")
    .replace(/(?:'s?|,)$/, "");
}

function lastWord(text: string): string {
  return text.slice(text.lastIndexOf(" ") + 1);
}

/** Whether a word is what an issuer does. In a heading it is capitalized too; in capitals only in a text in capitals: `SMITHS FALLS`. */
function isVerb(words: readonly string[], word: string): boolean {
  const canBeVerb = !/^[A-Z]{2,}/.test(word) || words.every((one) => !/[a-z]{2}/.test(one));
  return canBeVerb && ISSUER_ACTION.test(` ${word}`);
}

/** Word after which a name doesn't continue. */
const ENDS_NAME = /(?:'s?|[:;-])$/;
/** The second word of this country is a verb elsewhere: `Acme states`. */
const COUNTRY = /^united states$/i;

/** Whether the word at `index` belongs to the name that the previous words form. */
function continuesName(words: readonly string[], index: number): boolean {
  const word = words[index] ?? "";
  if (index === 0) return NAME_WORD.test(word);
  const previous = words[index - 1] ?? "";
  if (COUNTRY.test(`${previous} ${word}`)) return true;
  if (ENDS_NAME.test(previous) || endsAtComma(words, index - 1)) return false;
  if (NOT_IN_NAME.test(word) || isVerb(words, word)) return false;
  return NAME_WORD.test(word) || LOWER_CASE_FORM.test(word) || CONNECTOR.test(word);
}

function endOfLast(pattern: RegExp, text: string): number {
  const last = findMatches(pattern, text).at(-1);
  return last ? last.index + last[0].length : 0;
}
