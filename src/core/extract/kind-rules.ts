import { loose, MAY, type NounRule } from "./rules.ts";
import { ADS_RATIO, NEW_BASIS, RATIO, REVERSE, REVERSE_OR_DEFINED } from "./split-words.ts";

/** What makes a sentence on a split less than news of it. */
export const CONDITIONAL = new RegExp(
  String.raw`\b(?:if|${MAY}|might|could|would|whether|unless|potential(?:ly)?|possibl[ey]|consider(?:s|ed|ing|ation)?|contemplat\w+|propos(?:e|es|ed|al|als|ing)|seek(?:s|ing)?|intend(?:s|ed)?|intention|plans? to|must|required? to|to be determined|discretion|hypothetical)\b`,
  "i",
);

/** The split waits for somebody, or is a step of something larger. */
export const DEPENDENT = loose(
  "subject to [^.;]{0,60}?(?:(?:share|stock)holder|closing|completion)|(?:prior to|upon|concurrent(?:ly)? with|in connection with) (?:the )?(?:closing|completion)|under the terms of the agreement|takeover|amalgamation|qualifying transaction|letter of intent|proposed transaction",
);

/** Nothing is decided yet: narrower than `CONDITIONAL`, for a proposal is what an approval approves. */
export const UNDECIDED = new RegExp(
  String.raw`\b(?:if|${MAY}|might|could|whether|consider(?:s|ed|ing|ation)?|potential(?:ly)?|possibl[ey]|necessary)\b`,
  "i",
);

export const DENIED: NounRule<"denied"> = {
  name: "denied",
  says: "denied",
  noun: REVERSE,
  before: /\b(?:no|not|without|never|nor|neither|none)\b(?! (?:later|less|more|only))[^.;,]{0,70}$/i,
  example: "Harbor Mills has no plans for a reverse stock split",
};

/** Sentences that see a split ahead, or on this very day. */
export const AHEAD: readonly NounRule<"reverse_split">[] = [
  {
    name: "will trade on the new basis",
    says: "reverse_split",
    noun: NEW_BASIS,
    before:
      /\b(?:(?:will|shall|expects?|expected|scheduled|set|anticipate[sd]?)\b.*\b(?:trad|begin|commence|open|start|quot|list)|begins|commences)/i,
    unless:
      /\b(?:had|was|were|have) (?:been )?(?:expected|scheduled|set|to)\b|\b(?:will|shall) (?:not|no longer) (?:begin|commence|trade|start|open)\b/i,
    example: "The shares are expected to open on a split-adjusted basis on May 4",
  },
  {
    name: "the new basis begins",
    says: "reverse_split",
    noun: NEW_BASIS,
    after: loose("(?:(?:is|are) expected to|will|shall) (?:commence|begin|start|occur|take effect)"),
    example: "Trading on a post-Consolidation basis is expected to commence on May 4",
  },
  {
    name: "will be effective",
    says: "reverse_split",
    noun: REVERSE_OR_DEFINED,
    after: loose(
      "^[^.;]{0,90}? (?:will|shall|(?:is|are) (?:currently )?(?:expected|scheduled|anticipated|set) to|is to) (?:be |become |take |go |automatically )?(?:effect|in effect|legally effect|implemented|completed|occur)",
    ),
    example: "The reverse stock split will become effective on May 1",
  },
  {
    name: "is effective today",
    says: "reverse_split",
    noun: REVERSE_OR_DEFINED,
    after: loose("(?:made|is|are|becomes?|becoming|takes?|took|became|was) effect[^.;]{0,60}?(?:today|this morning)"),
    example: "the share consolidation became effective today",
  },
  {
    name: "will effect",
    says: "reverse_split",
    noun: REVERSE,
    before: loose(
      "(?:will|has resolved to|has decided to|has elected to|has determined to|is|are) (?:be )?(?:effect|implement|complet|execut|proceed|undertak|conduct|carry|perform)(?:ing|e)?(?: with| out)?(?: a| an| the| its)?[^.;]{0,80}$",
    ),
    near: RATIO,
    example: "Harbor Mills will implement a 1-for-30 reverse share split",
  },
  {
    name: "will consolidate",
    says: "reverse_split",
    noun: REVERSE,
    before: loose("(?:will|to) (?:be )?$"),
    near: RATIO,
    example: "The Company will consolidate its common shares on the basis of one new for six old",
  },
];

