import { AMOUNT_PATTERN } from "./number-words.ts";
import { loosePattern, MONTH } from "./text-rule.ts";

/** A notation for two numbers of shares, matched against text whose numbers are digits (see `normalizeNumbers`). */
export interface RatioRule {
  readonly name: string;
  /** Has the flag `g` and the groups `left`, `right` and, if words separate the two, `between`. */
  readonly pattern: RegExp;
  readonly notBefore?: RegExp;
  readonly notAfter?: RegExp;
  /** Must match the words between the two numbers. */
  readonly between?: RegExp;
  /**
   * `digits`: only the numbers. `sides`: words name the shares on each side. `outcome`: words describe the conversion of
   * the old shares, so no other word for a split is required.
   */
  readonly form: "digits" | "sides" | "outcome";
  readonly example: string;
}

/** A year after a month and day, as in `June 3, 2026`, is not a number of shares. */
const YEAR = String.raw`(?<=\b${MONTH} ?\d{1,2},? ?)(?:19|20)\d\d(?!\d)`;
/** Left number of a pair, but not the end of a longer number, a date or an amount of money. */
const LEFT = String.raw`(?<![\d.,$/:%-]|\d ?- ?)(?!${YEAR})(?<left>${AMOUNT_PATTERN})(?! ?(?:[mb]n?|mln|mio|k)\b)`;
/** Right number of a pair, but not the start of a longer number, an amount, a percentage or a duration, nor `40 (50)`. */
const RIGHT = String.raw`(?<right>${AMOUNT_PATTERN})(?![\d%/]|[.,:]\d| ?(?:%|\(\d+\)|percent|(?:consecutive |full )?(?:business|trading|calendar|consecutive) (?:business |trading |calendar )?(?:day|session)|days?\b|weeks?\b|months?\b|years?\b|hours?\b|minutes?\b|million|billion|(?:[mb]n?|mln|mio|k)\b|times\b|cents?\b|dollars?\b|th\b|st\b|nd\b|rd\b|[ap]\.?m\b))`;

/** Words of one sentence without digits. */
const WORDS = "[^.;:0-9]{0,110}?";
/** Description of the old shares, up to their conversion. It may contain dates. */
const OLD_SHARES = "[^;:]{0,260}?";
const BECOME =
  " (?:into|for|to|becomes?|becoming|receives?|be entitled to(?: receive)?|as|equals?|represents?|in exchange for)(?: and (?:become|becomes|constitute))?(?: (?:only|a total of|the right to receive|be))?";

const SHARES =
  /share|stock|unit|security|securities|ads|adr|depositary|\bold|\bnew|\bpre|\bpost|existing|consolidated|outstanding|held/i;

/** Text before a number that is a day of the month. */
const MONTH_BEFORE = new RegExp(String.raw`\b${MONTH} ?$`, "i");
/** Text before a number that is part of a name: `Form 10`, `Rule 5`. */
const NUMBERED =
  /\b(?:form|rule|section|item|note|notice|phase|page|series|tranche|exhibit|proposal|class|day|step) ?$/i;
const DATE_OR_NUMBER = new RegExp(`${MONTH_BEFORE.source}|${NUMBERED.source}`, "i");

