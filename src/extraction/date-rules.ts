import { type Classified, findMatches, type TextRule } from "./text-rule.ts";

/** Wording directly before a date, directly after it, or both. */
export interface DateRule {
  readonly name: string;
  /** Ends with `$`. */
  readonly before?: RegExp;
  /** Begins with `^`. */
  readonly after?: RegExp;
  /** A text with one date, written as `May 4, 2026`. A test matches the rule against it. */
  readonly example: string;
}

export function matchesDateRule({ before, after }: DateRule, left: string, right: string): boolean {
  return (before?.test(left) ?? true) && (after?.test(right) ?? true);
}

/**
 * Time of day stated with a date. `open`: before or at the market open. `morning`: a time up to 9:30 in New York. `session`: a later
 * time in the morning. `session_close`: at the market close. `evening`: close of business, or any time after noon.
 */
export type TimeOfDay = "open" | "morning" | "session" | "session_close" | "evening";

/** Text between a time and the date after it: `… of trading on the Nasdaq Capital Market ("Nasdaq") on `. */
const UP_TO_DATE = "[^;]{0,90}$";
/** Start of a time of day: `9:30 `, `5 `. */
const HOUR = String.raw`\d{1,2}(?:[:.]\d\d)? ?`;

export const TIME_RULES: readonly Classified<DateRule, TimeOfDay>[] = [
  {
    name: "opening time after the date",
    category: "open",
    after:
      /^,? ?\(?(?:at|as of|as at|prior to|before|upon|when|with|on)? ?(?:the )?(?:(?:market|trading|nasdaq|nyse|stock market|exchange)?(?: is)? ?open|(?:commencement|start|beginning) of (?:trading|business))/i,
    example: "the split takes effect on May 4, 2026, at the open of trading",
  },
  {
    name: "morning time after the date",
    category: "morning",
    after: new RegExp(
      String.raw`^,? ?\(?(?:at|as of|as at|prior to|before|from)? ?(?:approximately |about )?(?:the )?${HOUR}a\.? ?m\b`,
      "i",
    ),
    example: "the split takes effect on May 4, 2026, at 12:01 a.m. Eastern Time",
  },
  {
    name: "close after the date",
    category: "session_close",
    after:
      /^,? ?\(?(?:at|as of|after|following|upon)? ?(?:the )?(?:(?:market|trading)'?s? clos|close of (?:the )?(?:trading|market)|(?:close|(?:closing )?bell)\b(?! (?:of|price)\b))/i,
    example: "the split takes effect on May 4, 2026, after the market closes",
  },
  {
    name: "the day's close",
    category: "session_close",
    after: /^'s? (?:market )?clos/i,
    example: "the split takes effect after May 4, 2026's close",
  },
  {
    name: "the day's open",
    category: "open",
    after: /^'s? (?:market )?open/i,
    example: "the split takes effect at May 4, 2026's open",
  },
  {
    name: "evening time after the date",
    category: "evening",
    after: new RegExp(
      String.raw`^,? ?\(?(?:at|as of|after|following)? ?(?:approximately )?(?:the )?(?:${HOUR}p\.? ?m\b|close of business)`,
      "i",
    ),
    example: "the amendment takes effect on May 4, 2026, at 5:00 p.m.",
  },
  {
    name: "close before the date",
    category: "session_close",
    before: new RegExp(
      String.raw`(?:clos(?:e|es|ing) (?:of|for) (?:the |regular |normal |regular-way )*(?:us |u\.s\. )?(?:trading|markets?|stock market|nasdaq|nyse|exchange)|(?:market|trading)'?s? clos(?:e|es|ing)\b|\b(?:after|following|upon|at) (?:the )?(?:close|closing bell|bell|trading)(?: hours)?(?: on\b| ?$)|end of (?:the )?(?:trading|session))(?![^;]{0,90}\b(?:open|a\.?m\b))${UP_TO_DATE}`,
      "i",
    ),
    example: "effective after the close of trading on the exchange on May 4, 2026",
  },
  {
    name: "evening time before the date",
    category: "evening",
    before: new RegExp(
      String.raw`(?:clos(?:e|es|ing) (?:of|for) business|(?<![\d:])${HOUR}p\.? ?m\b\.?)(?![^;]{0,90}\b(?:open|a\.?m\b))${UP_TO_DATE}`,
      "i",
    ),
    example: "effective as of 5:00 p.m. (Eastern Time) on May 4, 2026",
  },
  {
    name: "open before the date",
    category: "open",
    before: new RegExp(
      String.raw`(?:open(?:s|ing|ed)?|(?:commencement|start|beginning) of (?:the )?(?:\w+ )?(?:trading|business)|pre-?market|(?:before|ahead of) (?:the )?bell)(?![a-z])${UP_TO_DATE}`,
      "i",
    ),
    example: "before trading opens on the exchange on Monday, May 4, 2026",
  },
  {
    name: "morning time before the date",
    category: "morning",
    before: new RegExp(String.raw`(?<![\d:])${HOUR}a\.? ?m\b\.?${UP_TO_DATE}`, "i"),
    example: "effective at 12:01 a.m. New York time on May 4, 2026",
  },
];

const CLOCK_TIME =
  /(?<![\d:.])(\d{1,2})(?:[:.](\d\d))? ?a\.? ?m\b\.?,? ?\(?(?:u\.?s\.? )?(central|mountain|pacific|[cmp][sd]?t\b)?/gi;
const HOURS_BEHIND_NEW_YORK: ReadonlyMap<string, number> = new Map([
  ["c", 1],
  ["m", 2],
  ["p", 3],
]);
const MARKET_OPEN_MINUTES = 9 * 60 + 30;

/** Whether the last time of a text, in the morning, is after 9:30 in New York. A time without a zone is New York's. */
export function isAfterMarketOpen(text: string): boolean {
  const [, hour, minute = "0", zone = ""] = findMatches(CLOCK_TIME, text).at(-1) ?? [];
  if (hour === undefined) return false;
  const hours = (Number(hour) % 12) + (HOURS_BEHIND_NEW_YORK.get(zone.slice(0, 1).toLowerCase()) ?? 0);
  return hours * 60 + Number(minute) > MARKET_OPEN_MINUTES;
}

/**
 * Reason why a date isn't the first trading day. `superseded`: it was the date of an earlier plan. `bound`: the first
 * trading day is before or after it. `other`: it belongs to another matter, such as a meeting.
 */
export type Exclusion = "superseded" | "bound" | "other";

/** Text up to the date that contains no word about the split or about trading. */
const UNRELATED_UP_TO_DATE = String.raw`(?:(?!\b(?:effect|occur|begin|commenc|start|trad|open|will|now|implement|execut|carr(?:y|ied)|is to|are to)\w*)[^;]){0,70}$`;

const OTHER_MATTERS =
  "(?:meetings?|meets?|held|vot(?:e|ed|es|ing)|approv\\w+|authori[sz]\\w+|adopt(?:s|ed|ion)|ratif\\w+|resol(?:ved?|utions?)|consent\\w*|decisions?|decided|determined|given|granted|obtained|signed|fil(?:ed|es|ing|ings)|certificates?|amend\\w+|articles|form|reports?|dated|notices?|notif\\w+|letters?|deadline|complian\\w+|regain\\w*|expir\\w+|matur\\w+|payable|(?<!ex-)distribut\\w+|dividends?|deliver\\w+|mail\\w+|exchanged|(?<!(?:issued and|all|its|the|our) )outstanding|founded|(?<!\\b(?:basis|trading|traded)\\b[^;]{0,40})since|(?<!\\b(?:previously|earlier|recently|newly)[ -])announced|press release|news release|warrants?|exercis\\w+|offering|(?<!markets? )clos(?:ed|ing price)|(?:last|reported|sales?|average|bid)[ -](?:reported )?(?:sales? |trading |bid )?prices?|record|ended|ending|suspend\\w+|halt\\w*|delist\\w+)";

/** Persons and bodies whose approvals, votes and meetings a release names with their days. */
const ACTORS =
  "(?:directors?|boards?|committees?|members|managers|trustees|(?:(?:stock|share|unit|security|bond|note)?holders?)(?: of record)?)(?:'s?)?";

const MOVED =
  "(?:moved|(?:date|day|timing|time)[^;]{0,60} (?:changed|revised|updated|amended)|brought forward|pushed back|postpones?|postponed|postponing|delays?|delayed|delaying|reschedul(?:es|ed|ing)|advanced|accelerated|extended|shifted|deferred)";

export const EXCLUSION_RULES: readonly Classified<DateRule, Exclusion>[] = [
  {
    name: "originally scheduled",
    category: "superseded",
    before:
      /\b(?:originally|previously|initially|formerly|earlier|first)(?:,| been| was| were)* (?:scheduled|expected|planned|anticipated|set|slated|targeted|intended|communicated|proposed|stated|(?:announced|disclosed|reported|published) (?:that |as |for |to |on |of |the )*(?:effective |trading |ex-?|split |start |date\b|be|begin|take))(?:(?!\b(?:but|will|now|instead|is|are|has)\b)[^;]){0,110}$/i,
    example: "shares that were originally scheduled to begin trading on a split-adjusted basis on May 4, 2026",
  },
  {
    name: "was scheduled",
    category: "superseded",
    before:
      /\b(?:was|were|had been|had)(?: \w+)? (?:scheduled|expected|set|planned|slated|due|anticipated|to have|to (?:be|begin|take|commence|start|become|go))\b(?:(?!\b(?:but|will|now|instead)\b)[^;]){0,130}$/i,
    example: "the split that was to take effect on May 4, 2026",
  },
  {
    name: "previously this day",
    category: "superseded",
    before: /\b(?:which|that) (?:had been|was)(?: on| for)? $/i,
    after: /^,? (?:is|are|has|will|now)\b/i,
    example: "the first trading day, which had been May 4, 2026, is now a later one",
  },
  {
    name: "moved from this day",
    category: "superseded",
    before: new RegExp(String.raw`\b${MOVED}\b(?:(?! to )[^;]){0,100} from (?:the (?:\w+ )?(?:date )?(?:of )?)?$`, "i"),
    example: "the date has been moved from May 4, 2026",
  },
  {
    name: "from this day to another",
    category: "superseded",
    before: / from $/i,
    after:
      /^,? (?:to|until) (?:an? |the )?(?:later|earlier|new|next|following|date|\d|(?:mon|tues|wednes|thurs|fri)day|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? ?\d)/i,
    example: "a change in the first trading day, from May 4, 2026, to a later one",
  },
  {
    name: "another day instead of this one",
    category: "superseded",
    before:
      /\b(?:instead of|rather than|in place of|in lieu of|replac\w+|not|as opposed to|no longer)(?: (?:on|the|from|at|market|open|opening|of|previously|originally|announced|disclosed|scheduled|planned|expected|date|effective|before|when|opens)){0,8} $/i,
    example: "on the following Monday rather than on May 4, 2026",
  },
  {
    name: "has been postponed",
    category: "superseded",
    after:
      /^(?:(?!\band\b)[^.;]){0,40}\b(?:(?:has|have|had) (?:now |also )?been|is|are|will be)(?: now)? (?:postponed|delayed|deferred|suspended|rescheduled|moved|changed|cancell?ed|withdrawn|abandoned)/i,
    example: "the split that was set for May 4, 2026 has been postponed",
  },
  {
    name: "postpones what was set for this day",
    category: "superseded",
    before:
      /\b(?:postpon(?:es?|ed|ing|ement)|delay(?:s|ed|ing)?|defer(?:s|red|ring|ral)?(?! settlement)|suspend(?:s|ed|ing)?)\b(?:(?!\b(?:to|until|till|now|will|new|instead|but)\b)[^;]){0,140}$/i,
    example: "the postponement of the reverse split effective May 4, 2026",
  },
  {
    name: "will not happen on this day",
    category: "superseded",
    before:
      /\b(?:will|shall|is|are|does|do) (?:not|no longer)\b(?:(?!\b(?:but|until|before|now|instead)\b)[^;]){0,110}$/i,
    example: "the shares will not begin trading on a split-adjusted basis on May 4, 2026",
  },
  {
    name: "before or after this day",
    category: "bound",
    before:
      /(?:\b(?:no|not) (?:later|earlier|sooner) than(?: on| the)?|\bon or (?:before|prior to|after)|(?:^|[\s(])(?:by|until|through|within|before|after|between|prior to|(?<!the )following)(?: about| approximately)?|\bas (?:early|soon|late) as|\bat the (?:earliest|latest)(?: on)?|\b(?:weeks?|month|days?|session|close) (?:of|before|after|following|prior to|preceding))(?: the)? $/i,
    after: /^(?!'s? (?:market )?(?:open|clos))/i,
    example: "the shares will trade on a split-adjusted basis no later than May 4, 2026",
  },
  {
    name: "or earlier, or later",
    category: "bound",
    after: /^,? or (?:earlier|sooner|before|later|after|thereafter|as soon)/i,
    example: "trading begins on May 4, 2026 or as soon as it is cleared",
  },
  {
    name: "first day of a period",
    category: "bound",
    after: /^ ?(?:-|to|through|until) ?$/i,
    example: "to take effect May 4, 2026 through",
  },
  {
    name: "meeting that opens on this day",
    category: "other",
    before: /\b(?:meeting|webcast|conference call|hearing)\b(?:(?!\b(?:effect|trad)|basis|split[- ]adj)[^;]){0,100}$/i,
    example: "the meeting on the reverse split will open at 10:00 a.m. on May 4, 2026",
  },
  {
    name: "other matter",
    category: "other",
    before: new RegExp(String.raw`\b${OTHER_MATTERS}\b${UNRELATED_UP_TO_DATE}`, "i"),
    example: "a special meeting of stockholders on May 4, 2026",
  },
  {
    name: "announcement on this day",
    category: "other",
    before: /\b(?:announced|disclosed|reported|communicated|published)(?: back)?(?: on)? $/i,
    example: "trading at prices that reflect the reverse split previously announced on May 4, 2026",
  },
  {
    name: "act of the directors or holders, after the actor",
    category: "other",
    before: new RegExp(
      String.raw`(?<!\bdear )\b${ACTORS}\b(?:(?!\b(?:effect|occur|begin|commenc|start|trad|open|will|shall|now|consolidat|combin|convert|implement|complet|execut|becom|tak)\w*)[^;]){0,50}$`,
      "i",
    ),
    example: "approved by the holders and by the directors on May 4, 2026",
  },
  {
    name: "act of the directors or holders on this day",
    category: "other",
    before: /(?<!\beffective(?: on| as of| from)?) $|^$/i,
    after: new RegExp(
      String.raw`^\)?,? ?(?:(?!\b(?:effect|occur|begin|commenc|start|trad|open|will|shall|becom|takes?|splits?|consolidation)\b)[^.;]){0,60}?\b(?:${ACTORS}|company|corporation|issuer|trust|fund|we|it|meeting)\b(?:(?!\b(?:effect|begin|commenc|start|trad|open|will|shall|becom|takes?)\w*)[^.;]){0,30}?\b(?:approved|adopted|authori[sz]ed|ratified|resolved|consented|voted|held|filed|submitted|received|convened|met|determined|decided|declared|fixed|announced|elected|signed|amended|recommended|passed|gave|obtained)\b`,
      "i",
    ),
    example: "On May 4, 2026, the board of directors of the company approved the reverse split",
  },
  {
    name: "dateline",
    category: "other",
    before: /^[^\p{L}]{0,6}(?:\p{Lu}[\p{L}.']*[ ,/(&-]+(?:(?:of|and|the|de|du|la) )?){1,12}$/u,
    after: /^\)? ?(?:\([^)]{2,60}\)|\/[^/]{2,40}\/)? ?[-/]{1,3} ?(?=[A-Z"(])/,
    example: "HARBOR CITY, Ore., May 4, 2026 (GLOBE NEWSWIRE) -- Harbor Mills, Inc. announced",
  },
  {
    name: "record date before the day",
    category: "other",
    before: /\brecord (?:date|day)\b(?:(?!\b(?:effect|trad|begin|commenc|open|ex-)\w*)[^.;]){0,110}$/i,
    example: "The record date for the reverse split will be the close of business on May 4, 2026",
  },
  {
    name: "record date after the day",
    category: "other",
    after: /^,? ?(?:as |being |is |was |has been set as |set as )+the record date/i,
    example: "the board set May 4, 2026 as the record date",
  },
];

/** Text before the day and time at which the split takes effect, whatever document states them: `effective under the terms of the amendment at 9:00 a.m. on `. */
export const EFFECTIVE_AT_TIME = new RegExp(
  String.raw`\b(?:effective|takes? effect|effectiveness)\b(?:(?!\b(?:meeting|held|approved|adopted|voted?)\b)[^;]){0,140}\b(?:at|as of) ${HOUR}[ap]\.? ?m\b[^;\d]{0,40}$`,
  "i",
);

/** Text before the new day of something else than the split: `postponed its special meeting on the split to `. */
export const OTHER_MOVED = new RegExp(
  String.raw`\b${MOVED} (?:(?!\b(?:split|consolidation|effect\w*)\b)[\w'-]+ ){0,6}(?:meeting|vote|hearing|record date|deadline|offering|closing|earnings|results)\b[^;]{0,140}$`,
  "i",
);

/** Text between two days that names another person or body: `approved by the holders on May 4 and by the directors on …`. */
export const NAMES_ACTOR = new RegExp(String.raw`\b${ACTORS}\b`, "i");
/** Words between two days, or after the second, with which the second belongs to the split itself. */
export const TURNS_TO_EFFECT =
  /\b(?:effect|occur|begin|commenc|start|trad|open|will|shall|now|becom|take|implement|complet|execut|would|carry|happen|come|ex-)\w*/i;

/** Text before the last day of a period, up to its first day: `between `. */
export const PERIOD_BEFORE = /\bbetween (?:the )?$/i;
/** Words for a move, after which `from May 4 to May 11` names the new day and not a period. */
export const MOVE_BEFORE = new RegExp(
  String.raw`\b(?:${MOVED}|mov|chang|revis|amend|updat|correct|adjust|postpon|delay|reschedul)\w*\b[^;]{0,140}$`,
  "i",
);

/** Question for the day of the split, which the next sentence answers. */
export const ASKS_FOR_DAY =
  /\b(?:when|(?:on|from) (?:what|which) (?:day|date)|what (?:is|will be|are) the (?:expected )?(?:effective|ex-?|first trading|split|consolidation)[ -]?(?:date|day|time))\b.{0,160}\?\W*$/i;

/** Matches the text before the new date of something that was moved. */
export const MOVED_TO = new RegExp(
  String.raw`\b${MOVED}\b[^;]{0,140} (?:to|until)(?: (?:the|market|open|opening|of|trading|on|at|before|prior|business|no))*? $`,
  "i",
);

/**
 * Reference to a day without its date. `dateline`: the release's own day. `antecedent`: the day last named; `next_session`:
 * the first trading day after it. `defined`: a term that the release defines, as in `May 4, 2026 (the "Effective Date")`.
 */
export type RelativeKind =
  | "dateline"
  | "day_after_dateline"
  | "antecedent"
  | "next_session"
  | "weekday"
  | "last_weekday"
  | "defined";

/** Rules for relative references. Every pattern has the flag `g`. */
export const RELATIVE_RULES: readonly Classified<TextRule, RelativeKind>[] = [
  {
    name: "today",
    category: "dateline",
    pattern:
      /(?<!\b(?:announc\w{2,3}|report\w{1,3}|said|stated|disclosed|provided|issued|(?<!effective )as of|after|from|until|our|and|company|has|have) )\b(?:today|tonight|this morning)\b(?!'s|,? (?:announc|report|provid|issu|stat|that |said|disclos|confirm|declar|it ))/gi,
    example: "at the open today",
  },
  { name: "tomorrow", category: "day_after_dateline", pattern: /\btomorrow\b(?!'s)/gi, example: "from tomorrow" },
  {
    name: "same day",
    category: "antecedent",
    pattern: /\b(?:on |of )?(?:(?:that|the) same (?:day|date)|(?:that|such|the said) (?:day|date)|same[- ]day)\b/gi,
    example: "when the market opens that same day",
  },
  {
    name: "next trading day",
    category: "next_session",
    pattern:
      /\b(?:(?:next|following|subsequent|succeeding) (?:full )?(?:trading |business |market |calendar )?(?:day|session|morning)\b|(?:first )?(?:full )?(?:trading |business |market )?(?:day|session)(?= (?:immediately )?(?:thereafter|after|following)))(?: (?:immediately )?(?:thereafter|after|following)\b)?/gi,
    example: "on the next trading day",
  },
  {
    name: "weekday on which trading has begun",
    category: "last_weekday",
    pattern:
      /\b(?:on )?(mon|tues|wednes|thurs|fri)day\b(?=(?: morning)?,? (?:(?:as|when|after) [^.;,]{0,60}\b(?:(?:begins?|began|begun|starts?|started|opens?|opened) trading|(?:took|takes|went into|goes into|came into|taking) effect|(?:became|becomes|is now) effective|went live|kicked in)\b(?![^.;]{0,80}\b(?:mon|tues|wednes|thurs|fri)day\b)|(?:which is |marking |marks )?(?:the|its|their) first (?:day of )?(?:trading|post-split|split-adjusted)\b))/gi,
    example: "Shares fell Tuesday as the stock began trading",
  },
  {
    name: "weekday without a date",
    category: "weekday",
    pattern:
      /(?:\b(?:the following|next|this|on|the next|following|beginning|starting|commencing|effective|from|as of|for) |(?<=\b(?:trading|trades?|basis|effect|begins?|began|starts?|started|opens?|opened|closes?|bell|kicks in|after|at|before) ))(mon|tues|wednes|thurs|fri)day\b(?!,? ?\(?(?:the )?(?:(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? ?)?\d)/gi,
    example: "at the open the following Monday",
  },
  {
    name: "defined term",
    category: "defined",
    pattern:
      /\b(?:the|such|this) "?((?:[A-Z][A-Za-z-]+ ){1,4}(?:Date|Time|Day))\b"?|(?<=\b(?:on|from|as of) )(?:the|such|this) ((?:effective|split|consolidation) (?:date|time|day))\b(?! of\b)/g,
    example: "at the open on the Effective Date",
  },
];
