import type { Treatment } from "../domain/article/article.ts";
import { type Classified, loosePattern, type NounRule, type TextRule } from "./text-rule.ts";

/** Names a fraction of a share. */
export const FRACTION =
  /fraction|\bpartials\b|\bpartial (?:etns?|etfs?|ads|shares?|units?|securit|holding|amount|entitlement)|\bodd (?:number|lots?)\b|\bnot (?:be )?(?:an? )?(?:exact |whole |integral |even )?multiple of\b|\bremainder\b|\b(?:fewer|less) than [a-z\d-]+ (?:[a-z-]+ )?(?:shares|units|adss)\b|\bdivisible\b|\bless than (?:one|1|a) (?:\(1\) )?(?:whole |full |new )?(?:share|ads|unit)\b/i;

/** Whole shares, but not `the nearest whole cent`. */
const WHOLE =
  "(?:whole|full|integral|entire) ?(?:number|share|unit|ads|common|ordinary|class|subordinate|voting|security|post|new|consolidated|integer)" +
  "|(?:nearest|next|closest) (?:higher |highest |lower |lowest |greater |larger |largest )?(?:(?:whole|full)(?! cent| penn| dollar)|integer|number|share|post|common share|ordinary share)";
const MONEY = "(?:cents?(?![a-z])|penn|dollar|thousand|million|percent|decimal|hundredth|tenth)";
const TO_WHOLE = `(?:(?!${MONEY})[^.;]){0,70}?(?:${WHOLE})`;
const TO_MONEY = `(?:(?!${WHOLE})[^.;]){0,50}?${MONEY}`;

/** `rounded` and `rounding`, but not `ground` or `surrounded`. */
export const ROUNDING = /(?<![ga]|sur)round(?:ed|ing|s|(?= |-))/gi;

/** Directions of rounding, matched against text that starts with the word `rounded`. The first match counts. */
export const ROUNDING_RULES: readonly Classified<TextRule, Treatment>[] = [
  {
    name: "rounded up or down",
    category: "round_nearest",
    pattern: loosePattern("^round(?:ed|ing|s)?,?(?: either)?,? (?:up or down|down or up|up and down|up ,?or,? down)"),
    example: "rounded either up or down to the nearest whole share",
  },
  {
    name: "rounded up",
    category: "round_up",
    pattern: /^round(?:ed|ing|s)?(?:-?|(?:(?!down|\bto\b)[^.;,]){0,45}?\s)up(?!on|per|date)/i,
    example: "rounding any such fraction up",
  },
  {
    name: "rounded down",
    category: "round_down",
    pattern: /^round(?:ed|ing|s)?(?:-?|(?:(?!\bto\b)[^.;,]){0,45}?\s)down/i,
    example: "rounded down",
  },
  {
    name: "rounded to the next higher",
    category: "round_up",
    pattern: loosePattern(
      "^round(?:ed|ing|s)? to (?:the |a )?(?:next|nearest) (?:higher|highest|greater|larger|largest|upper)",
    ),
    example: "rounded to the next higher whole share",
  },
  {
    name: "rounded to the next lower",
    category: "round_down",
    pattern: loosePattern("^round(?:ed|ing|s)? to (?:the |a )?(?:next|nearest) (?:lower|lowest|smaller)"),
    example: "rounded to the next lower number of shares",
  },
  {
    name: "rounded to the nearest",
    category: "round_nearest",
    pattern: loosePattern(
      String.raw`^round(?:ed|ing|s)?(?:(?!\bto\b)[^.;,]){0,40}? to (?:the |a )?(?:nearest|closest)`,
    ),
    example: "rounded to the nearest whole share",
  },
  {
    name: "rounded to the next",
    category: "round_up",
    pattern: loosePattern("^round(?:ed|ing|s)? to (?:the |a )?next"),
    example: "rounded to the next whole share",
  },
];

/** Object of the rounding: shares or an amount of money. */
export const TO_WHOLE_SHARE = loosePattern(`^${TO_WHOLE}`);
export const TO_MONEY_AMOUNT = loosePattern(`^${TO_MONEY}`);

const HALF = String.raw`(?:half|1\/2|½|50 ?%|50 percent|0?\.50?(?!\d))`;

