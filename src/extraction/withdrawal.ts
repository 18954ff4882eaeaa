import { FALSE_REPORT } from "./kind-rules.ts";
import { leadSentences, type Sentence } from "./sentences.ts";
import { REVERSE_OR_DEFINED_TERM, REVERSE_OR_DEFINED_TERM_STARTS } from "./split-patterns.ts";
import {
  type Classified,
  findMatchingRule,
  isNegated,
  MAY_VERB,
  type NounRule,
  startingWith,
  type TextRule,
} from "./text-rule.ts";

/** A reverse split, or the equivalent change of depositary shares. */
const SPLIT = new RegExp(
  startingWith(
    `${REVERSE_OR_DEFINED_TERM_STARTS}|ads|adr|ratio|change`,
    `${REVERSE_OR_DEFINED_TERM.source}|(?:ADS |ADR )?ratio change|change (?:in|of|to) (?:the |its )?[^.;]{0,60}?\\b(?:ADSs?|ADRs?|depositary)\\b[^.;]{0,60}?ratio`,
  ),
  "gi",
);

/** Words allowed between the verb and the split. With any other word the verb may concern something else than the split. */
const WORDS_BEFORE_SPLIT = String.raw`(?: (?:the|its|our|this|that|such|a|an|all|any|of|for|in|to|with|company's|fund's|previously|earlier|announced|planned|proposed|pending|scheduled|upcoming|intended|implementation|effectiveness|effective|date|timing|plans?|effect|implement|effecting|implementing|proceed|proceeding|complete|pursue|board's|decision|common|ordinary|\d[\d.,]*|one|for|\d[\d.,]*-for-\d[\d.,]*|one-for-[a-z-]+|\d+:\d+)){0,14} "?$`;

const CANCEL =
  "(?:cancel|cancels|cancell?ed|cancell?ing|abandon|abandons|abandoned|abandoning|withdraw|withdraws|withdrew|withdrawn|withdrawing|rescind|rescinds|rescinded|rescinding|revoke|revokes|revoked|terminate|terminates|terminated|terminating|call off|calls off|called off|calling off|scrap|scraps|scrapped|halt|halts|halted|shelve|shelves|shelved|drops|dropped|cancell?ation|abandonment|withdrawal|rescission|termination)";
const CANCELLED = "(?:cancell?ed|abandoned|withdrawn|rescinded|revoked|terminated|called off|scrapped)";
const POSTPONE =
  "(?:reschedule|reschedules|rescheduled|rescheduling|push back|pushes back|pushed back|postpone|postpones|postponed|postponing|delay|delays|delayed|delaying|defer|defers|deferred|deferring|suspend|suspends|suspended|suspending|put on hold|puts on hold|postponement|deferral|pause|pauses|paused)";
const POSTPONED = "(?:postponed|rescheduled|delayed|deferred|suspended|put on hold|pushed back|paused)";

const DO =
  "(?:proceed|proceeding|effect|effecting|implement|implementing|pursue|pursuing|complete|completing|carry out|carrying out|undertake|undertaking|go ahead|going ahead|move forward|moving forward)";
const HAPPEN =
  "(?:proceed|be proceeding|go ahead|occur|take place|take effect|become effective|be effective|be (?:implemented|effected|completed))";

/** Words for an earlier plan. Without one, `will not effect a reverse split` cancels nothing: none was planned. */
const EARLIER =
  /\b(?:previously|originally|earlier|no longer|(?:had been|was|that it|which it) announced|had been (?:expected|scheduled|set)|was (?:to|expected|scheduled|set))\b/i;
/** Not a withdrawal: `will not take effect until …`, `… not on May 4 but on May 11`. */
const NOT_YET = /\b(?:until|unless|before|prior to|but on)\b/i;

/** Text between the split and its verb: nothing, a bracket or a clause on the split. Other words may introduce another subject. */
const UP_TO_VERB = String.raw`^(?: of (?:[^,.;]|, (?=(?:Inc|Corp|Ltd|Co|LLC)\b)|(?<=\b(?:Inc|Corp|Ltd|Co))\.){0,90}?)?(?: \([^).;]{0,40}\))?(?:,? \(?(?:which|that|previously|originally|initially|announced|scheduled|planned|set|expected|due|at|effective|first)\b(?:(?!meeting|certificate|agreement|offering|fraction|warrant|vote|proposal)[^.;]){0,90}?)?,?`;

