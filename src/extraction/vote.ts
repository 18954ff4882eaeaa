import type { Sentence } from "./sentences.ts";
import { namesReverseSplit } from "./split-patterns.ts";
import { isNegated, MAY_VERB, type TextRule } from "./text-rule.ts";

const HOLDERS = "(?:(?:(?:stock|share|unit|security)?holders?)|investors|members)";

/** Words for a vote. Something else than a split may fail, too. */
const VOTE = new RegExp(
  String.raw`\b(?:${HOLDERS}|vot(?:e|es|ed|ing)|proposals?|resolutions?|meeting|majority|quorum|proxies|amendment)\b`,
  "i",
);

const DID_NOT = "(?:did|do|does|has|have|had|was|were)(?: not|n't)(?: been)?";
const OUTCOME = "(?:votes?|approvals?|majority|support|quorum|consents?)";

/** Results of a vote that did not pass. */
export const FAILED_VOTE_RULES: readonly TextRule[] = [
  {
    name: "did not receive the votes",
    pattern: new RegExp(
      String.raw`\b${DID_NOT} (?:receive|received|obtain|obtained|reach|reached|achieve|attain|secure|garner|get|win|meet|met)\b[^.;]{0,60}?\b${OUTCOME}\b`,
      "i",
    ),
    example: "the proposal to effect a reverse stock split did not receive the required vote",
  },
  {
    name: "did not pass",
    pattern: new RegExp(
      String.raw`\b${DID_NOT} (?:pass|passed|carry|carried|approve|approved|adopt|adopted|ratify|ratified)\b(?! (?:nor|or) disapproved)`,
      "i",
    ),
    example: "shareholders did not approve the share consolidation",
  },
  {
    name: "not adopted",
    pattern: /(?:^|[:;,(-] ?)not (?:passed|carried|approved|adopted|ratified)\b/i,
    example: "Proposal 2, the reverse stock split: not adopted",
  },
  {
    name: "failed to pass",
    pattern: new RegExp(
      String.raw`\bfail(?:s|ed|ing)? to (?:pass|carry|approve|adopt|be (?:approved|adopted|passed|carried)|[a-z]+ [^.;]{0,60}?\b${OUTCOME}\b)`,
      "i",
    ),
    example: "the reverse stock split proposal failed to obtain the required majority",
  },
  {
    name: "fell short of a majority",
    pattern: /\b(?:f[ae]ll|falls|fallen|falling|came) short\b/i,
    example: "the reverse split was approved by a majority but fell short of two thirds of the votes",
  },
  {
    name: "the votes were not reached",
    pattern: new RegExp(
      String.raw`\b${OUTCOME}\b[^.;]{0,60}? (?:was|were|has|have)(?: not|n't) (?:been )?(?:reached|obtained|received|achieved|attained|met|cast)\b`,
      "i",
    ),
    example: "the requisite vote for the reverse split was not reached",
  },
  {
    name: "too few votes",
    pattern:
      /\b(?:insufficient|not enough|too few|lack(?:s|ed|ing)?(?: of)?(?: a| the| enough| sufficient| required| necessary){0,2}) (?:votes?|support)\b/i,
    example: "the reverse split received insufficient votes",
  },
  {
    name: "holders rejected it",
    pattern: new RegExp(
      String.raw`\b${HOLDERS}(?: have| has)? (?:reject(?:s|ed)?|defeat(?:s|ed)?|vot(?:e|es|ed) (?:down|against)|turn(?:s|ed)? down|declin(?:e|es|ed) to approve)\b`,
      "i",
    ),
    example: "holders rejected the proposed reverse stock split",
  },
  {
    name: "it was rejected",
    pattern: /\b(?:was|were|been) (?:rejected|defeated|voted down|turned down)\b/i,
    example: "the resolution on the share consolidation was defeated at the meeting",
  },
];

/** Meetings that were adjourned or postponed before the vote. */
export const ADJOURNMENT_RULES: readonly TextRule[] = [
  {
    name: "meeting was adjourned",
    pattern:
      /(?<!\b(?:had been|previously|originally) )\b(?:adjourn(?:s|ing)\b|adjourned\b(?! (?:annual|special|extraordinary|general|meeting)))/i,
    example: "the special meeting on the reverse split was adjourned to May 26, 2026",
  },
  {
    name: "decision to adjourn the meeting",
    pattern:
      /(?<!\b(?:proposal|proposals|sought|seeks|motion|vote|authority|authorized|approval|necessary,?|power|right) )\b(?:to|and|then) adjourn\b(?![^.;]{0,80}\bif\b)/i,
    example: "Harbor Mills decided to adjourn the meeting on the reverse split to May 26, 2026",
  },
  {
    name: "meeting will reconvene",
    pattern: /\b(?:will|to|shall) (?:be )?reconvened?\b/i,
    example: "the meeting on the reverse split will reconvene on May 26, 2026",
  },
  {
    name: "meeting was postponed",
    pattern:
      /\bmeeting\b[^.;]{0,80}\b(?:has|have|is|was) (?:now |also )?(?:been |being )?(?:postponed|rescheduled|deferred|moved|cancell?ed)\b|\b(?:postpon(?:es|ed|ing)|reschedul(?:es|ed|ing)|postponement of) (?:its |the |our |this )?(?:[\w-]+ ){0,4}meeting\b/i,
    example: "its special meeting has been postponed until the holders have read the proxy on the reverse split",
  },
];

const APPROVE = String.raw`\b(?:approv|vot|consider|authori[sz]|adopt|pass|ratif)`;
const APPROVAL = "(?:approval|authori[sz]ation|consent|vote|resolution)";
const BY_HOLDERS = String.raw`(?:of|by|from) (?:its |the |our )?(?:[\w'-]+ ){0,2}${HOLDERS}`;
const HOLDERS_APPROVAL = String.raw`(?:${HOLDERS}'? ${APPROVAL}|${APPROVAL} ${BY_HOLDERS})\b`;

/** Votes that are still to come. */
export const PENDING_VOTE_RULES: readonly TextRule[] = [
  {
    name: "will be put to a vote",
    pattern: new RegExp(
      String.raw`\b(?:will|is to|are to|to|must|shall) (?:also )?be (?:(?:put|submitted|presented) (?:to|for)|(?:put|presented|proposed|considered|voted on?) (?:at|by))\b[^.;]{0,40}\b(?:votes?|${HOLDERS}|meeting|approval)\b`,
      "i",
    ),
    example: "The consolidation will be put to a vote at the annual meeting",
  },
  {
    name: "holders will be asked",
    pattern: new RegExp(
      String.raw`\b(?:ask(?:s|ing)?|urg(?:es|ing)|encourag(?:es|ing)|request(?:s|ing)?|invit(?:es|ing)) (?:its |our |the |all )?(?:[\w']+ )?${HOLDERS}\b[^.;]{0,80}?${APPROVE}|\b${HOLDERS} (?:will|are|is|are being) (?:be )?(?:asked|invited|requested)\b[^.;]{0,60}?${APPROVE}|\brecommend(?:s|ed|ing)? (?:that )?(?:its |our |the |all )?(?:[\w']+ )?${HOLDERS} (?:to )?vote (?:for|in favou?r)\b`,
      "i",
    ),
    example: "Harbor Mills asks its stockholders to approve the reverse split",
  },
  {
    name: "approval will be sought",
    pattern: new RegExp(
      String.raw`\b${HOLDERS_APPROVAL}[^.;]{0,40}\b(?:will be|is to be|must be|shall be|is being|is) (?:sought|obtained|requested|required|needed)\b`,
      "i",
    ),
    example: "Shareholder approval of the consolidation will be sought at the meeting",
  },
  {
    name: "seeks approval",
    pattern: new RegExp(
      String.raw`\b(?:seek(?:s|ing)?|solicit(?:s|ing)?|request(?:s|ing)?|obtain(?:ing)?) (?:the |its )?${HOLDERS_APPROVAL}`,
      "i",
    ),
    example: "Harbor Mills will seek stockholder approval of the reverse split",
  },
  {
    name: "subject to approval",
    pattern: new RegExp(
      String.raw`\b(?:subject to|requires?|pending|awaiting|awaits|(?:conditional|conditioned|contingent) (?:up)?on)\b[^.;]{0,60}?\b${HOLDERS_APPROVAL}`,
      "i",
    ),
    example: "The consolidation remains subject to approval by the shareholders",
  },
  {
    name: "if holders approve",
    pattern: new RegExp(
      String.raw`\b(?:if|once|when|provided that|should) (?:the |its |our )?${HOLDERS} (?:approve|vote)\b|\b(?:if|once|when) (?:it is )?approved by (?:the |its |our )?${HOLDERS}\b`,
      "i",
    ),
    example: "The reverse split will be effective if stockholders approve it",
  },
];

/** Holders' approval that was obtained. */
const OBTAINED = new RegExp(
  String.raw`\b${HOLDERS}\b[^.;]{0,60}\b(?:approved|authori[sz]ed|adopted|voted (?:in favou?r|for|to approve)|passed)\b|\b(?:approved|authori[sz]ed|adopted|passed)\b[^.;]{0,60}\b${HOLDERS}\b|\b${HOLDERS}'? approval\b[^.;]{0,30}\b(?:was|were|has been|have been) (?:obtained|received|given|granted)\b|\b(?:received|obtained|having obtained) (?:[\w']+ )?(?:${HOLDERS}'? )?approval\b|\b(?:was|were|been) (?:(?:all|each|duly|validly|unanimously) ){0,2}(?:passed|carried)\b`,
  "i",
);

/** Matter of a meeting other than a split, and a numbered proposal, in a sentence that names no split. */
const OTHER_MATTER =
  /\b(?:proposal (?:no\. ?)?\d|directors?(?! of the)|auditors?|accounting firm|equity|incentive|(?:stock|share) option|plan|name change|authorized shares|say-on-pay|compensation|merger|reincorporat\w+|acquisition|issuance)\b/i;

const PROPOSAL_NUMBER = /\bproposal (?:no\. ?|number )?(\d{1,2})\b/i;

const CONDITION_BEFORE = new RegExp(
  String.raw`\b(?:if|unless|whether|should|would|could|${MAY_VERB}|might|in the event|to the extent|in case|until|assuming|risks?)\b[^.;]{0,140}$`,
  "i",
);
const CONDITION_DISTANCE = 160;
const MAX_ANSWER_LENGTH = 40;

/** Sentences that state a vote on a split. */
export interface Votes {
  readonly failed: readonly Sentence[];
  readonly adjourned: readonly Sentence[];
  readonly pending: readonly Sentence[];
  /** Whether a sentence says that the holders approved the split. */
  readonly isApproved: boolean;
}

/** Finds what a text says about votes on its split. */
export function findVotes(sentences: readonly Sentence[]): Votes {
  const concerning = sentences.filter((sentence, index) => concernsSplit(sentence, sentences[index - 1]));
  const failed = concerning.filter(
    ({ plain }, index) => asserts(FAILED_VOTE_RULES, plain) && isAboutVote(plain, concerning[index - 1]),
  );
  const others = concerning.filter((sentence) => !failed.includes(sentence));
  return {
    failed,
    adjourned: findAdjournments(sentences),
    pending: others.filter(({ plain }) => PENDING_VOTE_RULES.some(({ pattern }) => isAffirmed(plain, pattern))),
    isApproved: others.some(({ plain }) => isObtained(plain)),
  };
}

function isObtained(plain: string): boolean {
  return isAffirmed(plain, OBTAINED) && !CONDITION_BEFORE.test(plain.slice(0, plain.search(OBTAINED)));
}

function isAffirmed(plain: string, pattern: RegExp): boolean {
  const at = plain.search(pattern);
  return at >= 0 && !isNegated(plain, at);
}

/** Whether a sentence, or a short answer to the one before it (`Not adopted.`), is about a vote. */
function isAboutVote(plain: string, previous: Sentence | undefined): boolean {
  return VOTE.test(plain) || (plain.length < MAX_ANSWER_LENGTH && VOTE.test(previous?.plain ?? ""));
}

/** A meeting is adjourned for the split if its sentence, or one beside it, names the split and it names no other matter. */
function findAdjournments(sentences: readonly Sentence[]): readonly Sentence[] {
  const namesSplitAt = sentences.map(({ plain }) => namesReverseSplit(plain));
  return sentences.filter(({ plain, inHeading }, index) => {
    if (!asserts(ADJOURNMENT_RULES, plain)) return false;
    if (namesSplitAt[index]) return true;
    const isBeside = inHeading || namesSplitAt[index - 1] || namesSplitAt[index + 1];
    return isBeside === true && namesSplitAt.includes(true) && !OTHER_MATTER.test(plain);
  });
}

/** Whether a sentence names the split, or follows one that does and names no other matter. */
function concernsSplit({ plain, inHeading }: Sentence, previous: Sentence | undefined): boolean {
  if (namesReverseSplit(plain)) return true;
  if (previous === undefined || previous.inHeading !== inHeading) return false;
  return namesReverseSplit(previous.plain) && (!OTHER_MATTER.test(plain) || isSameProposal(plain, previous.plain));
}

/** `Proposal 3 (reverse split): … Proposal 3 was not approved.` */
function isSameProposal(plain: string, previous: string): boolean {
  const [, number] = PROPOSAL_NUMBER.exec(plain) ?? [];
  return number !== undefined && PROPOSAL_NUMBER.exec(previous)?.[1] === number;
}

function asserts(rules: readonly TextRule[], plain: string): boolean {
  return rules.some(({ pattern }) => {
    const at = plain.search(pattern);
    return at >= 0 && !CONDITION_BEFORE.test(plain.slice(Math.max(0, at - CONDITION_DISTANCE), at));
  });
}

/** Removes the sentences about a split that the holders refused, so that its terms don't mix with those of another split. */
export function withoutFailedVotes(sentences: readonly Sentence[]): readonly Sentence[] {
  const { failed } = findVotes(sentences);
  if (failed.length === 0) return sentences;
  return sentences.filter((sentence, index) => {
    const next = sentences[index + 1];
    const isRefused = next !== undefined && failed.includes(next) && !namesReverseSplit(next.plain);
    return !failed.includes(sentence) && !isRefused;
  });
}
