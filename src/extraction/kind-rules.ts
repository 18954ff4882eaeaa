import {
  ADJUSTED_BASIS,
  ADS_RATIO,
  COMBINES_SHARES,
  DEFINITE_RATIO,
  REVERSE_OR_DEFINED_TERM,
  REVERSE_SPLIT,
} from "./split-patterns.ts";
import { loosePattern, MAY_VERB, type NounRule } from "./text-rule.ts";

/** Marks a sentence in which a split is only possible, planned or required. */
export const CONDITIONAL = new RegExp(
  String.raw`\b(?:if(?! you\b)|${MAY_VERB}|might|could|would(?! be (?:worth |about )?\$)|whether|unless|potential(?:ly)?|possibl[ey]|consider(?:s|ed|ing|ation)?|contemplat\w+|propos(?:e|es|ed|al|als|ing)|seek(?:s|ing)?|intend(?:s|ed)?|intention|plans? to|must|required? to|to (?:decide|vote) on|to be determined|discretion|hypothetical)\b`,
  "i",
);

/** A plan that is carried out: `completed its previously proposed `. */
export const COMPLETED_PLAN =
  /\b((?:(?:has|have|had) )?(?:completed|effected|implemented|executed|carried out)|completes|announc\w+ (?:the )?completion of|(?:became|becomes|is now|takes) effective)(?: (?:its|the|our))? (?:previously )?(?:announced|proposed|planned|contemplated|intended|potential) /gi;

/** A plan with its day: `plans to implement the reverse split on May 4`. */
export const DATED_PLAN =
  /\b(?:plans?|intends?|is planning) to (?=(?!(?:hold|ask|seek|consider|propose|report|release|host|issue|sell|offer|file|submit|present|discuss|request)\b)[a-z]+\b(?:(?!\b(?:meeting|approv\w*|votes?|\w*holders?|subject|if|following|after|prior|before(?! the (?:market|open|start))|by)\b)[^.;]){0,200}\b(?:on|effective|from) (?:or (?:about|around) )?(?:[A-Z][a-z]+day,? )?(?:\d|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)))/gi;