/** A threshold at one half. Together with a rounding word it means rounding to the nearest share. */
export const HALF_RULES: readonly TextRule[] = [
  {
    name: "less than half",
    pattern: loosePattern(`(?:less|lower|smaller|fewer) than (?:a |one )?${HALF}`),
    example: "fractions smaller than one-half are dropped",
  },
  {
    name: "half or more",
    pattern: loosePattern(
      `${HALF}(?: of (?:a|one)[\\w\\s-]{0,40}?(?:share|unit))? (?:\\(?${HALF}\\)? )?or (?:more|greater|less|higher|larger|above|over)`,
    ),
    example: "0.5 or more counts as one",
  },
  {
    name: "at least half",
    pattern: loosePattern(
      `(?:at least|more than|greater than|larger than|exceeds?|exceeding|equal to or (?:greater|more|higher) than|greater than or equal to|not less than|is equal to) (?:a |one )?${HALF}`,
    ),
    example: "fractions of at least one half",
  },
  {
    name: "exactly half",
    pattern: loosePattern(`${HALF}(?: of (?:a|one) share| shares?)?,? (?:(?:is|are|being|will be|shall be) )?rounded`),
    example: "with one-half rounded up",
  },
];
/** Required beside a threshold: a word for what happens to the fraction. */
export const HALF_ACTION = loosePattern("round|cancel|disregard|eliminat|dropp|whole|full share|ignored");

/** If a holding too small for one new share receives one, all fractions are rounded up, even if the sentence names none. */
export const SMALL_HOLDING_RULE: Classified<NounRule, Treatment> = {
  name: "small holdings receive one share",
  category: "round_up",
  noun: loosePattern(String.raw`(?:with|holding|owning|hold|own|holds|owns|of) (?:less|fewer) than (?:\d|one|a)`, "g"),
  after: loosePattern(
    String.raw`^[\d,]*[^.;]{0,40}? (?:will|shall|would) (?:each )?(?:receive|be issued|be given|be entitled to|get) (?:one|1|a)(?: \(1\))?[^.;\d]{0,25}? share`,
  ),
  example: "Holders owning fewer than 60 shares will receive one share",
};

/** Wordings without a rounding word. They count only in sentences about fractions. */
export const NON_ROUNDING_RULES: readonly Classified<NounRule, Treatment>[] = [
  {
    name: "a whole share instead",
    category: "round_up",
    noun: loosePattern(String.raw`(?:one|1|a)(?: \(1\))? (?:additional |new |such )?(?:whole|full)`, "g"),
    before: /(?:issu|receiv|given|entitled|granted|credited|deliver)(?:(?!half)[^.;]){0,80}$/i,
    after: /^[^.;]{0,50}(?:share|unit|ads)/i,
    example: "holders of a fraction will receive one whole share",
  },
  {
    name: "the next whole number",
    category: "round_up",
    noun: loosePattern("next (?:higher |highest |larger )?(?:whole|full) (?:number|share|unit|ads)", "g"),
    before: /\b(?:receiv|get|given|issued|entitled to)\w*(?: (?:the|up|to|a)){0,3} $/i,
    example: "holders of a fraction will get the next whole share",
  },
  {
    name: "the nearest whole number",
    category: "round_nearest",
    noun: loosePattern("(?:nearest|closest) (?:whole|full) (?:number|share|unit|ads)", "g"),
    before: /\b(?:receiv|get|given|issued|entitled to)\w*(?: (?:the|to|a)){0,2} $/i,
    example: "holders otherwise entitled to a fraction will receive the nearest whole number of shares",
  },
  {
    name: "a fraction becomes a whole share",
    category: "round_up",
    noun: /\bfraction/gi,
    after: /^[^.;]{0,40}? becomes? (?:a|one|1) (?:whole|full)\b/i,
    example: "a fraction becomes one full share",
  },
  {
    name: "an additional share instead",
    category: "round_up",
    noun: loosePattern(String.raw`(?:one|1|an)(?: \(1\))? additional (?:new |common |ordinary )?share`, "g"),
    near: /(?:instead|in lieu|in place)[^.;]{0,120}$|^[^.;]{0,40}\b(?:instead|in lieu|in place) of\b/i,
    example: "holders of a fraction will instead get one additional share",
  },
  {
    name: "increased to the next whole share",
    category: "round_up",
    noun: loosePattern(
      "(?:increase|raise|bring|increas(?:ed|es|ing)|rais(?:ed|es|ing)|brought|adjust(?:ed)? up(?:ward)?|topp(?:ed|ing) up)(?: (?:the|an?|such|any|each|his|its|their) [^.;,]{0,40}?)?(?: up)? to (?:the (?:next|nearest) (?:higher |highest )?|a )(?:whole|full)",
      "g",
    ),
    example: "a fraction is raised to the next whole share",
  },
  {
    name: "cancelled without payment",
    category: "round_down",
    noun: loosePattern("(?:cancell?ed|cancell?ation|disregarded|eliminated|forfeited|extinguished|dropped|lapse)", "g"),
    after: loosePattern(
      "^[^.;]{0,40}?(?:without|for no|and no)(?: any| the| further)? (?:payment|compensation|consideration|cash|repayment)",
    ),
    example: "any fraction will be cancelled without compensation",
  },
  {
    name: "holdings are made divisible",
    category: "round_up",
    noun: /\b(?:conveyed|issued|given|transferred|delivered|granted)\b/gi,
    after:
      /^[^.;]{0,30}\b(?:without (?:any )?(?:compensation|consideration|payment)|free of charge|for no consideration)\b[^.;]{0,160}\bdivisible\b/i,
    example: "new shares are given without consideration so that each account is made divisible by 40",
  },
  SMALL_HOLDING_RULE,
];

