import { loose, type Rule } from "./rules.ts";

/** A reverse split by any of its names, misprints of `consolidation` included. */
export const REVERSE = loose(
  "reverse (?:(?:stock|share|unit|ads|ads ratio|common stock|common share|ordinary share) )?split|(?:share|stock|unit) consolidati?o?n|consolidat(?:ion of|e|es|ing) [^.;:]{0,70}?(?:shares|stock|units)|roll ?back",
  "g",
);
/** `the Consolidation`, where the text has said whose. */
export const REVERSE_OR_DEFINED = new RegExp(
  `${REVERSE.source}|(?<=(?:the|this|its|our) ?"?)consolidati?o?n(?!s|al)`,
  "gi",
);

export const FORWARD = loose(
  "forward (?:(?:stock|share) )?split|(?:share|stock) subdivision|subdivision of [^.;]{0,40}?shares",
  "g",
);
/** `two-for-one stock split`: without `reverse` it makes more shares. */
export const PLAIN_SPLIT = loose(
  String.raw`(?:(?<!\d)\d{1,4}|two|three|four|five|six|seven|eight|nine|ten|fifteen|twenty|thirty|fifty) ?(?:\(\d+\) )?for (?:1|one|2|two) (?:\(\d\) )?(?:stock|share) split`,
);

const UNITS = "one|two|three|four|five|six|seven|eight|nine";
const NUMBER = String.raw`(?:\d[\d,]*(?:\.\d+)?|ten|eleven|twelve|thirteen|fifteen|sixteen|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?: (?:${UNITS}))?|hundred|${UNITS})(?: ?\(\d[\d,.]*\))?`;
const PAIR = String.raw`(?<![a-z\d.])${NUMBER} ?(?:for|:|to) ?(?:every |each )?${NUMBER}(?![a-z\d])`;

/** One definite ratio: `1-for-20`, `20:1`, `every twenty shares`, `one new share for each four`. */
export const RATIO = loose(String.raw`${PAIR}|(?:every|each) ${NUMBER}(?![a-z\d])|basis of ${NUMBER}`);

/** Bounds of a ratio that is not yet chosen. */
export const RANGE_RULES: readonly Rule<"ratio_range">[] = [
  {
    name: "between two ratios",
    says: "ratio_range",
    pattern: loose(
      `${PAIR},? ?(?:and|to|through|up to|or|-) ?(?:and including |(?:not|no) (?:more|greater) than |a maximum of |up to )?${PAIR}`,
    ),
    example: "anywhere from 1-for-4 to 1-for-40",
  },
  {
    name: "a range",
    says: "ratio_range",
    pattern: loose(
      `(?:range|ranging|between|(?:not|no) less than|at least|minimum)[^.;]{0,60}?(?:${PAIR}|every ${NUMBER}(?![a-z]))`,
    ),
    example: "within a range that begins at 1-for-4",
  },
  {
    name: "a limit",
    says: "ratio_range",
    pattern: loose(
      `(?:up to|maximum|(?:not|no) more than|not (?:to )?exceed|as many as)[^.;]{0,40}?(?:${PAIR}|(?:every|each) ${NUMBER}(?![a-z]))`,
    ),
    example: "one new share for up to every 30 old ones",
  },
];

/** How shares trade once the split is done. */
export const NEW_BASIS = loose(
  "(?:split|consolidation) ?adjusted|post (?:reverse )?(?:stock |share )?(?:split|consolidat(?:ion|ed))(?= ?basis)|(?:split|consolidated) basis|adjusted for the (?:reverse|consolidation|share consolidation)",
  "g",
);

/** The number of shares behind one depositary share. */
export const ADS_RATIO = loose(
  "ads(?: to (?:class a )?(?:ordinary )?shares?)? ratio|ratio (?:of|between|for) (?:its |the |our )?(?:american depositary|ads)|reverse ads (?:stock )?split|(?:ratio|number) of (?:class a )?(?:ordinary )?shares (?:represented by|per) (?:each |one )?(?:american depositary|ads)|ads representing",
  "g",
);