/** Excludes a time of day such as `at 9:30`. `at 1:20` may be a ratio. */
const NO_TIME_OF_DAY = String.raw`(?!(?<=\b(?:at|by|until|before|after|from) )(?!1:)\d{1,2}:[0-5]\d)`;
/** Text after two numbers that are a time of day: `a.m.`, a time zone, East Asian text. */
const TIME_OF_DAY_AFTER =
  /^ ?(?:[\u3001-\u30ff\u3400-\u9fff\uac00-\ud7af]|a\.?m|p\.?m|[ecmp][sd]?t\b|eastern|central|mountain|pacific|hours|hrs|uhr|o'clock|gmt|utc|cest|cet|bst)/i;

/** Chinese, Japanese or Korean text before two numbers that are a time of day. */
const EAST_ASIAN_BEFORE = /[\u3001-\u30ff\u3400-\u9fff\uac00-\ud7af][ :]{0,2}$/;

/** Text before the ratio of depositary shares to underlying shares, which describes the security, not a split. */
const RATIO_OF_ADS =
  /(?:ads|adr|gds|depositary shares?|receipts?)(?!.*(?:reverse|split|consolidat|same effect|equivalent))[^.;]{0,60}$|(?:ads|adr|gds|depositary)[^.;]{0,40} ratio(?!.*\b(?:effect|equivalent|same)\b)[^.;]{0,60}$/i;

const ADS_TO_SHARES =
  /\b(?:ads|adr|gds)s?[ -](?:to|per|\/)[ -](?:(?:class [ab]|ordinary|common) ){0,2}shares? ratio\b[^.;\d]{0,30}$/i;

/** Other corporate actions whose terms are stated in shares for shares. */
export const OTHER_TRANSACTION =
  /\bmerger\b|exchange ratio|arrangement agreement|plan of arrangement|amalgamat|spin-?off|dividend|rights (?:offering|issue)|subscription|distribution ratio|tender offer|exchange offer|private placement/i;

/** Tried in this order: text that one rule has matched is not matched again by a later rule. */
export const RATIO_RULES: readonly RatioRule[] = [
  {
    name: "new for old, 1-for-20",
    pattern: loosePattern(`${LEFT} ?-? ?(?:new |old )?(?:f ?or|per) ?-? ?(?:every |each )?${RIGHT}`, "g"),
    notBefore: new RegExp(`${ADS_TO_SHARES.source}|${DATE_OR_NUMBER.source}`, "i"),
    form: "digits",
    example: "a 1-for-20 reverse split",
  },
  {
    name: "with a colon before the name of the split, 1:20 reverse split",
    pattern: new RegExp(
      String.raw`${NO_TIME_OF_DAY}${LEFT} ?: ?${RIGHT}(?=\)?[ -](?:reverse|(?:share|stock|unit) consolidat|consolidat))`,
      "gi",
    ),
    notBefore: new RegExp(`${NUMBERED.source}|${EAST_ASIAN_BEFORE.source}`, "i"),
    form: "digits",
    example: "a (1:20) reverse split",
  },
  {
    name: "with a colon, 20:1",
    pattern: new RegExp(`${NO_TIME_OF_DAY}${LEFT} ?: ?${RIGHT}`, "gi"),
    notBefore: new RegExp(`${RATIO_OF_ADS.source}|${NUMBERED.source}|${EAST_ASIAN_BEFORE.source}`, "i"),
    notAfter: TIME_OF_DAY_AFTER,
    form: "digits",
    example: "consolidation at 20 : 1",
  },
  {
    name: "with to, 20 to 1",
    pattern: loosePattern(`${LEFT} ?-? ?(?:to|into) ?-? ?${RIGHT}`, "g"),
    notBefore: new RegExp(`${RATIO_OF_ADS.source}|${DATE_OR_NUMBER.source}`, "i"),
    form: "digits",
    example: "a 20-to-1 rollback",
  },
  {
    name: "with a slash or hyphen, 1/20",
    pattern: loosePattern(
      String.raw`${LEFT}[\/-]${RIGHT}(?=\)? (?:reverse|(?:share|stock|unit) consolidat|consolidat|roll ?back))`,
      "g",
    ),
    form: "digits",
    example: "a 1-20 reverse split",
  },
  {
    name: "with a hyphen after the name of the split, 1-20",
    pattern: new RegExp(
      String.raw`(?<=\b(?:splits?|consolidation|roll-?back)(?: of|:|,)? ?\(?)${LEFT}[/-]${RIGHT}(?![-/])`,
      "gi",
    ),
    notBefore: DATE_OR_NUMBER,
    form: "digits",
    example: "the reverse split (1-20)",
  },
  {
    name: "every 20 shares become 1",
    pattern: new RegExp(
      String.raw`(?:every|each)(?: (?:(?:block|group|lot|set) of|current|existing|old))?\s?${LEFT}(?!\d|\.\d|,? or,? \d)(?<between>${OLD_SHARES}${BECOME}) ${RIGHT}`,
      "gi",
    ),
    between:
      /combin|consolidat|reclassif|convert|exchang|chang|merg|becom|collaps|reduc|receiv|entitle|equal|represent|correspond|turn/i,
    form: "outcome",
    example: "every 20 shares held on June 3 will be combined into 1 share",
  },
  {
    name: "for every 20 shares, 1 share",
    pattern: new RegExp(
      String.raw`(?:every|each)(?: (?:block|group|lot|set) of)?\s?${LEFT}(?!\d|\.\d|,? or,? \d)(?<between>${WORDS}) ${RIGHT}(?=[^.;\d]{0,40}(?:share|unit|stock|ads))`,
      "gi",
    ),
    between: /(?:share|unit|stock|ads).*(?:,|\bheld|\bowned|\bhold|\bown|\breceive|\bget)/i,
    form: "outcome",
    example: "for every 20 shares held, holders will own 1 new share",
  },
  {
    name: "1 share for every 20 shares",
    pattern: new RegExp(
      String.raw`${LEFT}(?<between>${WORDS})(?:\bfor|\bper|\bin place of|\bin lieu of|\bfrom|\bout of)\s?(?:every|each|such)?\s?${RIGHT}`,
      "gi",
    ),
    notBefore: DATE_OR_NUMBER,
    between: SHARES,
    form: "sides",
    example: "1 post-consolidation share for each 20 pre-consolidation shares",
  },
  {
    name: "20 shares become 1",
    pattern: new RegExp(
      String.raw`${LEFT}(?<between>${WORDS}\b(?:shares|units|stock|adss?)\b${WORDS}(?:\b(?:becomes?|gives?|makes?|equals?|turns? into)|=))\s?${RIGHT}`,
      "gi",
    ),
    notBefore: DATE_OR_NUMBER,
    form: "outcome",
    example: "20 existing shares will become 1",
  },
  {
    name: "20 shares to 1 share",
    pattern: new RegExp(
      String.raw`${LEFT}(?<between>${WORDS})(?:\binto|\bto|\bwith|\b(?:grouped|combined|consolidated|merged|converted|pooled) in|=)\s?${RIGHT}`,
      "gi",
    ),
    notBefore: DATE_OR_NUMBER,
    between: SHARES,
    form: "sides",
    example: "a consolidation of 20 existing shares into 1",
  },
  {
    name: "each share becomes 0.05 of a share",
    pattern: new RegExp(
      String.raw`\b(?:every|each)(?: 1)? (?<between>${WORDS}\b(?:share|stock|unit)s?\b${WORDS}\b(?:into|for|becomes?|represents?|as)(?: the right to receive)?) (?<right>0?\.\d{1,8}|1\/\d{1,4})(?![\d%/]|\.\d| ?%)(?=[^.;\d]{0,40}(?:share|unit|stock|ads))`,
      "gi",
    ),
    notBefore: OTHER_TRANSACTION,
    form: "sides",
    example: "each share outstanding will be converted into 0.05 of a share",
  },
  {
    name: "by a factor of 20",
    pattern: new RegExp(
      String.raw`(?<left>\bby a factor of|\b(?:consolidation|split) factor (?:of|is|was)) ${RIGHT}`,
      "gi",
    ),
    notBefore: /\b(?:increas|multipl|rais|higher|rise|ris(?:es|ing)|grow)\w*\b[^.;]{0,60}$/i,
    form: "digits",
    example: "reduced by a factor of 20",
  },
];

/** Required in a sentence that states a split ratio: a word for the split, its ratio, its basis or its effect. */
export const SPLIT_CONTEXT = loosePattern(
  "reverse|consolidat(?!ed (?:statement|balance|financial|result|revenue|operation|cash|net|subsid))|roll ?back|split|spilt|ratio|basis|pre-|post-|combin|reclassif|range|factor of|for-[0-9]",
);

/** Alternative to `SPLIT_CONTEXT`: describes the conversion of a number of shares. */
export const SHARE_CONVERSION =
  /(?:every|each)\b.{0,300}?(?:convert|correspond|exchang|chang|becom|turn|combin|receiv|hold|held|own)|\bshares\b[^.;]{0,40}(?:\b(?:become|equal|turn into)\b|=)|\b(?:old|existing) shares?\b[^.;]{0,40}\b(?:becomes?|gives?|makes?)\b/i;

/** What holders will own after the split, in a sentence without a word for it: `will receive 1 new share for every 20 held`. */
export const HOLDING_AFTER =
  /\b(?:receive|get|be issued) 1 (?:new|post-?\w*|consolidated|combined|split-adjusted)\b[^.;]{0,40}\bshares?\b|\b(?:will|would) (?:own|hold|have) 1 (?:\w+ ){0,2}shares?\b/i;

/** Words beside a ratio. A pair without the number 1, such as 3-for-10, requires one of them. */
export const RATIO_WORD_BEFORE = /\b(?:ratio|basis|factor)(?: (?:of|is|at|to|be))*(?: an?)?[ :]*$/i;
export const RATIO_WORD_AFTER = /^[ -]?(?:basis|ratio|reverse|(?:share|stock|unit) consolidat|consolidat|roll)/i;

/** Corporate actions that reduce the number of shares, regardless of the order of the digits. */
export const REVERSE_WORDS = loosePattern(
  "reverse|consolidat(?!ed (?:statement|balance|financial|result|revenue|operation|cash|net|subsid))|roll ?back|combin(?!ed company)|(?<!un)reclassif|share merger",
  "g",
);
/** Corporate actions that increase the number of shares. */
export const FORWARD_WORDS = loosePattern(
  "forward (?:stock |share )?(?:split|spilt)|forward|subdivi|bonus issue|stock dividend",
  "g",
);

/** Securities whose terms may also be stated as a number of shares: warrants, notes, options, preferred shares. */
export const OTHER_SECURITY =
  /\b(?:warrants?|options?|rights\b(?! to receive)|notes?|debentures?|RSUs?|restricted|subscription receipts?|preferred|preference|votes?|creation units?|baskets?)\b/i;

export const DEPOSITARY = /\b(?:ADSs?|ADRs?|GDSs?|GDRs?|American depositary|depositary (?:shares?|receipts?))/i;
export const UNDERLYING_SHARES = /\bshares?\b/i;

/** Wording of a ratio range, between its numbers or directly before one. */
export const RANGE_BOUND =
  /\b(?:up to|maximum|max\.?|minimum|between|ranging|range|(?:not|no) (?:to )?(?:be )?(?:exceed\w*|more|less|greater|fewer|lower|higher)|at least|at most|as (?:many|much|high|low) as)\b/i;
/** Text before a ratio that is a bound: `RANGE_BOUND`, then words that may separate the two. */
export const BOUND_BEFORE = new RegExp(
  String.raw`${RANGE_BOUND.source}(?:[ ,-]+(?:an?|the|any|whole|ratios?|of|from|at|being|exchange|reverse|stock|share|split|numbers?|basis|on|consolidation|than|to|between|for|in|and|including|either|one|1)\b){0,9}[ :("-]*$`,
  "i",
);
/** Text after a ratio that is a bound: `or more`, `to 30`. */
export const BOUND_AFTER =
  /^[^.;,\d]{0,24}?(?:\bor (?:more|less|such|greater|lower|higher|another|other)\b|\band up\b)|^[ -]?(?:to|through|up to)[ -]?\d{1,4}\b(?![.,]?\d| (?:million|billion|[a-z ]*shares))/i;
/** `between 5 and ` before the ratio `20 old shares for 1 new`, which is then a bound. */
export const BOUND_ACROSS =
  /\b(?:between|from) (?:every |each )?\d[\d.]*(?:[ -](?:old|pre|post|existing|new|shares?|consolidation|split))* (?:and|to) $/i;

/** Connects the two ends of a range. */
export const RANGE_CONNECTOR = connectorPattern("to|through|thru|or|up to|down to|versus");
/** Connects the two ends of a range whose first end is marked as a bound: `between 1-for-5` and `1-for-20`. */
export const BOUND_CONNECTOR = connectorPattern("to|through|thru|or|up to|and|but");

/** Text before the old ratio of `changed from 1-for-30 to 1-for-25`. */
export const CHANGED_FROM =
  /\b(?:chang|revis|amend|adjust|increas|decreas|modif|updat|correct|reduc|rais|mov)\w*\b[^.;\d]{0,80}\bfrom\b[^.;\d]{0,30}$/i;

/** Text before the new ratio of `changed from 1-for-30 to 1-for-25`. */
export const CHANGED_TO =
  /\b(?:chang|revis|amend|adjust|increas|decreas|modif|updat|correct|reduc|rais|mov)\w*\b[^.;]{0,80}\bfrom\b[^.;]{0,60}\bto\b[^.;\d]{0,30}$/i;

/** Text before a ratio that replaces an earlier one. */
export const REVISED_BEFORE =
  /\b(?:(?:(?:revised|amended|updated|corrected|final|definitive)(?: and final)?[ ,](?:[a-z-]+ ){0,3}?(?:ratio|basis|split|consolidation)|new (?:[a-z-]+ ){0,3}?ratio|will now be|now be|instead)\b[^.;\d]{0,50}|(?:revis|amend|chang|correct|updat|adjust|modif|increas|decreas|rais|reduc)\w*(?: [a-z-]+){0,3} to(?: (?:an?|the|be|new|ratio|of|basis))*[ :-]*)$/i;
/** Text before a ratio that was replaced. */
export const REPLACED_BEFORE =
  /\b(?:(?:instead of|rather than|in place of|replac(?:es|ing) (?:the|its|our)|supersed(?:es|ing)|as opposed to|no longer|incorrectly|erroneously|wrongly|in error|compared (?:to|with))\b[^.;\d]{0,50}|not(?: (?:at|on|in|by|an?|the|ratio|basis|of))*[ :-]*)$/i;
export const REPLACED_AFTER =
  /^[^.;\d]{0,40}?\b(?:(?:was|is|has been) (?:replaced|superseded|incorrect|wrong)|(?:was|stated|printed) in error|is no longer)\b/i;
/** Text before a ratio that was announced earlier. */
export const EARLIER_BEFORE =
  /\b(?:previously|originally|initially|earlier|former|formerly|prior(?! to)|previous|recent|recently|was to (?:be|have)|had been|first announced)\b(?:[^.;\d]|\b[a-z]{3,9}\.? \d{1,2}, (?:19|20)\d\d\b){0,70}$/i;
export const EARLIER_AFTER =
  /^[^.;\d]{0,60}?\b(?:previously|originally|initially|earlier) (?:announced|disclosed|reported|planned|set|approved|stated)/i;

/** Marks a completed split. It is news in the lead of a release, and history elsewhere. */
export const COMPLETED_BEFORE =
  /(?<!\b(?:be|being|is|are|to be) )\b(?:effected|completed|implemented|executed|conducted|underwent|carried out|undertook|undergone|did|were|was|consolidated its|has|had)\b(?! (?:authori|approv|announc|decid|determin|resolv|set|elect|declar|fix))[^.;\d]{0,80}$/i;
export const COMPLETED_AFTER =
  /^[^.;\d]{0,60}?(?:\b(?:that|which) (?:was|were|became|took)\b|\b(?:was|were) (?:effected|completed|implemented|executed|effective)|\b(?:became|took) effect|\b(?:effected|completed|implemented) (?:on|in|as of|during|last|earlier)\b)/i;

/** Marks a past split: the sentence is about figures that were restated for it, or about events since then. */
export const RETROSPECTIVE =
  /\b(?:retroactive\w*|(?<!amended and )restated?|periods? presented|per[- ]share (?:amounts?|data|figures|information)|historical|all share|comparative|prior year|fiscal|quarter|years? ended|months? ended|since (?:the|our|its|a)|last year)\b/i;

/** Marks a ratio that only illustrates how a split works. */
export const ILLUSTRATIVE =
  /\b(?:hypothetical|for (?:example|instance|illustrat\w+)|by way of (?:example|illustration)|e\.g|illustrat\w+|assum(?:es|ing))\b/i;

/** Text before the last number of `every 20, or 10, shares`: the sentence does not say which number applies. */
export const ALTERNATIVE_BEFORE = /\d,? or,? $/;

/** Text before a split that is denied. */
export const DENIAL_BEFORE = /\b(?:no plans?|not (?:plan|intend|require|contemplate)|without)\b[^.;]{0,80}$/i;

/** Pattern of the text between two ratios that `words` connect. */
function connectorPattern(words: string): RegExp {
  const ratioWords =
    "basis|ratio|reverse|of|the|company|shares?|held|(?:pre|post|old|new|existing|outstanding|common|ordinary|consolidat|split)[a-z]*";
  const boundWords =
    "and including|(?:not|no) (?:more|greater|higher|less) than|(?:a |the )?(?:maximum|minimum)(?: of)?|up to|as (?:high|low|much|many) as|on";
  return new RegExp(
    String.raw`^(?:[ ,-]|\b(?:${ratioWords})\b)*(?:\b(?:${words})(?: (?:${boundWords}))*(?: an?| the)?[ :-]*)?$`,
    "i",
  );
}
