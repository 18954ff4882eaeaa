import type { TextRule } from "./text-rule.ts";

const ANY_SPLIT = "(?:(?:reverse|forward) )?(?:(?:stock|share) )?(?:splits?|consolidations?)";
const ANY_COMPANY =
  "(?:a|any|some|many|most|certain) (?:(?:public|private|listed|traded|publicly traded|small|larger) )*(?:compan(?:y|ies)|corporations?|issuers?|business(?:es)?|firms?)";

/** An example of a split, as on a page that explains how splits are treated. */
export const EXAMPLE =
  /^(?:(?:for )?example(?: \d{1,2})?(?::|,| -)?|suppose|imagine|assume|say) [^.;]{0,60}\b(?:announces|declares|effects|executes|conducts|undergoes|implements|completes|does)\b/i;

/** Statements about splits in general: an article that explains them announces none. */
export const GENERAL_RULES: readonly TextRule[] = [
  {
    name: "definition",
    pattern: new RegExp(
      String.raw`\b(?:an? ${ANY_SPLIT}|(?:reverse|forward) (?:(?:stock|share) )?splits)\b(?: \([^()]{1,30}\))?(?:,[^.;]{0,80},)? (?:(?:is|are) (?:an?|the|when|where|how|one|also|simply|not|often|usually|generally|typically|sometimes|commonly|considered|called|used)\b|means?\b|refers?\b|occurs?\b|happens?\b|(?:usually|generally|typically|often|simply|normally|only) |(?:consolidates?|reduces?|merges?|involves?|divides?|combines?|boosts?|increases?|changes?|works?|turns?|decreases?)\b)`,
      "i",
    ),
    example: "A reverse split, also known as a consolidation, involves merging several shares into one",
  },
  {
    name: "name of the action",
    pattern: new RegExp(
      String.raw`\b(?:is|are) (?:also )?(?:called|known as|referred to as|termed) an? ${ANY_SPLIT}\b`,
      "i",
    ),
    example: "A change in which the number of shares is reduced is called a reverse split",
  },
  {
    name: "any company",
    pattern: new RegExp(
      String.raw`(?:^|[.:?!)] |\b(?:if|when|where|say|because|why|how|should|once|in which|suppose) )${ANY_COMPANY}\b|^companies (?:[a-z]+ )?(?:use|do|implement|undertake|undergo|effect|conduct|perform|resort|execute|make|choose|turn|announce)\b`,
      "i",
    ),
    example: "When a company completes a reverse split, each share becomes a fraction of a share",
  },
  {
    name: "rules for splits",
    pattern:
      /\breverse (?:(?:stock|share) )?splits? (?:rules?|requirements?|regulations?|calendar|arbitrage|strateg(?:y|ies))\b/i,
    example: "Exchange changes its reverse split rules",
  },
  {
    name: "any company after a title",
    pattern: /\bA company (?:announces|completes|undergoes|does|effects)\b/,
    example: "Example: how these plans look A company announces a 1-for-20 reverse split",
  },
  {
    name: "any investor",
    pattern:
      /\b(?:if|suppose|say|imagine|assume|consider|let's say)\b,? (?:that )?(?:you|an investor|someone|an? (?:stock|share)holder)\b|\ban investor (?:who |that )?(?:owns|holds|holding|owning|with)\b|\bcompany (?:XYZ|ABC)\b|\b(?:XYZ|ABC) (?:stock|shares|company)\b/i,
    example: "If you owned 100 shares and the company announced a 1:4 reverse split, you would own 25",
  },
  {
    name: "positions of a broker's clients",
    pattern:
      /\b(?:clients?|traders?|customers?) (?:who |that )?(?:holds?|holding|has|have|with|owns?) (?:(?:an?|any|open|short|long) )*(?:positions?|CFDs?|\d[\d,]* (?:[a-z]+ )?(?:contracts|lots|shares|units|CFDs?))\b|\b(?:all|any|open|existing|your|client(?:'?s|s')) (?:open |CFD )?positions? (?:that [^.;]{0,80})?(?:will|shall|are|is) (?:be )?(?:automatically )?(?:closed|reopened|adjusted|subject)\b/i,
    example: "If a client has 100 contracts before a reverse split, positions are closed and opened again",
  },
  {
    name: "example",
    pattern: EXAMPLE,
    example: "Example 2: HMIL announces a 1-for-10 reverse split with an ex-date of May 4",
  },
  {
    name: "question",
    pattern: new RegExp(
      String.raw`\b(?:what|how|why|when|is|are|should|do|does|can|will)\b[^.;?]{0,80}\b(?:an?|do you|do|you|calculate|of|are|is) (?:\d[\d/:-]{0,8} )?${ANY_SPLIT}\b[^.;?]{0,60}\?`,
      "i",
    ),
    example: "What is a reverse stock split and how does it work?",
  },
];
