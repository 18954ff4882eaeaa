import { REVERSE_OR_DEFINED_TERM } from "./split-patterns.ts";
import { MAY_VERB, type NounRule } from "./text-rule.ts";

/** A reverse split, or what it is for depositary shares. */
const SPLIT = new RegExp(
  `${REVERSE_OR_DEFINED_TERM.source}|(?:ADS |ADR )?ratio change|change (?:in|of|to) (?:the |its )?[^.;]{0,60}?\\b(?:ADSs?|ADRs?|depositary)\\b[^.;]{0,60}?ratio`,
  "gi",
);

/** Between the verb and the split only words that belong to the split: nothing else is called off. */
const ITS = String.raw`(?: (?:the|its|our|this|that|such|a|an|all|any|of|for|in|to|with|company's|fund's|previously|earlier|announced|planned|proposed|pending|scheduled|upcoming|intended|implementation|effectiveness|effective|date|timing|plans?|effect|implement|effecting|implementing|proceed|proceeding|complete|pursue|board's|decision|common|ordinary|\d[\d.,]*|one|for|\d[\d.,]*-for-\d[\d.,]*|one-for-[a-z-]+|\d+:\d+)){0,14} "?$`;

const CANCEL =
  "(?:cancel|cancels|cancell?ed|cancell?ing|abandon|abandons|abandoned|abandoning|withdraw|withdraws|withdrew|withdrawn|withdrawing|rescind|rescinds|rescinded|rescinding|revoke|revokes|revoked|terminate|terminates|terminated|terminating|call off|calls off|called off|calling off|scrap|scraps|scrapped|halt|halts|halted|shelve|shelves|shelved|drops|dropped|cancell?ation|abandonment|withdrawal|rescission|termination)";
const CANCELLED = "(?:cancell?ed|abandoned|withdrawn|rescinded|revoked|terminated|called off|scrapped)";
const POSTPONE =
  "(?:reschedule|reschedules|rescheduled|rescheduling|push back|pushes back|pushed back|postpone|postpones|postponed|postponing|delay|delays|delayed|delaying|defer|defers|deferred|deferring|suspend|suspends|suspended|suspending|put on hold|puts on hold|postponement|deferral|pause|pauses|paused)";
const POSTPONED = "(?:postponed|rescheduled|delayed|deferred|suspended|put on hold|pushed back|paused)";

const DO =
  "(?:proceed|proceeding|effect|effecting|implement|implementing|pursue|pursuing|complete|completing|carry out|carrying out|undertake|undertaking|go ahead|going ahead|move forward|moving forward)";
const HAPPEN =
  "(?:proceed|be proceeding|go ahead|occur|take place|take effect|become effective|be (?:implemented|effected|completed))";

/** It had been announced: a company that never meant to split has nothing to cancel. */
const EARLIER =
  /\b(?:previously|originally|earlier|no longer|(?:had been|was|that it|which it) announced|had been (?:expected|scheduled|set)|was (?:to|expected|scheduled|set))\b/i;
/** `will not take effect until …`, `… not on May 4 but on May 11`: it will, at its time. */
const NOT_YET = /\b(?:until|unless|before|prior to|but on)\b/i;

/** Up to the verb: nothing, a bracket, or a clause on the split itself. Any other words could bring a subject of their own. */
const UP_TO_VERB = String.raw`^(?: of [^,.;]{0,70}?)?(?: \([^).;]{0,40}\))?(?:,? \(?(?:which|that|previously|originally|initially|announced|scheduled|planned|set|expected|due|at|effective|first)\b(?:(?!meeting|certificate|agreement|offering|fraction|warrant|vote|proposal)[^.;]){0,90}?)?,?`;

/** `withdraws the reverse split proposal`: what was only proposed is no split yet. */
const ONLY_A_PROPOSAL = /^ ?(?:proposals?|amendments?|resolutions?|votes?|meetings?|authorit)/i;

/** What else is cancelled and postponed, where it stands before the split: `the meeting on the reverse split has been postponed`. */
const ANOTHER_THING =
  /(?:meeting|vote|hearing|proposal|resolution|certificates?|shares|fractions?|agreement|offering|financing|merger|acquisition|webcast|warrants?|options?|notes?)\b[^.;]{0,90}$/i;

