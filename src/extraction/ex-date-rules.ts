import { ADS_RATIO, REVERSE_OR_DEFINED_TERM, REVERSE_OR_DEFINED_TERM_STARTS } from "./split-patterns.ts";
import { loosePattern, MAY_VERB, type NounRule, startingWith } from "./text-rule.ts";

/** Words for trading. The spaces beside them may be missing. */
const TRADING = /trad(?:e|ing)|dealings|offered|quot(?:e|ation)|\blisted|begin|commenc|start|open|debut/i;

/** Every match of `TRADING_RULES` contains one of these words, so sentences without them are skipped. */
export const TRADING_HINT =
  /trad|dealings|offered|listed|price|quot|open|begin|commenc|start|market|ex-? ?(?:split|consolidation|distribution|date)|first day|debut/i;

/** Names of the adjusted basis. A space may follow a hyphen where a line was broken. */
const LENIENT_ADJUSTED_BASIS = new RegExp(
  [
    "(?:split|consolidation|(?:share|stock) combination|ratio) adjusted",
    "(?<![a-z])ex (?:reversed? )?(?:(?:stock|share) )?(?:split|consolidation)(?! (?:trading )?date)",
    "(?<!as |tax |as-)adjusted trading",
    "post (?!(?:tax|money|merger|closing|offering|acquisition|transaction|financing|ipo)\\b)(?:[a-z]{1,16}[-\\s]){1,4}basis",
    "post (?:reverse )?(?:stock |share )?(?:split|consolidat(?:ion|ed)|ads ratio change|ratio change)(?= (?:basis|adjusted|price|trading|and))",
    "(?:split|consolidated|consolidation|adjusted|new|new ratio|new ads ratio) basis|basis of (?:the|its) (?:new|reduced) (?:(?:ads )?ratio|number of|share (?:count|capital))",
    "(?:adjusted|new|post split) prices?(?= |$)",
    "(?<!as )adjusted (?:price|for the (?:reverse|consolidation|share consolidation))",
  ]
    .join("|")
    .replaceAll(" ", "[ -]{0,3}"),
  "gi",
);

/** Text before a wording that is about a price: `the closing price on the exchange, as adjusted for the reverse split`. */
const OF_A_PRICE =
  "(?:closing|last|sales?|reported|conversion|exercise|offering)(?: (?:trading|bid|sales?|market))? prices?[^.;]{0,90}$";

