import type { Treatment } from "../domain/article/article.ts";
import { loose, type NounRule, type TextRule } from "./text-rule.ts";

/** Says that a sentence is about fractional shares. */
export const FRACTION = /fraction|\bless than (?:one|1|a) (?:\(1\) )?(?:whole |full |new )?(?:share|ads|unit)\b/i;

/** What a share is rounded to. Not `the nearest whole cent`. */
const WHOLE =
  "(?:whole|full|integral|entire) ?(?:number|share|unit|ads|common|ordinary|class|subordinate|voting|security|post|new|consolidated|integer)" +
  "|(?:nearest|next|closest) (?:higher |highest |lower |lowest |greater |larger |largest )?(?:(?:whole|full)(?! cent| penn| dollar)|integer|number|share|post|common share|ordinary share)";
const MONEY = "(?:cents?(?![a-z])|penn|dollar|thousand|million|percent|decimal|hundredth|tenth)";
const TO_WHOLE = `(?:(?!${MONEY})[^.;]){0,70}?(?:${WHOLE})`;
const TO_MONEY = `(?:(?!${WHOLE})[^.;]){0,50}?${MONEY}`;

/** `rounded`, `rounding`; not `ground` nor `surrounded`. */
export const ROUNDING = /(?<![ga]|sur)round(?:ed|ing|s|(?= |-))/gi;

/** What `rounded …` says of the amount, read from the word on; the first that matches counts. */
export const ROUNDING_RULES: readonly TextRule<Treatment>[] = [
  {
    name: "up or down",
    category: "round_nearest",
    pattern: loose("^round(?:ed|ing|s)?,?(?: either)?,? (?:up or down|down or up|up and down|up ,?or,? down)"),
    example: "rounded either up or down to the nearest whole share",
  },
  {
    name: "up",
    category: "round_up",
    pattern: /^round(?:ed|ing|s)?(?:-?|(?:(?!down|\bto\b)[^.;,]){0,45}?\s)up(?!on|per|date)/i,
    example: "rounding any such fraction up",
  },
  {
    name: "down",
    category: "round_down",
    pattern: /^round(?:ed|ing|s)?(?:-?|(?:(?!\bto\b)[^.;,]){0,45}?\s)down/i,
    example: "rounded down",
  },
  {
    name: "next higher",
    category: "round_up",
    pattern: loose(
      "^round(?:ed|ing|s)? to (?:the |a )?(?:next|nearest) (?:higher|highest|greater|larger|largest|upper)",
    ),
    example: "rounded to the next higher whole share",
  },
  {
    name: "next lower",
    category: "round_down",
    pattern: loose("^round(?:ed|ing|s)? to (?:the |a )?(?:next|nearest) (?:lower|lowest|smaller)"),
    example: "rounded to the next lower number of shares",
  },
  {
    name: "nearest",
    category: "round_nearest",
    pattern: loose(String.raw`^round(?:ed|ing|s)?(?:(?!\bto\b)[^.;,]){0,40}? to (?:the |a )?(?:nearest|closest)`),
    example: "rounded to the nearest whole share",
  },
  {
    name: "next whole",
    category: "round_up",
    pattern: loose("^round(?:ed|ing|s)? to (?:the |a )?next"),
    example: "rounded to the next whole share",
  },
];

/** What is rounded: a cent is no share. */
export const TO_WHOLE_SHARE = loose(`^${TO_WHOLE}`);
export const TO_MONEY_AMOUNT = loose(`^${TO_MONEY}`);

const HALF = String.raw`(?:half|1\/2|½|50 ?%|50 percent|0?\.50?(?!\d))`;

/** A threshold at one half. With words of rounding it makes the whole sentence `round_nearest`. */
export const HALF_RULES: readonly TextRule<Treatment>[] = [
  {
    name: "below half",
    category: "round_nearest",
    pattern: loose(`(?:less|lower|smaller|fewer) than (?:a |one )?${HALF}`),
    example: "fractions smaller than one-half are dropped",
  },
  {
    name: "half or more",
    category: "round_nearest",
    pattern: loose(
      `${HALF}(?: of (?:a|one)[\\w\\s-]{0,40}?(?:share|unit))? (?:\\(?${HALF}\\)? )?or (?:more|greater|less|higher|larger|above|over)`,
    ),
    example: "0.5 or more counts as one",
  },
  {
    name: "at least half",
    category: "round_nearest",
    pattern: loose(
      `(?:at least|more than|greater than|larger than|exceeds?|exceeding|equal to or (?:greater|more|higher) than|greater than or equal to|not less than|is equal to) (?:a |one )?${HALF}`,
    ),
    example: "fractions of at least one half",
  },
  {
    name: "half itself",
    category: "round_nearest",
    pattern: loose(`${HALF}(?: of (?:a|one) share)?,? (?:(?:is|are|being|will be|shall be) )?rounded`),
    example: "with one-half rounded up",
  },
];
export const HALF_ACTION = loose("round|cancel|disregard|eliminat|dropp|whole|full share|ignored");

/** What a small holding becomes says what any fraction becomes; the word itself need not stand there. */
export const SMALL_HOLDING_RULE: NounRule<Treatment> = {
  name: "one share for small holdings",
  category: "round_up",
  noun: loose(String.raw`(?:with|holding|owning|hold|own|holds|owns|of) (?:less|fewer) than \d`, "g"),
  after: loose(
    String.raw`^[\d,]*[^.;]{0,40}? (?:will|shall|would) (?:each )?(?:receive|be issued|be given|be entitled to|get) (?:one|1|a)(?: \(1\))?[^.;\d]{0,25}? share`,
  ),
  example: "Holders owning fewer than 60 shares will receive one share",
};