/** `withdraws the reverse split proposal` withdraws a proposal, not a split. */
const ONLY_A_PROPOSAL = /^ ?(?:proposals?|amendments?|resolutions?|votes?|meetings?|authorit)/i;

/** Other subjects before the split: `the meeting on the reverse split has been postponed`. */
const OTHER_SUBJECT =
  /(?:meeting|vote|hearing|proposal|resolution|certificates?|shares|fractions?|agreement|offering|financing|merger|acquisition|webcast|warrants?|options?|notes?)\b[^.;]{0,90}$/i;

/**
 * Statements that a split is postponed or cancelled. A false match would report an active split as withdrawn, so the rules
 * accept only plain statements of fact about the split, in the lead of a release.
 */
export const WITHDRAWAL_RULES: readonly Classified<NounRule, "postponed" | "cancelled">[] = [
  {
    name: "company cancels the split",
    category: "cancelled",
    noun: SPLIT,
    before: new RegExp(String.raw`\b${CANCEL}${WORDS_BEFORE_SPLIT}`, "i"),
    notNear: ONLY_A_PROPOSAL,
    example: "Harbor Mills has cancelled its previously announced 1-for-30 reverse stock split",
  },
  {
    name: "split is cancelled",
    category: "cancelled",
    noun: SPLIT,
    after: new RegExp(`${UP_TO_VERB} (?:has|have|is|was) (?:now |also |been |being |hereby ){0,2}${CANCELLED}`, "i"),
    notBefore: OTHER_SUBJECT,
    example: "the share consolidation set for May 4 has been withdrawn",
  },
  {
    name: "heading: split cancelled",
    category: "cancelled",
    noun: SPLIT,
    after: new RegExp(`^ ${CANCELLED}$`, "i"),
    notBefore: OTHER_SUBJECT,
    example: "Harbor Mills: Reverse Split Withdrawn",
  },
  {
    name: "company decided against the split",
    category: "cancelled",
    noun: SPLIT,
    before: new RegExp(
      String.raw`\b(?:(?:decid|determin|elect|resolv)ed not to|(?:will|is|are) no longer) (?:be )?${DO}${WORDS_BEFORE_SPLIT}`,
      "i",
    ),
    example: "The Board decided not to proceed with the reverse split",
  },
  {
    name: "company does not proceed",
    category: "cancelled",
    noun: SPLIT,
    before: new RegExp(
      String.raw`\bnot (?:to |be )?(?:proceed(?:ing)?|go(?:ing)? ahead|mov(?:e|ing) forward)${WORDS_BEFORE_SPLIT}`,
      "i",
    ),
    notNear: NOT_YET,
    example: "Harbor Mills Not to Proceed with Reverse Split",
  },
  {
    name: "company will not effect the announced split",
    category: "cancelled",
    noun: SPLIT,
    before: new RegExp(`\\b(?:will not|not to) (?:be )?${DO}${WORDS_BEFORE_SPLIT}`, "i"),
    near: EARLIER,
    notNear: NOT_YET,
    example: "Harbor Mills will not go ahead with its previously announced reverse split",
  },
  {
    name: "announced split will not happen",
    category: "cancelled",
    noun: SPLIT,
    after: new RegExp(`${UP_TO_VERB} will (?:not|no longer) ${HAPPEN}(?! on )`, "i"),
    near: EARLIER,
    notNear: NOT_YET,
    notBefore: OTHER_SUBJECT,
    example: "the reverse split that was scheduled for May 4 will no longer take place",
  },
  {
    name: "company postpones the split",
    category: "postponed",
    noun: SPLIT,
    before: new RegExp(String.raw`\b${POSTPONE}${WORDS_BEFORE_SPLIT}`, "i"),
    notNear: ONLY_A_PROPOSAL,
    example: "Harbor Mills postpones the effective date of its reverse stock split",
  },
  {
    name: "company extends the plan of the split",
    category: "postponed",
    noun: SPLIT,
    before: new RegExp(
      String.raw`\bextension (?:of|to)(?: the| its| our)? (?:plans?|planned|scheduled|previously announced)${WORDS_BEFORE_SPLIT}`,
      "i",
    ),
    example: "Harbor Mills announces an extension of its plan to implement its reverse stock split",
  },
  {
    name: "split is postponed",
    category: "postponed",
    noun: SPLIT,
    after: new RegExp(`${UP_TO_VERB} (?:has|have|is|was) (?:now |also |been |being |hereby ){0,2}${POSTPONED}`, "i"),
    notBefore: OTHER_SUBJECT,
    example: "the reverse split scheduled for May 4 has been delayed until further notice",
  },
  {
    name: "heading: split postponed",
    category: "postponed",
    noun: SPLIT,
    after: new RegExp(`^ ${POSTPONED}(?: (?:until|to) [^.;]{0,60})?$`, "i"),
    notBefore: OTHER_SUBJECT,
    example: "Reverse Stock Split Delayed to June 9",
  },
  {
    name: "split will be postponed",
    category: "postponed",
    noun: SPLIT,
    after: new RegExp(`${UP_TO_VERB} will be ${POSTPONED}`, "i"),
    notBefore: OTHER_SUBJECT,
    example: "the reverse split will be postponed",
  },
];