/** A month, quarter or year in which a split took effect. */
export const IN_EARLIER_MONTH =
  /\b(?:[Ii]n|[Ss]ince|[Ll]ast|[Ee]arlier)(?: (?:early|mid|late))?[ -](?:(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\b(?! \d{1,2}\b)|(?:19|20)\d\d\b|(?:\w+ )?(?:quarter|year|month|spring|summer|autumn|fall|winter)\b)/;
/** Heading of a table or note of a financial statement. */
export const FINANCIAL_NOTE =
  /\b(?:\d+|three|six|nine|twelve) months ended\b|\b(?:fiscal )?years? ended\b|\bnotes? to (?:the )?(?:unaudited )?(?:condensed )?(?:consolidated )?financial statements\b/i;

/** A law firm, or the holders for whom it speaks. */
export const LAW_FIRM =
  /\b(?:law (?:firm|offices?)|law(?= (?:is|has|announces|reminds|urges|investigates)\b)|attorneys?|shareholder rights|class action|lead plaintiff|securities (?:fraud|litigation))\b/i;

/** What a law firm that looks for clients does or asks for. */
export const LOOKS_FOR_CLIENTS =
  /\binvestigat(?:es?|ing|ions?)\b|\bon behalf of (?:[\w.,&' -]{0,60} )?(?:investors|(?:share|stock)holders|purchasers)\b|\b(?:investors|(?:share|stock)holders|(?:those|anyone)) who (?:bought|purchased|acquired|suffered|lost)\b|\blead plaintiff\b|\bcontact the firm\b/i;

/** News of the day, in a text without its day. */
export const SAYS_TODAY =
  /\b(?:announced|said|reported|disclosed|revealed|confirmed) (?:today|yesterday)\b|\b(?:today|yesterday),? (?:announced|said|reported|disclosed|revealed|confirmed)\b/i;

export const TODAY = /\b(?:today|this morning)\b/i;

/** The split still requires approval by the shareholders. */
export const SUBJECT_TO_HOLDER_APPROVAL = loosePattern("subject to [^.;]{0,60}?(?:share|stock)holder");

/** The split is part of a larger transaction. */
export const PART_OF_TRANSACTION = loosePattern(
  "subject to [^.;]{0,60}?(?:closing|completion)|(?:prior to|upon|concurrent(?:ly)? with|in connection with) (?:the )?(?:closing|completion)|under the terms of the agreement|takeover|amalgamation|qualifying transaction|letter of intent|proposed transaction",
);

/** Marks an open decision. Narrower than `CONDITIONAL`, because a sentence about an approval may contain the word "proposal". */
export const UNDECIDED = new RegExp(
  String.raw`\b(?:if|${MAY_VERB}|might|could|whether|consider(?:s|ed|ing|ation)?|potential(?:ly)?|possibl[ey]|necessary)\b`,
  "i",
);

export const DENIAL_RULES: readonly NounRule[] = [
  {
    name: "no reverse split",
    noun: REVERSE_SPLIT,
    before: /(?:\b(?:no|not|without|never|nor|neither|none)\b|n't\b)(?! (?:later|less|more|only))[^.;,]{0,70}$/i,
    example: "Harbor Mills has no plans for a reverse stock split",
  },
  {
    name: "denies or avoids a reverse split",
    noun: REVERSE_SPLIT,
    before:
      /\b(?:den(?:y|ies|ied|ying)|rul(?:es?|ed|ing) out|refut(?:es?|ed|ing)|reject(?:s|ed)?|dispels?|avoid(?:s|ed|ing)?)\b[^.;,]{0,50}$/i,
    example: "Harbor Mills denies rumors of a reverse split",
  },
  {
    name: "a reverse split is not planned",
    noun: REVERSE_SPLIT,
    after:
      /^ (?:is|are|was) (?:not|neither)(?: currently| now)? (?:planned|intended|contemplated|considered|being|on the|needed|necessary|required|anticipated)/i,
    example: "A reverse split is not on the table",
  },
];

/** A report of a split that the text calls false. */
export const FALSE_REPORT =
  /\b(?:reports?|rumou?rs?|claims?|posts?|speculation|allegations?)\b[^.;]{0,160}\b(?:(?:is|are|was|were) (?:false|untrue|incorrect|inaccurate|unfounded|baseless|wrong|misleading|not true|without foundation)|ha(?:s|ve) no basis)\b|\b(?:den(?:y|ies|ied|ying)|refut(?:es?|ed|ing)|dispel(?:s|led)?|reject(?:s|ed)?) (?:the |all |any |recent |such |these )*(?:reports?|rumou?rs?|claims?|speculation|allegations?)\b/i;

/** What others than the issuer expect or claim: `analysts expect`, `posts on social media claimed that`. */
export const HEARSAY =
  /\b(?:analysts?|traders?|observers?|rumou?rs?|posts?|bloggers?|social media|message boards?|speculation)\b[^.;]{0,60}\b(?:expects?|believes?|believed|claim(?:s|ed)?|predict(?:s|ed)?|thinks?|says? that|suggest(?:s|ed)?|speculates?)\b/i;

/** Document that calls holders to a vote. */
export const MEETING_DOCUMENT =
  /\bnotice of (?:the |an? |its )?(?:\w+ ){0,4}meeting\b|\b(?:proxy statement|information circular|form of proxy)\b/i;

/** Title of a section or note that names a split and says nothing about it: `Note 8. Reverse Stock Split`. */
export const SECTION_TITLE = loosePattern(
  String.raw`^\W*note \d{1,2}\W[^.;]{0,160}$|^\W*(?:(?:note|item|section|part|exhibit) )?[\d.()a-z]{0,6}\W*(?:(?:the|a|our|and|effects? of|subsequent events?|(?:description|schedule|summary|details|table|list|history) of|(?:stock|share|unit) splits?|ads|ordinary|common|[12]\d{3})\W+){0,4}(?:reverse (?:(?:stock|share|ads) )?split|(?:share|stock) consolidation|(?:share|stock) combination|rollback|ratio change|change (?:in|of) (?:the )?ads ratio)s?\W*(?:\(\w+\)\W*)?$`,
);

export const RATIO_SET_RULE: NounRule = {
  name: "ratio has been set",
  noun: /\bratio\b/gi,
  before: /\b(?:fix(?:ed|es)?|sets?|selected|chose|chosen|finali[sz]ed|determined)\b[^.;]{0,60}$/i,
  after: loosePattern(`^[^.;]{0,60}?(?:${DEFINITE_RATIO.source})`),
  example: "The Board set a ratio of 1-for-30",
};

/** Wordings that announce an upcoming split, or one that takes effect today. */
export const UPCOMING_RULES: readonly NounRule[] = [
  {
    name: "will trade on the adjusted basis",
    noun: ADJUSTED_BASIS,
    before:
      /\b(?:(?:will|shall|expects?|expected|scheduled|set|slated|due|anticipate[sd]?)\b.*\b(?:trad|begin|commence|open|start|quot|list)|begins|commences|(?:begin|commence|starts?) trading)/i,
    notNear:
      /\b(?:had|was|were|have) (?:been )?(?:expected|scheduled|set|slated|due|to)\b|\b(?:will|shall) (?:not|no longer) (?:begin|commence|trade|start|open)\b|\bdate to be (?:announced|determined|set|fixed)\b/i,
    example: "The shares are expected to open on a split-adjusted basis on May 4",
  },
  {
    name: "adjusted trading will begin",
    noun: ADJUSTED_BASIS,
    after: loosePattern(
      "(?:(?:is|are) (?:expected|scheduled|set|slated|due) to|will|shall) (?:commence|begin|start|occur|take effect)|^(?: basis)? (?:begins|commences|starts) ",
    ),
    example: "Trading on a post-Consolidation basis is expected to commence on May 4",
  },
  {
    name: "new shares will begin trading",
    noun: loosePattern(
      "(?:consolidated|post consolidation|post split) (?:common |ordinary )?(?:shares|stock|units)",
      "g",
    ),
    after: loosePattern(
      "^,? (?:will|shall|(?:is|are) (?:expected|scheduled|anticipated|set|slated|due) to) (?:begin|commence|start) trading",
    ),
    notNear: /\bdate to be (?:announced|determined|set|fixed)\b/i,
    example: "The consolidated common shares will commence trading on May 4",
  },
  {
    name: "split will be effective",
    noun: REVERSE_OR_DEFINED_TERM,
    after: loosePattern(
      "^[^.;]{0,90}? (?:will|shall|(?:(?:is|are) )?(?:currently )?(?:expected|scheduled|anticipated|set|slated|due) to|is to) (?:be |become |take |go |automatically )?(?:effect|in effect|legally effect|implemented|completed|occur)(?!ed (?:no later than|at any time|within|on or before|prior to) )",
    ),
    example: "The reverse stock split will become effective on May 1",
  },
  {
    name: "split takes effect",
    noun: REVERSE_OR_DEFINED_TERM,
    after:
      /^[^.;]{0,90}? (?:takes effect|becomes effective|goes into effect|comes into effect|is effective)(?: on| at| from| as of| before| prior to| after| when| with|,)? (?:\d|[A-Z]|the (?:open|close|start|beginning|commencement|market))/i,
    example: "The 1-for-30 reverse stock split takes effect on May 1",
  },
  {
    name: "split with its day, as a headline",
    noun: REVERSE_SPLIT,
    before: /^\W*(?:(?:the|a|its)\W)?$/i,
    after:
      /^[^.;]{0,90}? effective (?:on |as of |from )?(?:[A-Z][a-z]+day,? )?(?:today\b|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z.]* \d|\d)/i,
    notNear: /\b(?:was|were|had|has been|became|went|came|retroactive\w*)\b/i,
    example: "Reverse 1-for-30 stock split of the common stock effective May 1",
  },
  {
    name: "split is effective today",
    noun: REVERSE_OR_DEFINED_TERM,
    after: loosePattern(
      "(?:made|is|are|becomes?|becoming|takes?|took|became|was) effect[^.;]{0,60}?(?:today|this morning)",
    ),
    example: "the share consolidation became effective today",
  },
  {
    name: "company plans a split on a day",
    noun: REVERSE_SPLIT,
    before: /\b(?:plans?|is planning|expects|will have|has (?:set|scheduled))(?: for)? (?:an?|its|the)\b[^.;]{0,60}$/i,
    after:
      /^(?:(?!\b(?:meeting|approv\w*|votes?|\w*holders?|subject|if|by)\b)[^.;]){0,80}?\b(?:on|at|effective|from|before|after)\b(?:(?!\b(?:meeting|approv\w*|votes?|\w*holders?|subject|if|by)\b)[^.;]){0,40}?\b(?:(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.? \d|\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec))/,
    near: DEFINITE_RATIO,
    example: "Harbor Mills plans a 1-for-30 reverse stock split at the close of business on May 1",
  },
  {
    name: "company will effect a split",
    noun: REVERSE_SPLIT,
    before: loosePattern(
      "(?:will|(?:is|are) going to|has resolved to|has decided to|has elected to|has determined to|plans? to|intends? to|is|are) (?:be )?(?:effect|implement|complet|execut|proceed|undertak|undergo|conduct|carry|perform)(?:ing|e)?(?: with| out)?(?: a| an| the| its)?[^.;]{0,80}$",
    ),
    near: DEFINITE_RATIO,
    example: "Harbor Mills will implement a 1-for-30 reverse share split",
  },
  {
    name: "company will consolidate",
    noun: REVERSE_SPLIT,
    before: loosePattern("(?:will|would|to) (?:be )?$"),
    notBefore: /\b(?:conditional(?:ly)? approv\w+|propos\w+)\b[^.;]{0,80}$/i,
    near: DEFINITE_RATIO,
    example: "The Company will consolidate its common shares on the basis of one new for six old",
  },
  {
    name: "shares will be consolidated",
    noun: loosePattern(
      "(?:shares|stock|units|share capital)(?: of [^.;]{0,60}?)? (?:will|shall) be (?:reverse split|consolidated|combined)",
      "g",
    ),
    near: DEFINITE_RATIO,
    example: "All common shares will be consolidated on a six to one basis",
  },
  {
    name: "shares will become one share",
    noun: COMBINES_SHARES,
    near: /\b(?:will|shall|effective)\b/i,
    example: "effective May 4, each twenty shares of common stock will become one share of common stock",
  },
  {
    name: "effective date has been set",
    noun: REVERSE_SPLIT,
    before:
      /\b(?:sets?|fix(?:es|ed)|selected|chos(?:e|en)|confirm(?:s|ed))\b[^.;]{0,60}\b(?:effective|split|consolidation|first trading)[ -](?:date|day) (?:of|for) (?:its|the|our|an?)\b[^.;]{0,40}$/i,
    near: DEFINITE_RATIO,
    example: "Harbor Mills set May 4 as the effective date of its 1-for-30 reverse stock split",
  },
  RATIO_SET_RULE,
];

/** Announces a split together with its ratio. */
export const ANNOUNCEMENT_RULE: NounRule = {
  name: "announces a split with its ratio",
  noun: REVERSE_SPLIT,
  before: /\b(?:announc(?:es|ed|ing)|(?:pleased|delighted) to (?:report|announce)|reports?(?: today)? that)\b/i,
  notBefore: /\b(?:after|following|since) (?:the|its|our) (?:(?!announc)[\w-]+ ){0,4}$/i,
  near: DEFINITE_RATIO,
  example: "Harbor Mills today announced a reverse split of its shares at a ratio of 1-for-30",
};

/** Clause that names the approved range from which the announced ratio was chosen. */
export const APPROVED_RANGE_CLAUSE =
  /,? (?:which (?:is|was|falls) )?(?:(?:within|where|inside|out of) [^.;]{0,80}?\b(?:range|approved|authori[sz]ed)|in (?:an?|the|its) [^.;,]{0,40}?range)\b[^;,]*(?:,|(?=;|$))/i;

/** The ratio is still to be chosen from a range. */
export const OPEN_RATIO =
  /\b(?:to be|will be|yet to be) (?:set|determined|chosen|fixed|selected|decided|established)\b|\b(?:exact|final|actual|specific|definitive) (?:split |consolidation )?ratio\b/i;

/** A heading that names a reverse split announces it, unless it contains one of these words or is a question. */
export const HEADING_EXCLUSIONS = new RegExp(
  String.raw`\b(?:no|not|without|approv\w*|authori[sz]\w*|vot\w+|meeting|proxy|propos\w+|intend\w*|intention|plan(?:s|ned|ning)?|potential|consider\w*|seek\w*|range|regain(?:s|ed)|following|after|discuss\w*|results?|record date|up to|maximum|if|${MAY_VERB}|might|could|letter of intent|what (?:is|are|happened)|explain\w*|history|analysts?|rumou?rs?|chatter|speculation|(?:law)?suits?|investigat\w*)\b|\?|^(?:did|do|does|is|are|was|were|should|why|how)\b`,
  "i",
);

/** The release asks holders for their opinion of a split, or explains what it would require. */
const OPINION_REQUEST =
  /\b(?:asking for your|your (?:input|feedback|views?|thoughts)|whether (?:we|to|it)|would (?:be|require)|will be required)\b/i;

export const APPROVAL_RULES: readonly NounRule[] = [
  {
    name: "approval before the split",
    noun: REVERSE_SPLIT,
    before:
      /\b(?:approv(?!ed participants?)|authori[sz](?!ed (?:common |ordinary )?(?:shares|capital|stock|share))|adopt|ratif)/i,
    example: "Stockholders approved an amendment to effect a reverse stock split",
  },
  {
    name: "approval after the split",
    noun: REVERSE_OR_DEFINED_TERM,
    after:
      /\b(?:approv(?!ed participants?)|authori[sz](?!ed (?:common |ordinary )?(?:shares|capital|stock|share))|adopted|ratif)/i,
    example: "The reverse stock split was approved by the holders",
  },
  {
    name: "split put to a vote",
    noun: REVERSE_SPLIT,
    near: /\b(?:proposals?|vot(?:e|es|ed|ing)|special meeting|proxy)\b/i,
    notNear: OPINION_REQUEST,
    example: "a special meeting to vote on the reverse split",
  },
];

/** Announces a change of the number of shares that one depositary share represents. */
export const ADS_CHANGE_RULES: readonly NounRule[] = [
  {
    name: "changes the ADS ratio",
    noun: ADS_RATIO,
    near: /\b(?:announc\w*|will|plans? to|effective|to change|chang(?:e|es|ed|ing)|from|notice of)\b/i,
    notBefore: /\b(?:recent|following|after|previous|reflects?|adjusted for|effect (?:to|of)|since)\b/i,
    example: "Tide Labs announces a change of its ADS to ordinary share ratio",
  },
];

/** A change of the ADS ratio in the past tense, without a word for what is still to come. */
export const PAST_ADS_CHANGE =
  /^(?!.{0,600}\b(?:will|shall|expects?|expected|plans?|announc\w*|intends?|proposes?|to be|is changing)\b).{0,600}\b(?:changed|adjusted|effected|implemented|(?:became|was) effective|took effect|had|reflects?)\b/i;

/** Marks the announced split as already completed. */
export const COMPLETION =
  /\b(?:completes|completed|completion|(?:has|have) (?:effected|implemented|executed)|(?:became|made|is now|now) effective|took effect|takes effect today)\b/i;

const BEGAN_TRADING: NounRule = {
  name: "began trading on the adjusted basis",
  noun: ADJUSTED_BASIS,
  before: /\b(?:began|commenced|started|opened|has been|have been)\b[^.;]{0,40}\btrad[^.;]{0,80}$/i,
  example: "On May 4 our shares began trading on the exchange on a split-adjusted basis",
};

const TRADING_BEGAN: NounRule = {
  name: "trading on the adjusted basis began",
  noun: ADJUSTED_BASIS,
  before: /\b(?:trading|dealings)\b[^.;]{0,60}$/i,
  after: /^(?: basis)?[^.;]{0,40}\b(?:began|commenced|started|opened)\b/i,
  example: "Trading on a split-adjusted basis began on May 4",
};

/** States that a split took effect. */
export const COMPLETED_SPLIT_RULES: readonly NounRule[] = [
  {
    name: "company effected the split",
    noun: REVERSE_SPLIT,
    before: /\b(?:effected|completed|completes|completing|implemented|executed|carried out|underwent)\b[^.;]{0,80}$/i,
    near: DEFINITE_RATIO,
    example: "On May 4, 2026, Harbor Mills effected a 1-for-20 reverse stock split",
  },
  {
    name: "split took effect",
    noun: REVERSE_OR_DEFINED_TERM,
    after:
      /^[^.;]{0,120}?\b(?:(?:became|went) effective|(?:took|went into|came into) effect|was (?:effected|completed|implemented|executed)|(?:has been|is now|is) (?:effected|effective|completed|implemented))\b/i,
    example: "The reverse stock split became effective on May 4, 2026",
  },
  {
    name: "amendment to effect the split was filed",
    noun: REVERSE_SPLIT,
    before:
      /\bfiled (?:its |the |an? )?(?:articles of amendment|certificate of (?:amendment|change)|notice of alteration)\b[^.;]{0,160}\b(?:to effect(?:uate)?|effecting|to implement|implementing|giving effect to)\b[^.;]{0,60}$/i,
    example: "Harbor Mills filed articles of amendment on May 4 to effect the 1-for-20 reverse stock split",
  },
  BEGAN_TRADING,
  TRADING_BEGAN,
];

/** A split that is still to come. */
export const STILL_TO_COME_RULES: readonly NounRule[] = [
  {
    name: "future wording before the split",
    noun: REVERSE_SPLIT,
    before:
      /\b(?:will|shall|expects? to|intends? to|plans? to|resolved (?:that|as)|conditional(?:ly)?|resolution|pending)\b[^.;]{0,80}$/i,
    example: "Harbor Mills will undertake a consolidation of its share capital",
  },
  {
    name: "future wording after the split",
    noun: REVERSE_OR_DEFINED_TERM,
    after:
      /^[^.;]{0,40}\b(?:will|shall|(?:is|are|was|were) (?:expected|scheduled|anticipated|intended|planned) to|(?:is|are|remains?) (?:subject|conditional)|to be|has not yet|have not yet)\b/i,
    example: "Following the share consolidation, which is expected to take place in June, the warrants change",
  },
];

/** Mentions a completed split in other news. */
export const PAST_SPLIT_RULES: readonly NounRule[] = [
  {
    name: "past wording before the split",
    noun: REVERSE_SPLIT,
    before:
      /\b(?:effected|completed|implemented|executed|announced|conducted|underwent|recent(?:ly)?|following|previous(?:ly)?|after|since|prior|reflects?|adjusted (?:\w+ )?(?:for|to reflect)|effect (?:to|of|for)|due to|as a result of|that (?:the|our|its))\b/i,
    example: "since our reverse split of last autumn",
  },
  {
    name: "past wording after the split",
    noun: REVERSE_SPLIT,
    after: /\b(?:was|were|became|took|has been|had been|retroactive(?:ly)?)\b/i,
    example: "the 1-for-30 reverse stock split was effected in March",
  },
];

/** Wording of financial notes and risk factors, which describe a split completed long ago. */
export const RETROSPECTIVE_RULES: readonly NounRule[] = [
  {
    name: "figures are restated",
    noun: loosePattern(
      "retroactive(?:ly)?|(?:share|per share|loss per share) (?:and per share )?(?:amounts?|data|figures|information|numbers)",
      "g",
    ),
    near: /\b(?:(?:adjust|restat|recast|revis|effect)\w*)\b/i,
    notNear: /\b(?:will|shall|expected|scheduled|would)\b/i,
    example: "All share amounts have been adjusted retroactively",
  },
  {
    name: "splits of a financial period",
    noun: REVERSE_SPLIT,
    after:
      /^[^.;]{0,120}\bduring (?:the |each of the )?(?:fiscal )?(?:years?|quarters?|periods?|(?:[a-z]+|\d+) (?:months|quarters)) ended\b/i,
    notNear: /\b(?:will|shall|expected|scheduled|would)\b/i,
    example: "The table includes the reverse splits of the funds during the year ended December 31, 2025",
  },
  { ...BEGAN_TRADING, notNear: /\b(?:today|this morning|will|expected|scheduled)\b/i },
  {
    name: "amendment was filed",
    noun: REVERSE_SPLIT,
    before: /\bfiled\b[^;]{0,200}\b(?:amendment|certificate|articles)\b[^;]{0,160}$/i,
    after: /^[^.;]{0,60}\beffective (?:time|as of|at|on)\b/i,
    notNear: /\b(?:will|today|expected|scheduled|shall)\b/i,
    example: "we filed an amendment to effect the reverse stock split, with an effective time of 4:01 p.m.",
  },
  {
    name: "shares were combined",
    noun: loosePattern(
      "(?:every|each) [^.;]{0,60}?(?:shares|stock)[^.;]{0,80}?(?:was|were) (?:automatically )?(?:reverse split|reclassified|exchanged|combined|converted|consolidated)",
      "g",
    ),
    near: new RegExp(REVERSE_SPLIT.source, "i"),
    example: "Upon the reverse split, every 30 shares of our stock were automatically converted into one",
  },
];

/** Proposes a split without deciding on it. */
export const PROPOSAL_RULES: readonly NounRule[] = [
  {
    name: "proposed split",
    noun: REVERSE_SPLIT,
    before: /\b(?:propos(?:ed?|es|ing|al)|intended)\b(?: [\w'-]+){0,4} $/i,
    notBefore: /\b(?:complet\w+|effected|implemented|if|could|may|might)\b[^.;]{0,60}$/i,
    example: "Harbor Mills announced a proposed consolidation of its shares",
  },
  {
    name: "text of a resolution",
    noun: loosePattern(
      String.raw`\b(?:shares|stock|share capital)\b[^.;]{0,80}?(?<!\b(?:will|shall|to|may|would|should|could|can|must|not)) be (?:consolidated|combined|reverse split)`,
      "g",
    ),
    after: /^ (?:on|at|into|in)\b/i,
    example: "that the issued shares in the capital of the Company be consolidated on the basis of one for ten",
  },
];

/** Notice that a listing rule is not met. */
export const DEFICIENCY_HEADING =
  /\b(?:notices?|notifications?|letter(?! of intent)|determination|delinquen\w+|deficien\w+|non-?compliance|extension|180[- ]days?|(?:compliance|grace|cure) period|hearings? panel|delist\w*)\b/i;
export const LISTING_WORDS = /listing|listed|nasdaq|nyse|bid price|exchange|tsx|hearings? panel|delist/i;
const NOTICE = String.raw`(?:\breceiv\w*\b[^.;]{0,80}?\b(?:notices?|notification|letter|determination)\b|\b(?:was|were|been) notified\b|\b(?:nyse|nasdaq|exchange|market|regulation|staff)\b[^.;]{0,60}?\b(?:notified|told|informed|advised)\b)`;
const RULE_NOT_MET = String.raw`(?:not (?:in compliance|comply|compliant)|non-?compliance|minimum bid|deficien|delist|below \$1|average closing (?:share |stock )?price|below (?:the )?(?:criteria|continued listing))`;
export const DEFICIENCY_TEXT = new RegExp(`${NOTICE}[^.;]{0,200}?${RULE_NOT_MET}`, "i");
export const REGAINED_COMPLIANCE = /\b(?:regain(?:s|ed)|back in)\b[^.;]{0,60}complian/i;