/** Wordings that name no rounding. They count only where the sentence is about fractions. */
export const NON_ROUNDING_RULES: readonly NounRule<Treatment>[] = [
  {
    name: "a whole share instead",
    category: "round_up",
    noun: loose(String.raw`(?:one|1|a)(?: \(1\))? (?:additional |new |such )?(?:whole|full)`, "g"),
    before: /(?:issu|receiv|given|entitled|granted|credited|deliver)(?:(?!half)[^.;]){0,80}$/i,
    after: /^[^.;]{0,50}(?:share|unit|ads)/i,
    example: "holders of a fraction will receive one whole share",
  },
  {
    name: "one more share instead",
    category: "round_up",
    noun: loose(String.raw`(?:one|1|an)(?: \(1\))? additional (?:new |common |ordinary )?share`, "g"),
    before: /(?:instead|in lieu|in place)[^.;]{0,120}$/i,
    example: "holders of a fraction will instead get one additional share",
  },
  {
    name: "raised to the next whole",
    category: "round_up",
    noun: loose(
      "(?:increase|raise|bring|increas(?:ed|es|ing)|rais(?:ed|es|ing)|brought|adjust(?:ed)? up(?:ward)?|topp(?:ed|ing) up)(?: (?:the|such|any|each|his|its|their) [^.;,]{0,40}?)?(?: up)? to (?:the (?:next|nearest) (?:higher |highest )?|a )(?:whole|full)",
      "g",
    ),
    example: "a fraction is raised to the next whole share",
  },
  {
    name: "dropped without payment",
    category: "round_down",
    noun: loose("(?:cancell?ed|cancell?ation|disregarded|eliminated|forfeited|extinguished|dropped|lapse)", "g"),
    after: loose(
      "^[^.;]{0,40}?(?:without|for no|and no)(?: any| the| further)? (?:payment|compensation|consideration|cash|repayment)",
    ),
    example: "any fraction will be cancelled without compensation",
  },
  SMALL_HOLDING_RULE,
];

/** The noun is the word for the money that is paid, so that what stands before it can be asked for a `no`. */
export const CASH_RULES: readonly NounRule<Treatment>[] = [
  {
    name: "cash in lieu",
    category: "cash_in_lieu",
    noun: /cash/gi,
    after: loose(
      "^(?: (?:payment|amount|consideration|settlement|sum|value|equivalent)s?)?,? (?:in|of (?:any|such|the|their|its|his|each)|lieu|instead|equal|for (?:any|such|their|the|each|its|his))",
    ),
    example: "cash in lieu of a fraction",
  },
  {
    name: "paid in cash",
    category: "cash_in_lieu",
    noun: /cash/gi,
    before:
      /(?:pay|paid|receiv|settle|redeem|redempti|purchas|bought|compensat|entitle|convert|exchange|in lieu)[^.;]{0,80}$/i,
    notNear: /^ (?:flows?|positions?|equivalents|balances?)/i,
    example: "the Fund redeems fractions for cash",
  },
  {
    name: "cash that is paid",
    category: "cash_in_lieu",
    noun: /cash/gi,
    after: /^(?:ed[ -]?out|[ -]?out|[^.;]{0,40}(?:paid|payable|payment|distributed|remitted))/i,
    example: "cash for fractions will be paid",
  },
  {
    name: "a cheque for the value",
    category: "cash_in_lieu",
    noun: /cheque|check/gi,
    before: /(?:receive|get|sent|mail|issued)[^.;]{0,60}$/i,
    after: /^[^.;]{0,60}(?:fraction|proceeds|value|in lieu)/i,
    example: "holders receive a cheque for the value of their fraction",
  },
  {
    name: "proceeds of a sale",
    category: "cash_in_lieu",
    noun: /proceeds/gi,
    before: /aggregat|sold|sale|sell/i,
    after: /^[^.;]{0,120}(?:paid|pay|distribut|remit|deliver|holders|pro rata)/i,
    example: "fractions are aggregated and sold and the net proceeds distributed",
  },
  {
    name: "a part of the proceeds",
    category: "cash_in_lieu",
    noun: /proceeds/gi,
    before: /(?:aggregat|sold|sale|sell)[^.;]{0,160}(?:pay|paid|distribut|remit|receiv|deliver)/i,
    example: "the agent will sell all fractions and pay each holder a part of the proceeds",
  },
];

/** Sentences whose fractions are not those of the shares that are combined. */
export const OTHER_EVENTS =
  /\bmergers?\b|exchange ratio|rights offering|stock dividend|distribution ratio|forward (?:stock |share )?split/i;

/** Options and warrants are rounded by rules of their own; a holder of shares is not meant. */
export const OTHER_SECURITIES =
  /\b(?:options?|warrants?|RSUs?|restricted stock units?|exercise prices?|conversion prices?|equity (?:awards?|plans?)|debentures?|convertible notes?)\b/i;

/** Where it is rounded. The participant is asked for first: its sentences name holders too. */
export const PARTICIPANT = loose(
  `(?:participant|broker|nominee|dtc|depository)(?:'?s'?)?(?: participant)? level|level of (?:the |each )?(?:dtc )?participant|per participant|each (?:dtc )?participant`,
);
export const HOLDER = loose(
  "(?:share|stock|unit)holders?|each holder|any holder|registered holders?|holders? of (?:record|shares|common|ordinary)|per holder|beneficial (?:owner |holder |shareholder |stockholder )?level|account level",
);