/** Marks a possibility or a risk factor. */
const HYPOTHETICAL = new RegExp(
  String.raw`\b(?:${MAY_VERB}|might|could|can|would|if|unless|right to|discretion|authority|reserves?|in the event|risks?|assurance|whether|until such|subject to|includ(?:e|es|ing)|factors?)\b`,
  "i",
);

const WITHDRAWAL = "(?:cancell?ation|postponement|deferral|delay|suspension|abandonment|withdrawal|termination)";
const WITHDRAW = "(?:cancel|postpone|delay|defer|suspend|abandon|not (?:to )?proceed)";
const UNDO =
  "(?:withdraw|withdraws|withdrew|withdrawn|withdrawing|rescind|rescinds|rescinded|rescinding|revoke|revokes|revoked|retract|retracts|retracted|reverse|reverses|reversed|void|voids|voided)";
const SPLIT_WORD = String.raw`\b(?:reverse|split|consolidation|combination|ratio)\b`;

/**
 * Statements that reinstate a withdrawn split. `corrects`: the withdrawal was an error or is undone, so sentences that
 * state it don't count. `proceeds`: the split takes place as announced.
 */
export const REINSTATEMENT_RULES: readonly Classified<TextRule, "corrects" | "proceeds">[] = [
  {
    name: "withdraws the cancellation",
    category: "corrects",
    pattern: new RegExp(
      String.raw`\b${UNDO}(?: (?:its|the|that|this|our|prior|earlier|recent|previously|announced|announcement|notice|decision|of|to|not|company's|board's)){0,8} (?:${WITHDRAWAL}|${WITHDRAW})\b[^.;]{0,80}?${SPLIT_WORD}`,
      "i",
    ),
    example: "Harbor Mills has withdrawn the cancellation of its reverse stock split",
  },
  {
    name: "cancelled in error",
    category: "corrects",
    pattern: new RegExp(
      String.raw`\b${WITHDRAWAL}\b[^.;]{0,80}?${SPLIT_WORD}(?:(?!, (?:and|but|the|its|an?|our|this) )[^.;]){0,120}? (?:in error|by mistake|erroneous|erroneously|inadvertently|(?:is|was|has been) (?:hereby )?(?:withdrawn|rescinded|retracted))\b`,
      "i",
    ),
    example: "the previously announced cancellation of the reverse split was issued in error",
  },
  {
    name: "reinstates the split",
    category: "corrects",
    pattern:
      /\breinstat(?:e|es|ed|ing)(?: (?:its|the|our|previously|announced|planned|proposed|cancell?ed|postponed|abandoned|withdrawn|suspended|\d[\d.,]*-for-\d[\d.,]*|one-for-[a-z-]+)){0,8} (?:reverse|share consolidation|consolidation)\b/i,
    example: "Harbor Mills reinstates its previously cancelled reverse stock split",
  },
  {
    name: "proceeds as announced",
    category: "proceeds",
    pattern: new RegExp(
      String.raw`${SPLIT_WORD}[^.;]{0,40}? will (?:now |still )?(?:proceed|go ahead|go forward|move forward|take place|take effect|occur|be (?:effected|implemented)) (?:as|on the (?:date|schedule)) (?:originally |previously |initially |first )?(?:announced|scheduled|planned)\b`,
      "i",
    ),
    example: "the reverse stock split will proceed as originally announced",
  },
];

