import { MAY_VERB } from "./text-rule.ts";

const PAST =
  /\b(?:began|commenced|started|opened|went|came|(?:has|have) been (?:trading|made|effected|implemented|completed)|became|was|were|took|underwent|effected|implemented|completed|(?<!\b(?:be|been|being|is|are|to|as|automatically|split|share|stock|consolidation) ?-?)(?:changed|adjusted|consolidated|combined|converted|reclassified|amended)(?![ -](?:basis|shares?|units?|stock|common|ordinary)\b))\b/i;
const FUTURE =
  /\b(?:will|shall|expects?|expected|anticipate[sd]?|scheduled|slated|due(?= (?:on|in|by|for|to (?:be|begin|start|take|become|trade|go|come|commence|open|resume|effect|execute|complete|implement))\b)|believes?|plans? (?:an?|its)|begins|commences|opens|starts|takes|becomes|goes|comes|happens|happening|kicks|occurs|(?:is|are) (?:to|set)|to (?:begin|commence|start|be|take|become|trade|open))\b|willbe|isexpected/i;

export function hasPastTense(text: string): boolean {
  return PAST.test(text);
}

export function hasFutureTense(text: string): boolean {
  return FUTURE.test(text);
}

/** Text up to a reported `would`, which states a plan: `said that the split `. */
const REPORTED_BEFORE = new RegExp(
  String.raw`\b(?:said|announced|stated|reported|confirmed|disclosed)\b(?:(?!\b(?:if|could|might|${MAY_VERB}|whether|propos\w+)\b)[^.;]){0,200}$`,
  "i",
);
const CONDITION_AFTER = /\b(?:if|provided|assuming|unless|should|subject to|pending|contingent|conditional)\b/i;
/** Lengths of the text beside `would` that decide whether it states a plan, in characters. */
const REPORT_DISTANCE = 220;
const CONDITION_DISTANCE = 200;

/** Text after a `would` that states its day: ` be effective on Friday`. */
const DATED_AFTER =
  /^(?! have\b)(?:(?!\b(?:meeting|vote)\b)[^.;]){0,120}?\b(?:on|effective|from|at|before|after|starting|beginning)(?: the)?(?: \w+){0,4}? (?:\d|(?:Mon|Tues|Wednes|Thurs|Fri)day|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.? \d)/;
const CONDITION = new RegExp(
  String.raw`\b(?:if|could|might|${MAY_VERB}|whether|propos\w+|should|unless|pending)\b`,
  "i",
);

/**
 * Returns the text before `end`, in which reported and dated plans are stated: `said that the split would take effect` becomes `… will
 * take effect`, unless it depends on a condition.
 */
export function withStatedPlans(plain: string, end = plain.length): string {
  return plain.slice(0, end).replaceAll(/\bwould\b/gi, (would, at: number) => {
    const [before, after] = [plain.slice(Math.max(0, at - REPORT_DISTANCE), at), plain.slice(at + would.length)];
    const isStated = REPORTED_BEFORE.test(before) || (DATED_AFTER.test(after) && !CONDITION.test(before));
    return isStated && !CONDITION_AFTER.test(after.slice(0, CONDITION_DISTANCE)) ? "will" : would;
  });
}
