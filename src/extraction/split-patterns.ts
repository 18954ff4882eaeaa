import { contains, loosePattern, startingWith, type TextRule } from "./text-rule.ts";

/** Names of a reverse split, including misspellings of `consolidation`. */
export const REVERSE_SPLIT = loosePattern(
  "(?<=(?:will|would|to) )combine(?= (?:every |each )?(?:(?!one)[a-z-]+|\\d[\\d,]*)(?:\\s(?!into)[a-z-]+){0,4}\\sshares (?:of [a-z\\s]{1,40})?into (?:one|1)(?!\\d))|reversed? (?:(?:\\d{1,5}(?: for |:)\\d{1,5}|one for [a-z]{3,9}) )?(?:(?:stock|share|unit|ads|ads ratio|common stock|common share|ordinary share) )?split|(?:share|stock|unit) (?:consolidati?o?n|combination)|consolidat(?:ion of|e|es|ing) [^.;:]{0,70}?(?:shares|share capital|stock|units|securities|et[fnp]s?\\b|adss?\\b)|consolidation of (?:the )?capital|consolidat(?:e|es|ed|ing) (?:at|on) (?:a|an|the) [^.;]{0,20}?(?:basis|ratio)|consolidated (?:all of )?(?:its|all|the|our) (?:issued|outstanding|common|ordinary|share|class|existing)|(?:shares|stock|units|share capital) (?:(?:will|shall|to|have|has|are|is|were|was) )?(?:be |been |being )?consolidated|(?:shares|stock|units) of (?:[^.;]|\\.(?=\\d)){0,60}? (?:(?:will|shall) be|were|was|are|is|have been|has been) consolidated|consolidation (?:at|on|with|in) (?:an?|the) (?:(?:[\\d(]|one\\b)[^.;]{0,30}?)?(?:ratio|basis)|roll(?:ed|ing)? ?back|(?<=\\d(?: for |:)\\d{1,5} )consolidation(?!s|al)",
  "g",
);
/** Words with which a match of `REVERSE_OR_DEFINED_TERM` begins. */
export const REVERSE_OR_DEFINED_TERM_STARTS = "reverse|share|stock|unit|consolidat|combin|roll|split";

/** `REVERSE_SPLIT`, or a defined term such as `the Consolidation` or `the Split`. */
export const REVERSE_OR_DEFINED_TERM = new RegExp(
  startingWith(
    REVERSE_OR_DEFINED_TERM_STARTS,
    `${REVERSE_SPLIT.source}|(?<=(?:the|this|its|our) ?"?)consolidati?o?n(?!s|al)|(?<=\\b(?:the|this|both|these) (?:stock |share )?)splits?(?= (?:will|shall|is|are|has|have|becomes?|takes?)\\b)`,
  ),
  "gi",
);

export const FORWARD_SPLIT = loosePattern(
  "forward (?:(?:stock|share) )?split|(?:share|stock) subdivision|(?:subdivision of|subdivid(?:e|es|ing)) [^.;]{0,40}?shares",
  "g",
);
const MORE_FOR_FEWER = String.raw`(?:(?<!\d)(?!1\D)\d{1,4}|two|three|four|five|six|seven|eight|nine|ten|fifteen|twenty|thirty|fifty) ?(?:\(\d+\) )?for (?:1|one|2|two)(?![\d])`;
/** A forward split that isn't named one: `two-for-one stock split`, `split its shares on a two-for-one basis`. */
const UNQUALIFIED_FORWARD_SPLIT = loosePattern(
  String.raw`${MORE_FOR_FEWER} (?:\(\d\) )?(?:(?:stock|share) )?split|(?<!reverse )split (?:of )?(?:all |its |the |our )[^.;]{0,60}?shares [^.;]{0,40}?${MORE_FOR_FEWER}|(?<!reverse )(?:stock|share) split [^.;]{0,60}?(?:two|three|four|five|[2-9]) (?:\(\d\) )?(?:new|additional) [^.;]{0,30}?for (?:each|every)`,
);

export function namesForwardSplit(plain: string): boolean {
  return contains(FORWARD_SPLIT, plain) || UNQUALIFIED_FORWARD_SPLIT.test(plain);
}

const UNITS = "one|two|three|four|five|six|seven|eight|nine";
const NUMBER = String.raw`(?:\d[\d,]{0,20}(?:\.\d{1,20})?|ten|eleven|twelve|thirteen|fifteen|sixteen|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?: (?:${UNITS}))?|hundred|${UNITS})(?: ?\(\d[\d,.]{0,20}\))?`;
const SIDE = "(?:(?:old|new|existing|current|pre[a-z-]*|post[a-z-]*) )?(?:shares? )?";
const PAIR = String.raw`(?<![a-z\d.])${NUMBER} ?${SIDE}(?:for|:|to) ?(?:every |each )?${NUMBER}(?![a-z\d])`;

/** One definite ratio: `1-for-20`, `20:1`, `every twenty shares`, `one new share for each four`. */
export const DEFINITE_RATIO = loosePattern(
  String.raw`${PAIR}|(?:every|each) ${NUMBER}(?![a-z\d])|(?:basis|factor) of ${NUMBER}|${NUMBER} (?:[a-z]+ ){0,3}shares (?:of [a-z ]{1,40})?into (?:one|1)(?![a-z\d])`,
);