/** Text before a reinstatement that is planned, refused or past: `plans to reinstate`, `after reinstating`. */
const NOT_DONE_BEFORE =
  /\b(?:plans?|intend(?:s|ed|ing)?|hopes?|propos(?:es?|ed|ing)|asks?|asked|seeks?|seeking|requests?|requested|demand(?:s|ed)?|considers?|considering|approval|refus(?:es?|ed)|declin(?:es?|ed)|fail(?:s|ed)|unlikely|den(?:y|ies|ied))\b[^.;,]{0,80}$|\b(?:following|after|despite|upon) (?:\S+ ){0,2}$/i;

/** Length of the text before a match in which a negation or `NOT_DONE_BEFORE` applies, in characters. */
const CONTEXT_BEFORE = 160;

/** Fast check: every name of a split that can be withdrawn contains one of these. */
const SPLIT_HINT = /revers|consolid|combin|roll|split|ratio/i;

/** A withdrawal that the sentence denies: `denies the cancellation of its split`, `has not cancelled its split`. */
const DENIED_WITHDRAWAL = new RegExp(
  String.raw`\b(?:den(?:y|ies|ied|ying)|refut(?:es?|ed|ing))\b[^.;]{0,80}?\b(?:${CANCEL}|${POSTPONE})\b|\b(?:has|have|had|is|are|was|were|did|does)(?: not|n't) (?:been |being )?(?:${CANCEL}|${POSTPONE})\b`,
  "i",
);

export interface WithdrawalResult {
  readonly kind: "postponed" | "cancelled";
  readonly sentence: Sentence;
}

/** Finds the sentence in which a release postpones or cancels its own reverse split. */
export function findWithdrawal(sentences: readonly Sentence[]): WithdrawalResult | undefined {
  for (const sentence of leadSentences(sentences)) {
    if (!SPLIT_HINT.test(sentence.plain) || HYPOTHETICAL.test(sentence.plain)) continue;
    if (FALSE_REPORT.test(sentence.plain) || DENIED_WITHDRAWAL.test(sentence.plain)) continue;
    const rule = findMatchingRule(WITHDRAWAL_RULES, sentence.plain);
    if (rule) return { kind: rule.category, sentence };
  }
  return undefined;
}

/** Whether a sentence reinstates a withdrawn split. */
export function isReinstatement(sentence: string): boolean {
  return classifyReinstatement(sentence.replace(/\s+/g, " ")) !== undefined;
}

interface ReinstatementResult {
  readonly category: "corrects" | "proceeds";
  readonly sentence: Sentence;
}

/** Finds the sentence in which a release reinstates its split, preferably one that `corrects`. */
export function findReinstatement(sentences: readonly Sentence[]): ReinstatementResult | undefined {
  const reinstatements = leadSentences(sentences).flatMap((sentence): ReinstatementResult[] => {
    const category = classifyReinstatement(sentence.plain);
    return category === undefined ? [] : [{ category, sentence }];
  });
  return reinstatements.find(({ category }) => category === "corrects") ?? reinstatements[0];
}

function classifyReinstatement(plain: string): ReinstatementResult["category"] | undefined {
  if (HYPOTHETICAL.test(plain)) return undefined;
  return REINSTATEMENT_RULES.find(({ pattern }) => isAsserted(plain, pattern.exec(plain)?.index))?.category;
}

function isAsserted(plain: string, at: number | undefined): boolean {
  if (at === undefined || isNegated(plain, at)) return false;
  return !NOT_DONE_BEFORE.test(plain.slice(Math.max(0, at - CONTEXT_BEFORE), at));
}