/**
 * A wrong `cancelled` tells people that a split is off which is not, so these ask for the plain words only: said as a
 * fact, of this split, and (see `called-off.ts`) where a release says its news.
 */
export const WITHDRAWAL_RULES: readonly NounRule<"postponed" | "cancelled">[] = [
  {
    name: "cancels the split",
    category: "cancelled",
    noun: SPLIT,
    before: new RegExp(String.raw`\b${CANCEL}${ITS}`, "i"),
    notNear: ONLY_A_PROPOSAL,
    example: "Harbor Mills has cancelled its previously announced 1-for-30 reverse stock split",
  },
  {
    name: "the split is cancelled",
    category: "cancelled",
    noun: SPLIT,
    after: new RegExp(`${UP_TO_VERB} (?:has|have|is|was) (?:now |also |been |being |hereby ){0,2}${CANCELLED}`, "i"),
    notBefore: ANOTHER_THING,
    example: "the share consolidation set for May 4 has been withdrawn",
  },
  {
    name: "cancelled, in a heading",
    category: "cancelled",
    noun: SPLIT,
    after: new RegExp(`^ ${CANCELLED}$`, "i"),
    notBefore: ANOTHER_THING,
    example: "Harbor Mills: Reverse Split Withdrawn",
  },
  {
    name: "decided against",
    category: "cancelled",
    noun: SPLIT,
    before: new RegExp(
      String.raw`\b(?:(?:decid|determin|elect|resolv)ed not to|(?:will|is|are) no longer) (?:be )?${DO}${ITS}`,
      "i",
    ),
    example: "The Board decided not to proceed with the reverse split",
  },
  {
    name: "not to go on with it",
    category: "cancelled",
    noun: SPLIT,
    before: new RegExp(
      String.raw`\bnot (?:to |be )?(?:proceed(?:ing)?|go(?:ing)? ahead|mov(?:e|ing) forward)${ITS}`,
      "i",
    ),
    notNear: NOT_YET,
    example: "Harbor Mills Not to Proceed with Reverse Split",
  },
  {
    name: "will not do it after all",
    category: "cancelled",
    noun: SPLIT,
    before: new RegExp(`\\b(?:will not|not to) (?:be )?${DO}${ITS}`, "i"),
    near: EARLIER,
    notNear: NOT_YET,
    example: "Harbor Mills will not go ahead with its previously announced reverse split",
  },
  {
    name: "will not happen",
    category: "cancelled",
    noun: SPLIT,
    after: new RegExp(`${UP_TO_VERB} will (?:not|no longer) ${HAPPEN}(?! on )`, "i"),
    near: EARLIER,
    notNear: NOT_YET,
    notBefore: ANOTHER_THING,
    example: "the reverse split that was scheduled for May 4 will no longer take place",
  },
  {
    name: "postpones the split",
    category: "postponed",
    noun: SPLIT,
    before: new RegExp(String.raw`\b${POSTPONE}${ITS}`, "i"),
    notNear: ONLY_A_PROPOSAL,
    example: "Harbor Mills postpones the effective date of its reverse stock split",
  },
  {
    name: "the split is postponed",
    category: "postponed",
    noun: SPLIT,
    after: new RegExp(`${UP_TO_VERB} (?:has|have|is|was) (?:now |also |been |being |hereby ){0,2}${POSTPONED}`, "i"),
    notBefore: ANOTHER_THING,
    example: "the reverse split scheduled for May 4 has been delayed until further notice",
  },
  {
    name: "postponed, in a heading",
    category: "postponed",
    noun: SPLIT,
    after: new RegExp(`^ ${POSTPONED}(?: (?:until|to) [^.;]{0,60})?$`, "i"),
    notBefore: ANOTHER_THING,
    example: "Reverse Stock Split Delayed to June 9",
  },
  {
    name: "will be postponed",
    category: "postponed",
    noun: SPLIT,
    after: new RegExp(`${UP_TO_VERB} will be ${POSTPONED}`, "i"),
    notBefore: ANOTHER_THING,
    example: "the reverse split will be postponed",
  },
];

/** Said as a possibility, or in the list of what could go wrong. */
export const HYPOTHETICAL = new RegExp(
  String.raw`\b(?:${MAY_VERB}|might|could|can|would|if|unless|right to|discretion|authority|reserves?|in the event|risks?|assurance|whether|until such|subject to|includ(?:e|es|ing)|factors?)\b`,
  "i",
);