/** Cash payments. The noun is the payment, so that a negation before it can be found. */
export const CASH_RULES: readonly NounRule[] = [
  {
    name: "cash in lieu",
    noun: /cash/gi,
    after: loosePattern(
      "^(?: (?:payment|amount|consideration|settlement|sum|value|equivalent|redemption|compensation)s?)?(?: due)?,? (?:in|of (?:any|such|the|their|its|his|each)|lieu|instead|equal|(?:for|on) (?:any|such|their|the|each|its|his|fraction|partial))",
    ),
    example: "cash in lieu of a fraction",
  },
  {
    name: "redeems fractions",
    noun: /\bfraction/gi,
    before:
      /\b(?:redeem|repurchas|purchas|buy|bought)(?:e|es|s|ed|ing)?\b(?: (?:back|out|the|these|those|such|any|all|resulting|their|its)){0,3} $/i,
    example: "the issuer will redeem these fractional securities",
  },
  {
    name: "offers a cash redemption",
    noun: /cash (?:redemption|compensation|payout|refund)/gi,
    before: /\b(?:offer|provide|pay|make|receive|get|give)\w*(?: an?)? $/i,
    example: "the issuer will instead offer cash redemption for fractions",
  },
  {
    name: "compensates for fractions",
    noun: /\b(?:fraction|partials)/gi,
    near: /\b(?:compensat(?:e|ed|es|ing)|reimburs(?:e|ed|es|ing))(?: (?:holders|them|investors))? (?:for|in respect of)(?: (?:the|these|those|such|any|all|resulting|their|its)){0,3} $|^[^.;]{0,40}\b(?:(?:will|shall|would|to) be|are|is) (?:[a-z]+ly )?(?:compensated|reimbursed|bought(?: back| out)?|repurchased|purchased|redeemed|liquidated|moneti[sz]ed|paid out)\b/i,
    notNear: /^[^.;]{0,80}\b(?:for|without) (?:no |any )?consideration\b/i,
    example: "holders are compensated for fractions at the closing price",
  },
  {
    name: "paid in cash",
    noun: /cash/gi,
    before:
      /(?:pay|paid|receiv|\bgets? |\bgiven? |fractions?: |fractional (?:shares?|interests?|entitlements?|units?): |settle|redeem|redempti|purchas|bought|compensat|entitle|convert|exchange|in lieu)[^.;]{0,80}$/i,
    notNear: /^ (?:flows?|positions?|equivalents|balances?)/i,
    example: "the Fund redeems fractions for cash",
  },
  {
    name: "cash payment",
    noun: /cash/gi,
    after:
      /^(?:ed[ -]?out|[ -]?out|[^.;]{0,40}(?:paid|payable|payment|distributed|remitted|credited|passed|forwarded))/i,
    example: "cash for fractions will be paid",
  },
  {
    name: "check for the value",
    noun: /cheque|check/gi,
    before: /(?:receive|get|sent|mail|issued)[^.;]{0,60}$/i,
    example: "holders receive a cheque for the value of their fraction",
  },
  {
    name: "an amount equal to the value",
    noun: /\b(?:money|sum|amount)\b/gi,
    before: /\b(?:pay|paid|receiv|get|given)\w*\b[^.;]{0,60}$/i,
    after: /^ (?:equal|equivalent|in lieu|for (?:the|their|any|such))/i,
    example: "holders of a fraction are paid an amount equal to its value",
  },
  {
    name: "proceeds of the sale",
    noun: /proceeds/gi,
    before: /aggregat|sold|sale|sell|liquidat/i,
    after: /^[^.;]{0,120}(?:paid|pay|distribut|remit|deliver|holders|pro rata)/i,
    example: "fractions are aggregated and sold and the net proceeds distributed",
  },
  {
    name: "proceeds from the sale",
    noun: /proceeds/gi,
    after:
      /^ (?:from|of) (?:the |these |this |such |those |any |that )?(?:[a-z]+ ){0,2}(?:sales?|sold)\b[^.;]{0,120}\b(?:paid|pay|distribut|remit|deliver|pro rata)/i,
    example: "the net proceeds from these sales will be distributed to holders of fractions",
  },
  {
    name: "share of the sale proceeds",
    noun: /proceeds/gi,
    before: /(?:aggregat|sold|sale|sell)[^.;]{0,160}(?:pay|paid|distribut|remit|receiv|deliver)/i,
    example: "the agent will sell all fractions and pay each holder a part of the proceeds",
  },
];