/** A split that the text announces, with its ratio. */
export const ANNOUNCED: NounRule<"reverse_split"> = {
  name: "announces a ratio",
  says: "reverse_split",
  noun: REVERSE,
  before: /\b(?:announc(?:es|ed|ing)|pleased to report|reports?(?: today)? that)\b/i,
  near: RATIO,
  example: "Harbor Mills today announced a reverse split of its shares at a ratio of 1-for-30",
};

/** A heading that names a reverse split announces it, unless one of these stands in it too. */
export const HEADING_OF_ANOTHER_KIND = new RegExp(
  String.raw`\b(?:no|not|without|approv\w*|authori[sz]\w*|vot\w+|meeting|proxy|propos\w+|intend\w*|intention|plan(?:s|ned|ning)?|potential|consider\w*|seek\w*|range|regain(?:s|ed)|following|after|discuss\w*|results?|record date|up to|maximum|if|${MAY}|might|could|letter of intent)\b`,
  "i",
);

export const APPROVAL: readonly NounRule<"approval_only">[] = [
  {
    name: "approved before",
    says: "approval_only",
    noun: REVERSE,
    before: /\b(?:approv|authori[sz]|adopt|ratif)/i,
    example: "Stockholders approved an amendment to effect a reverse stock split",
  },
  {
    name: "approved after",
    says: "approval_only",
    noun: REVERSE_OR_DEFINED,
    after: /\b(?:approv|authori[sz]|adopted|ratif)/i,
    example: "The reverse stock split was approved by the holders",
  },
  {
    name: "put to the vote",
    says: "approval_only",
    noun: REVERSE,
    near: /\b(?:proposals?|vot(?:e|es|ed|ing)|special meeting|proxy)\b/i,
    example: "a special meeting to vote on the reverse split",
  },
];

/** A change of how many shares stand behind one depositary share, announced. */
export const ADS_CHANGE: readonly NounRule<"ads_ratio_change">[] = [
  {
    name: "changes the ratio",
    says: "ads_ratio_change",
    noun: ADS_RATIO,
    near: /\b(?:announc\w*|will|plans? to|effective|to change|chang(?:e|es|ed|ing)|from)\b/i,
    unlessBefore: /\b(?:recent|following|after|previous|reflects?|adjusted for|effect (?:to|of)|since)\b/i,
    example: "Tide Labs announces a change of its ADS to ordinary share ratio",
  },
];

/** A split that is over, told in other news. */
export const COMPLETED: readonly NounRule<"completed_past">[] = [
  {
    name: "done",
    says: "completed_past",
    noun: REVERSE,
    before:
      /\b(?:effected|completed|implemented|executed|announced|conducted|underwent|recent(?:ly)?|following|previous(?:ly)?|after|since|prior|reflects?|adjusted for|effect (?:to|of|for)|due to|as a result of|that (?:the|our|its))\b/i,
    example: "since our reverse split of last autumn",
  },
  {
    name: "was effective",
    says: "completed_past",
    noun: REVERSE,
    after: /\b(?:was|were|became|took|has been|had been|retroactive(?:ly)?)\b/i,
    example: "the 1-for-30 reverse stock split was effected in March",
  },
];

/** A notice that a listing rule is not met. */
export const DEFICIENCY_HEADING =
  /\b(?:notices?|notifications?|letter(?! of intent)|determination|delinquen\w+|deficien\w+|non-?compliance|extension|180[- ]day|(?:compliance|grace|cure) period|hearings? panel|delist\w*)\b/i;
export const LISTING_WORDS = /nasdaq|nyse|listing|listed|bid price|exchange|tsx/i;
export const DEFICIENCY_TEXT =
  /\breceiv\w*\b[^.;]{0,80}?\b(?:notices?|notification|letter|determination)\b[^.;]{0,200}?(?:not in compliance|non-?compliance|minimum bid|deficien|delist|below \$1)/i;
export const REGAINED = /\b(?:regain(?:s|ed)|back in)\b[^.;]{0,60}complian/i;