const OTHER_SHARES = "preferred|preference|convertible|series|warrants?|options?|notes?|rights?";
const WITHIN = String.raw`(?:(?!${OTHER_SHARES})[^.;]|\.(?=\d))`;
/** A number of shares that become one, which is a reverse split without its name. Conversions in a merger have other verbs. */
export const COMBINES_SHARES = loosePattern(
  String.raw`(?:every|each) (?!one(?! hundred)|1\D)${NUMBER} ${WITHIN}{0,100}?(?:shares|stock|units|adss?) ${WITHIN}{0,100}?(?:become|equal|turn into|(?:combined|consolidated) (?:and \w+ )?into) (?:one|1)(?![\d.])|${NUMBER} (?:(?:of|its|their|the|old|existing|your|outstanding) ){0,3}shares (?:will )?(?:be )?(?:become|equal|turn(?:ed)? into|(?:combined|consolidated) into) (?:one|1)(?![\d.])`,
  "g",
);

/** Ratio ranges: the final ratio is not chosen yet. */
export const RANGE_RULES: readonly TextRule[] = [
  {
    name: "range of old shares",
    pattern: loosePattern(
      `(?:every|each) ${NUMBER} (?:to|through) (?!one|1(?!\\d))${NUMBER} [\\w\\s-]{0,40}?(?:shares|stock)`,
    ),
    example: "every four to forty common shares",
  },
  {
    name: "two ratios",
    pattern: loosePattern(
      `${PAIR},? ?(?:and|to|through|up to|or|-) ?(?:and including |(?:not|no) (?:more|greater) than |a maximum of |up to )?${PAIR}`,
    ),
    example: "anywhere from 1-for-4 to 1-for-40",
  },
  {
    name: "range or minimum",
    pattern: loosePattern(
      `(?:range|ranging|between|(?:not|no) less than|at least|minimum)[^.;]{0,60}?(?:${PAIR}|every ${NUMBER}(?![a-z]))`,
    ),
    example: "within a range that begins at 1-for-4",
  },
  {
    name: "maximum",
    pattern: loosePattern(
      `(?:up to|maximum|(?:not|no) more than|not (?:to )?exceed|as many as)[^.;]{0,40}?(?:${PAIR}|(?:every|each) ${NUMBER}(?![a-z]))`,
    ),
    example: "one new share for up to every 30 old ones",
  },
  {
    name: "maximum of old shares",
    pattern: loosePattern(
      `(?:up to|maximum of|(?:not|no) more than) ${NUMBER} [\\w\\s-]{0,60}? (?:shares|stock|units) (?:for|into|to) (?:one|1)`,
    ),
    example: "up to thirty old common shares for one new share",
  },
];

/** True if a sentence leaves the ratio of a split open within a range. */
export function isRange(plain: string): boolean {
  return RANGE_RULES.some(({ pattern }) => pattern.test(plain));
}

/** Names of the basis on which shares trade after the split. */
export const ADJUSTED_BASIS = loosePattern(
  startingWith(
    "split|consolidat|share|stock|post|adjusted|ex",
    "(?<![a-z])ex (?:reversed? )?(?:(?:stock|share) )?(?:split|consolidation)(?! (?:trading )?date)|(?:split|consolidation|(?:share|stock) combination) ?adjusted|post (?:reverse )?(?:stock |share )?(?:split|consolidat(?:ion|ed)|combination)(?= ?basis)|(?<=(?:an?|the) )adjusted(?= ?basis)|post split(?= (?:shares? )?prices?)|(?<!pre-|pre\\s|pre)(?:split|consolidated) basis|(?<!as )adjusted for the (?:reverse|consolidation|share consolidation)",
  ),
  "g",
);

const ADS = "(?:american depositary|ads|adr)";
/** Names of the ADS ratio: the number of shares that one depositary share represents. */
export const ADS_RATIO = loosePattern(
  [
    "(?:ads|adr)(?: to (?:class a )?(?:ordinary )?shares?)? ratio",
    `ratio (?:of|between|for|on|in|under) (?:its |the |our )?(?:[a-z'-]+ ){0,5}?${ADS}`,
    `ratio change (?:to|for|of|in|under|on) (?:its |the |our )?(?:[a-z'-]+ ){0,3}?${ADS}`,
    "reverse (?:ads|adr) (?:stock )?split",
    `chang(?:e|es|ed|ing) (?:(?:of|in|to) )?(?:the |its )?ratio [^.;]{0,80}?${ADS}`,
    `(?:ratio|number) of (?:its |the |our )?(?:company's |underlying )?(?:class a )?(?:ordinary |common )?shares (?:that are )?(?:represented by|underlying|behind|per) (?:(?:each|one|its|the|our|every|an?|company's) )?${ADS}`,
    "(?:ads|adr|gds|depositary (?:share|receipt))s?(?: [^.;]{0,60}?)? (?:its|the|their) ratio",
    "(?:ads|adr) representing",
    "ratio of [^.;]{0,60}?(?:ads|adr)s? to (?:class a )?(?:ordinary |common )?shares?",
  ].join("|"),
  "g",
);

export function namesReverseSplit(plain: string): boolean {
  return contains(REVERSE_OR_DEFINED_TERM, plain);
}

/** Whether a text names a split of any kind or a change of an ADS ratio. */
export function namesSplit(plain: string): boolean {
  return /\bsplit/i.test(plain) || namesReverseSplit(plain) || contains(ADS_RATIO, plain);
}