/** Wordings for trading on the adjusted basis. */
export const TRADING_RULES: readonly NounRule[] = [
  {
    name: "on the adjusted basis",
    noun: LENIENT_ADJUSTED_BASIS,
    near: TRADING,
    notBefore: new RegExp(String.raw`\bpre[ -]{0,3}$|${OF_A_PRICE}`, "i"),
    example: "The stock is to open on a split-adjusted basis",
  },
  {
    name: "trades post-split",
    noun: loosePattern("post (?:reverse )?(?:stock |share )?(?:split|consolidat(?:ion|ed))(?! ?basis)", "g"),
    before:
      /(?:(?:begin|commenc|start|resum|will|open)\w*[^.;]{0,40}\btrad\w*[^.;]{0,60}|\b(?:trades?|quoted|listed|offered|opens?)\b(?:(?! prices?\b)[^.;]){0,40})$/i,
    example: "The units will begin trading post-split",
  },
  {
    name: "post-split trading begins",
    noun: loosePattern(
      "trading (?:(?:on [a-z]+|in (?:the )?) ?)?post (?:reverse )?(?:stock |share )?(?:split|consolidat(?:ion|ed))",
      "g",
    ),
    after: /^[^.;]{0,60}\b(?:begin|commenc|start|open)/i,
    example: "Trading post-split begins at the open",
  },
  {
    name: "new shares begin trading",
    noun: loosePattern(
      "(?:post (?:reverse )?(?:stock |share )?(?:split|consolidat(?:ion|ed))|consolidated|combined|reverse split|new) (?:class [a-z] )?(?:common |ordinary |subordinate voting )?(?:shares|stock|adss?|units|securities)",
      "g",
    ),
    after:
      /^[^.;]{0,120}?(?:(?:begin|commenc|start|open|resum|first)\w* (?:for )?(?:trad(?:e|ing)|quotation)|hit the market|be (?:listed|quoted|posted)|trade on|trading on)/i,
    example: "The consolidated common shares are expected to commence trading at the open",
  },
  {
    name: "the split begins trading",
    noun: loosePattern("(?:begin|commence|start) trading", "g"),
    before: loosePattern(
      "(?:reverse (?:(?:stock|share|unit|ads) )?split|share consolidation|consolidation),? (?:which )?(?:(?:is|are) (?:expected|scheduled|anticipated|set|slated|due) to|will|shall) $",
    ),
    notBefore: /\b(?:warrants?|rights|notes|preferred)\b/i,
    example: "The share consolidation is expected to begin trading on the exchange on May 4",
  },
  {
    name: "trading begins, in a sentence about the split",
    noun: /\b(?:begin|commence|start|resume)s?(?: regular)? trading\b/gi,
    near: /\breverse (?:stock |share |ads )?split\b|\b(?:share |stock |unit )?consolidation\b(?! of (?:claims|notes|debt))|\broll-?back\b/i,
    notNear:
      /\b(?:warrants?|rights|notes|up-?list\w*|initial public|merger|amalgamation|takeover|business combination|combined company|spin-?off|offering|halt\w*|name change|new (?:name|ticker|symbol))\b/i,
    example: "Following the consolidation, the common shares will commence trading on the exchange on May 4",
  },
  {
    name: "trading in the new shares",
    noun: loosePattern(
      "(?:trading|dealings|quotation) (?:in|of) (?:the |its |our )?(?:combined|consolidated|new|split|split adjusted|post [a-z]+) (?:class [a-z] )?(?:common |ordinary )?(?:shares|stock|units|adss?|securities)",
      "g",
    ),
    near: /^[^.;]{0,60}(?:\b(?:beg[ai]n|commenc|start|open)|:)|\b(?:commencement|start|beginning|first day) of $/i,
    example: "Trading in the combined shares starts at the opening bell",
  },
  {
    name: "an exchange begins trading the new shares",
    noun: loosePattern(
      "(?:begin|commence|start)s? (?:trading|quoting|listing) (?:the |its |our )?(?:combined|consolidated|new|split adjusted|post [a-z]+) (?:class [a-z] )?(?:common |ordinary )?(?:shares|stock|units|adss?)",
      "g",
    ),
    example: "The exchange will begin trading the consolidated shares on May 4",
  },
  {
    name: "at the new ratio",
    noun: loosePattern("(?:on|at|under|in) the new (?:ads |adr )?ratio", "g"),
    near: /\b(?:trad(?:e|ing)|quot(?:ed|ation))\b/i,
    example: "The ADSs will begin trading on the new ratio at the open",
  },
  {
    name: "trading reflects the split",
    noun: loosePattern(
      "(?:reflect(?:s|ing|ive of)|giv(?:e|es|ing) effect to|adjusted (?:for|to reflect)) (?:the |such |this |its )?(?:reverse|share consolidation|consolidation|ads ratio|ratio change|change in|new (?:ads )?ratio)",
      "g",
    ),
    before: /(?:begin|commenc|start|open|will|to)\w*[^.;]{0,60}\b(?:trad|quot)\w*[^.;]{0,100}$/i,
    notBefore: new RegExp(OF_A_PRICE, "i"),
    example: "The stock will begin trading at prices reflecting the reverse split",
  },
  {
    name: "effective for trading purposes",
    noun: loosePattern(
      "(?<!last day )for (?:purposes of )?trading(?: purposes)?(?= |,|$)|(?:effective|effectiveness|effect) (?:in|on) the (?:open )?market ?place|market ?(?:place )?effective|reflected in the market(?: ?place)?|trading effective date",
      "g",
    ),
    near: /effect|split|consolidat|roll ?back|ratio|date/i,
    example: "The split will be effective for trading purposes as of the open",
  },
  {
    name: "under a new CUSIP or ISIN",
    noun: /\bnew (?:cusip|isin)/gi,
    before:
      /(?:begin|commenc|start|continu|will|is|are)\w*[^.;]{0,30}\b(?:trad(?:e|ed|ing)|quoted|listed|offered)\b(?:[^.;]|\.(?=\S)){0,80}$/i,
    example: "The stock will begin trading on the exchange under a new CUSIP number",
  },
  {
    name: "under an interim symbol",
    noun: /\b(?:under|with) (?:the|a|an) (?:(?:new|interim|temporary|trading|ticker|stock) ){0,3}symbol,? ?[("]*[A-Z]{4}D\b/g,
    before: /\b(?:trad(?:e|ing)|quoted)\b[^.;]{0,80}$/i,
    example: 'From the open the stock will trade under the symbol "ACMED"',
  },
  {
    name: "on the basis of a ratio",
    noun: /\bbasis\b/gi,
    before:
      /\btrad(?:e|ing)\b[^.;]{0,160}(?:\d ?-?(?:for|:|to)-? ?\d[\d.]*|\bone[ -]for[ -][a-z]+(?:-[a-z]+)?|\bold (?:shares )?for (?:one|1) new(?: shares?)?(?: (?:consolidated|share))*) $/i,
    example: "The stock will continue to trade, with fewer shares, on a 1-for-30 basis",
  },
  {
    name: "ex-date or first trading day",
    noun: /\bex-? ?(?:distribution )?date\b|(?=\bex-(?:split|consolidation) (?:trading )?date\b)|\bfirst (?:trading day|day of (?:post-split )?trading)\b(?! (?:thereafter|on or)| (?:after|following) (?!(?:the|its|their|a) (?:[\w:-]+ )?(?:reverse|split|consolidation|share)))/gi,
    notNear: /\bdividend|\bdistributions?\b/i,
    example: "Ex-date of the reverse split: May 4",
  },
  {
    name: "trading price reflects the ratio",
    noun: /\b(?:trading|ads|adr|share|stock|market) price/gi,
    before: /\b(?:effect|effective|impact|change|ratio|seen|shown|reflected)\b[^.;]{0,100}$/i,
    after: /^[^.;]{0,80}\b(?:take place|takes place|occur|from|at|on)\b/i,
    notBefore: /\b(?:predict|assur\w+|guarantee|effect on the liquidity)\b/i,
    example: "The effect of the ratio change on the trading price is expected to take place at the open",
  },
];

/** Names of a split that takes effect. */
export const SPLIT_NAME = new RegExp(
  startingWith(
    `${REVERSE_OR_DEFINED_TERM_STARTS}|ads|adr|ratio|number|change`,
    `${REVERSE_OR_DEFINED_TERM.source}|${ADS_RATIO.source}|(?<!pre-|post-)\\bsplits?\\b(?!-)|\\bratio change\\b|\\bchange (?:in|of|to) the (?:ads )?ratio\\b`,
  ),
  "i",
);

/** Effect of a split on the shares. A sentence that states it needs no other word for the split. */
export const SHARES_BECOME =
  /\b(?:every|each)\b(?:(?!\b(?:preferred|preference|warrants?|options?|notes?|rights?)\b)(?:[^.;]|\.(?=\d))){0,160}\b(?:shares?|stock|units?|adss?)\b(?:[^.;]|\.(?=\d)){0,200}\b(?:becomes?|equals?|turn(?:s|ed)? into|combined?|consolidated|convert(?:s|ed)?|exchanged|reclassified)\b|\bshares? (?:will |to )?(?:become|equal|turn into) (?:one|1)\b/i;

/** Words for taking effect, including common misspellings. */
export const TAKES_EFFECT =
  /effect|\bexecut|\bconduct|\bbecomes?\b|\bcombined\b|\bconverted\b|\baffect (?:an?|the|its)\b|\bbe reflected\b|implement|complet|commenc|occur|take place|consolidat(?:e|ing)|carried out|happen|\bgo(?:es)? live|went live|\btrade on the basis|\bsplit\b[^.;]{0,40}\bat\b/i;

/** Text up to a day at a market's open or close, without a verb: `announced a reverse stock split as of the open on `. */
export const SPLIT_AT_TIME =
  /\b(?:splits?|consolidation|roll-?back|ratio change)(?: of (?:its|the|all)(?: [\w-]+){1,6})?,? (?:as of|at|from|before|prior to|after|following|ahead of) (?:the )?[^.;,]{0,40}$/i;

/** News that a split is completed, in a text whose day is unknown. */
export const ANNOUNCES_COMPLETION =
  /\b(?:[Tt]oday,? (?:announced|confirmed|reported)|(?:announced|confirmed|reported) today|[Aa]nnounc(?:es|ing)|[Cc]onfirms|[Rr]eports)(?: (?!if\b)[\w,.&-]+){0,9}? (?:[Cc]omplet(?:ed|ion)|[Ee]ffectiveness|[Ii]mplementation|(?:is|are)(?: now)? effective|(?:took|taken|went|gone) (?:into )?effect|became effective)\b|^(?!.*\b(?:was|were|in|during|after|following|since)\b)[A-Z].{0,60}?\b(?:[Cc]ompletes|COMPLETES|[Ee]ffects|[Ii]mplements|[Ee]xecutes)\b/;
/** A later statement will name the first trading day, so the day of the legal effect isn't it. */
export const TRADING_DAY_FOLLOWS =
  /\b(?:will|shall|to) (?:be )?(?:announce|tell|inform|advise|notify|publish|confirm|determine)\w*\b[^.;]{0,80}\b(?:when|the (?:date|day|start|beginning|commencement))\b[^.;]{0,80}\btrad/i;

const OTHER_ACT =
  "announc|approv|adopt|authori|fil(?:ed|ing)|held|vot(?:e|ed|ing)|determin|resolv|decid|meeting|report|receiv|sign|enter|record|if\\b";
/** Text up to the day on which the split takes effect: `effective on or about `, `Effective Date: `. */
export const EFFECTIVE_BEFORE = new RegExp(
  String.raw`\b(?:effective(?:ness)?|(?:takes?|taking|took|into|in|with) (?:legal |full )?effect|into force|(?:split|consolidation|implementation) date|effected|implement(?:s|ed)?|execut(?:e|es|ed)|underwent|undergoes|complet(?:e|es|ed)|consummated|conduct(?:s|ed)?|carr(?:y|ies|ied) out|occurs?|happen(?:s|ing)|kick(?:s|ing) in|go(?:es)? live|going live|went live|(?:takes?|taking|took) place|(?:turns?|turned) into (?:one|1)|(?:will|to) (?:come|happen)|(?:scheduled|set|slated|planned) (?=for\b))\b(?:(?!\b(?:${OTHER_ACT})|\b(?:when|after|before|until|by|upon|following|later|earlier)\b|, (?:is|was|will)\b)[^;]){0,70}$`,
  "i",
);
/** Text up to the day on which the company effects the split: `will effect a 1-for-20 reverse stock split on `. */
export const EFFECTS_BEFORE = new RegExp(
  String.raw`\b(?:will|would|shall|to) (?:effect|implement|execute|complete|carry out|conduct|undergo|consolidate|combine|be (?:automatically )?(?:reverse split|consolidated|combined|converted|merged))\b(?:(?!\b(?:${OTHER_ACT})|\b(?:when|after|before|until|by|upon|following|later|earlier)\b|, (?:is|was|will)\b)[^;]){0,140}$`,
  "i",
);
/** Text before the day on which something else becomes effective: `the registration statement was declared effective on `. */
export const OTHER_EFFECT_BEFORE =
  /\b(?:registration statement|prospectus|declared|resign\w*|appoint\w*|agreement|by-?laws|(?<!\bthe )plan)\b(?:(?!split|consolidation|ratio)[^;]){0,120}$/i;
/** Text before a day that a sentence states first: `On or about `. */
export const DAY_FIRST =
  /(?:^|[\s,("])(?:on|effective|from|beginning|commencing|starting|as of|with effect from)(?: or (?:about|around))? $/i;
/** Text after such a day: `, the Company will effect a reverse split`. */
export const EFFECTIVE_AFTER = new RegExp(
  String.raw`^,? ?(?:\([^()]{0,60}\),? ?)?(?:(?!\b(?:${OTHER_ACT}))[^;]){0,140}?\b(?:(?:will|shall|is to|(?:is|are) (?:expected|scheduled|anticipated|set|slated|due) to|(?:expects?|intends?|plans?) to) (?:(?!\b(?:${OTHER_ACT}))[^.;]){0,30}?\b(?:(?:be|become) effective|take effect|go into effect|be (?:effected|implemented|executed|completed|carried out|consolidated|combined|converted|reclassified|changed|adjusted)|change|adjust|(?:become|equal|turn into) (?:1|one)|effect|implement|execute|complete|carry out|conduct|undergo|consolidate|combine|take place|occur|represent)|takes effect|becomes effective|goes into effect)\b`,
  "i",
);
/** Text before the day of a split that has taken place: `fell after the reverse split on `. */
export const AFTER_SPLIT =
  /\b(?:with|after|following|since) (?:the|its|a|their) (?:[\w:-]+ ){0,5}(?:split|consolidation|ratio change),? (?:on )?$/i;
/** Text after a day on which the split has taken effect: ` as the reverse split took effect`. */
export const AS_IT_TAKES_EFFECT =
  /^(?: morning)?,? (?:as|when|after) [^.;,]{0,80}\b(?:(?:took|takes|went into|goes into|came into|taking) effect|(?:became|becomes|is now) effective|went live|kicked in)\b/i;
/** Text after a day that is named the effective date: ` as the effective date`. */
export const IS_EFFECTIVE_DATE =
  /^,? (?:as|is|will be|shall be) (?:the|its) (?:\w+ )?(?:effective|ex-?|split|consolidation)[ -]?(?:date|day)\b/i;
/** A sentence about the shares that a depositary share will represent. */
export const ADS_WILL_REPRESENT =
  /\bnew (?:ads |adr )?ratio\b|\b(?:ads|adr|gds|depositary (?:share|receipt))s?\b[^.;]{0,40}\bwill (?:[a-z]+ )?represent\b/i;

/** Definition of a term for the split: `a reverse share split (the "Transaction")`. */
export const SPLIT_TERM_DEFINITION =
  /\((?:(?:collectively|together|each|the|an?|hereinafter|referred to as|as|such),? ){0,4}"((?:[A-Z][\w-]* ){0,3}(?:Transactions?|Splits?|Consolidations?|Actions?|Changes?|Combinations?|Adjustments?|Events?|Conversions?|Recapitali[sz]ations?|Operations?))"/g;
/** Words for the split in a text about no other transaction, and the label of its effective date. */
export const TRANSACTION =
  /\b(?:the|this|such|these|both) (?:transactions?|(?:plan|move|measure|step)(?=,? (?:which|will|is|takes|effective|due|to)\b)|(?:corporate|share) actions?|actions?|(?:charter |certificate of |articles of )?(?:amendment|change)(?=(?: \([^)]*\))?(?:,? which)? (?:will|shall|is|became|becomes?|takes?|took|goes|went)\b)|operations?|events?|changes?(?= (?:will|shall|is|are|becomes?|takes?|goes)\b))\b|^\W{0,3}(?:(?:on|from|as of) )?(?:the )?(?:(?:expected|anticipated|proposed) )?effective(?: (?:date|time)\W{0,3}(?=[\w:])|:)/i;
export const OTHER_TRANSACTIONS =
  /\b(?:merge[rs]?|arrangement|amalgamat\w*|spin-?offs?|acqui(?:re|res|red|sition(?! (?:corp|inc|ltd|co|plc|n\.v|holdings|company)\b))s?|tender offer|business combination|rights (?:offering|issue)|private placement|financing|liquidat\w*|name change|change (?:of|in) (?:its |the )?(?:corporate )?(?:name|auditors?|control|directors?|management))\b/i;

/** Words of a sentence about a split whose day may be another one than that of the split. */
export const OTHER_DAY_OF_SPLIT =
  /\b(?:meetings?|record|vot(?:e|es|ed|ing)|approv\w*|authori[sz]\w*|deadlines?|complian\w*|fil(?:e|es|ed|ings?)|expir\w*|matur\w*|dividends?|offer\w*|closing|(?:sales?|average|reported) price|mergers?|acquisition|warrants?|results|earnings|webcast|conference|hearings?|panel|certificates?|notices?|letters?|last (?:trading )?day|last day|prior to|quarter|fiscal|year[- ]end|announce|publish|determined?|halt\w*|suspen\w*|delist\w*)\b/i;

/** Text before a wording that is only a possibility. */
export const TENTATIVE_BEFORE = new RegExp(
  String.raw`\b(?:would(?! otherwise)|could|might|${MAY_VERB}|if|whether)\b[^.;]{0,90}$`,
  "i",
);

export const NEGATED_BEFORE =
  /\b(?:will|shall|is|are|do|does|did) (?:not|no longer|never)\b(?:(?!\b(?:but|will)\b)[^.;]){0,60}$/i;

const RECALLED_PLAN = "(?:announced|disclosed|reported|stated|said|expected|planned|scheduled|intended)";
const ISSUER_AS_SUBJECT =
  "(?:The Company|the Company|We|we|It|it|(?!As |The |This |Our |Its )[A-Z][\\w.&-]*(?: [A-Z][\\w.&-]*){0,4})";

/** `We previously announced …`, which the rest of the text supersedes. Excludes confirmations: `As previously announced, …`. */
export const RECALLS_ANNOUNCEMENT = new RegExp(
  [
    String.raw`^(?:On [^,]{3,30}, \d{4}, )?${ISSUER_AS_SUBJECT}(?: had| has)? (?:previously|originally|initially|first|earlier) ${RECALLED_PLAN}\b`,
    String.raw`^(?:Previously|Originally|Initially|Earlier), ${ISSUER_AS_SUBJECT}(?: had)? ${RECALLED_PLAN}\b`,
  ].join("|"),
);

/** States a new day: those of other sentences are earlier plans. */
export const REVISES_DAY =
  /\b(?:will|shall|is|are|would) (?:now |instead )(?:be|become|take|begin|commence|start|change|effect|go|occur|open|trade|expected|scheduled|set|effective)|\b(?:revised|updated|amended|rescheduled|new) (?:effective|trading|ex-?|split|consolidation) (?:date|day)\b/i;

/** The sentence describes an earlier plan, in a text that postpones it. */
export const EARLIER_PLAN =
  /^(?!.{0,400}\bnow\b)(?!.{0,400}\b(?:postpon|delay|mov|reschedul|push|defer)\w*\b.{0,200}\b(?:to|until) (?:[A-Z][a-z]+day,? )?(?:\d|[A-Z][a-z]{2,8}\.? \d)).{0,400}\b(?:(?:announced|disclosed|reported|stated) on [A-Z]|(?:was|were|had been) (?:announced|planned|scheduled|expected|set|to)\b|(?:previously|originally|initially|earlier|first)\b)/;

/** The sentence describes how long an interim symbol is used. */
export const ABOUT_SYMBOL = /\bsuffix|\bappended|\binterim (?:ticker )?symbol|"D"|\b20 (?:business|trading) days/i;

/** The day depends on an event that has no date yet. */
export const DEFERRED =
  /\b(?:as soon as|in the (?:coming|next|following|near)|shortly|once|upon (?:receipt|approval|completion|closing|receiving|confirmation|final)|(?:following|after|subject to|pending) (?:the )?(?:\w+ )?(?:receipt|approval|completion|closing|meeting|clearance)|to be (?:announced|determined|confirmed)|(?:will|shall) (?:be announced|announce|tell|inform|advise|notify)|further notice|later date|subsequent(?:ly)?|in due course)\b/i;

/** Start of a sentence that retells what was announced in a year. */
export const IN_EARLIER_YEAR =
  /^(?:In|During) (?:(?:early|mid|late|fiscal)[ -])?(?:[A-Z][a-z]{2,8} )?(?:of )?(?:19|20)\d\d\b/;
