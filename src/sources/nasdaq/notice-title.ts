/** Words for a reverse split in a title or sentence. A forward split and a mere change of name or symbol don't match. */
const REVERSE_SPLIT =
  /\breverse[\s-]+(?:(?:stock|share|unit|ads|adr)[\s-]+)?splits?\b|\b(?:share|stock|unit)[\s-]+consolidations?\b|\b(?:ads|adr|depositary)\b.{0,60}\bratio\b|\bratio[\s-]+change\b/i;

/** Words for the rules about reverse splits: `to Modify Reverse Stock Split Notification Requirements`. */
const RULES =
  /\b(?:notification|notice|disclosure|listing|reporting)\s+(?:requirements?|rules?|process|procedures?|standards?|deadlines?)\b|\b(?:proposed\s+)?rule\s+(?:chang|fil|propos|amend|modif|\d)|\brules\b|\brulebook\b|\bchanges?\s+to\s+(?:the\s+)?(?:processing|handling|treatment)\b/i;

export function namesReverseSplit(text: string): boolean {
  return REVERSE_SPLIT.test(text);
}

/** Whether a notice with this title may be about the reverse split of a security, and not about the exchange's rules. */
export function titleNamesReverseSplit(title: string): boolean {
  return REVERSE_SPLIT.test(title) && !RULES.test(title);
}

const MARK_WORDS = "(?:updated|revised|amended|corrected|correction|cancell?ed|postponed)";
const MARK = new RegExp(String.raw`\(\s*${MARK_WORDS}\b[^()]{0,60}\)|^\s*${MARK_WORDS}\b[^():]{0,30}:\s`, "gi");

/** True if the title marks the notice as changed after its publication: `(UPDATED)`, `(UPDATED 2/27/2026)`, `UPDATED: `. */
export function isMarkedUpdated(title: string): boolean {
  return title.search(MARK) >= 0;
}

/** The title without the marks of a change. */
export function withoutMarks(title: string): string {
  return title.replaceAll(MARK, " ").replace(/\s+/g, " ").trim();
}
