import { fill } from "./facts.ts";
import * as phrases from "./phrases.ts";
import { placeholders, type TextKind } from "./texts.ts";

/** A text that announces no reverse split, written with the same parts as one that does. */
function negative(
  name: string,
  [headings, leads, details]: readonly (readonly string[])[],
  slots: Readonly<Record<string, readonly string[]>> = {},
): TextKind {
  return {
    name: `no record: ${name}`,
    slots: {
      name: phrases.NAMES,
      exchange: phrases.US_EXCHANGES,
      tag: phrases.TAGS.filter((tag) => tag.includes("{SYM}")),
      date: phrases.DATE_NOTATIONS,
      heading: headings ?? [],
      lead: leads ?? [],
      detail: details ?? [],
      adverb: ["", " today", " on {weekday}", " late {weekday}", ", an {industry} company,"],
      dateline: [...phrases.DATELINES, ""],
      closing: [
        "",
        "About {short}\n{Name} is an {industry} company based in Duluth, Minnesota.",
        "The shares trade on {Exchange} under the symbol “{SYM}”.",
      ],
      ...slots,
    },
    write: (choice, split, random) => {
      const values = placeholders(choice, split, random);
      const paragraphs = [
        `${choice.dateline}${(choice.lead ?? "").replace("{ISSUER}", `{Name}${choice.tag}${choice.adverb}`)}`,
        choice.detail ?? "",
        choice.closing ?? "",
      ];
      return {
        heading: fill(choice.heading ?? "", values),
        content: paragraphs
          .filter(Boolean)
          .map((text) => fill(text, values))
          .join("\n\n"),
        published: choice.dateline === "" ? split.today : null,
        expected: [],
      };
    },
  };
}

const FIRST_DAY = "The shares will begin trading on a split-adjusted basis on {T}.";

export const KINDS_WITHOUT_RECORD: readonly TextKind[] = [
  negative("forward split", [
    ["{short} Announces {o}-for-1 Stock Split", "{Name} Declares Stock Split", "{short} Announces Forward Split", ""],
    [
      "{ISSUER} announced a {o}-for-1 forward stock split of its common stock.",
      "{ISSUER} announced that its board approved a {o}-for-one stock split.",
      "{ISSUER} declared a {o}:1 forward split, and every holder will receive additional shares for each share held.",
      "{ISSUER} said it will subdivide its shares on a {o}-for-1 basis.",
    ],
    [
      FIRST_DAY,
      "Trading on a split-adjusted basis is expected to begin on {T}.",
      "Unlike a reverse split, a forward split increases the number of shares. The shares trade on a split-adjusted basis from {T}.",
    ],
  ]),
  negative("proposal", [
    [
      "{short} Calls Special Meeting",
      "{Name} Files Proxy Statement",
      "{short} Proposes Reverse Stock Split",
      "Notice of Special Meeting of Stockholders",
      "",
    ],
    [
      "{ISSUER} announced that it will hold a special meeting of stockholders on {T} to vote on a proposal to effect a 1-for-{o} reverse stock split.",
      "{ISSUER} filed a proxy statement asking stockholders to approve a reverse stock split at a ratio of 1-for-{o}. The meeting will be held on {T}.",
      "{ISSUER} proposes to consolidate its shares on the basis of one new share for every {o} old shares, subject to approval by shareholders at a meeting on {T}.",
      "{ISSUER} announced that its board recommends that stockholders vote in favor of a 1-for-{o} reverse stock split at the meeting on {T}.",
      "{ISSUER} said its board approved, subject to stockholder approval, a reverse split in a range of 1-for-2 to 1-for-{o}.",
    ],
    [
      "",
      "If approved, the reverse stock split would be effective at a time to be determined by the board.",
      "If stockholders approve the proposal, the shares could begin trading on a split-adjusted basis within a month.",
      "The record date is {E}.",
    ],
  ]),
  negative("failed or adjourned vote", [
    [
      "{short} Announces Results of Special Meeting",
      "{Name} Stockholders Reject Reverse Split",
      "{short} Adjourns Special Meeting",
      "",
    ],
    [
      "{ISSUER} announced that stockholders did not approve the proposal to effect a 1-for-{o} reverse stock split at the meeting on {today}.",
      "{ISSUER} announced that its proposal for a 1-for-{o} reverse split failed to receive the required votes.",
      "{ISSUER} adjourned its special meeting on the 1-for-{o} reverse stock split to {T} for lack of a quorum.",
      "{ISSUER} said shareholders voted against a 1-for-{o} share consolidation.",
    ],
    ["", "The Company will continue to evaluate its options.", "The meeting will reconvene at 10:00 a.m. on {T}."],
  ]),
  negative("denial", [
    ["{short} Has No Plans for Reverse Split", "{Name} Denies Rumors", "{short} Letter to Shareholders", ""],
    [
      "{ISSUER} said it has no plans to effect a 1-for-{o} reverse stock split.",
      "{ISSUER} denied reports that it will conduct a 1-for-{o} reverse stock split on {T}.",
      "{ISSUER} stated that rumors of a reverse stock split on {T} are false.",
      "{ISSUER} announced that it regained compliance with the minimum bid price rule without a reverse stock split.",
    ],
    [
      "",
      "The Company does not intend to carry out a reverse split this year.",
      "“We do not need a reverse split,” the chief executive said.",
    ],
  ]),
  negative(
    "annual report",
    [
      ["FORM 10-K", "Annual Report", "Notes to Consolidated Financial Statements", ""],
      [
        "On March 4, 2021, {ISSUER} effected a 1-for-{o} reverse stock split of its common stock. All share and per share amounts have been retroactively adjusted.",
        "In November 2022 we completed a 1-for-{o} reverse stock split. The consolidated financial statements reflect the split for all periods presented.",
        "Note 8. Stockholders’ Equity\n{ISSUER} implemented a one-for-{O} reverse split in June 2020, and its shares began trading on a split-adjusted basis on June 8, 2020.",
        "Our stock may decline in value. We effected a 1-for-{o} reverse stock split on May 3, 2021 and may be required to effect another one.",
      ],
      [
        "",
        "No fractional shares were issued; fractions were rounded up to the next whole share.",
        "Net loss per share was computed using the weighted average number of shares after giving effect to the reverse stock split.",
      ],
    ],
    { adverb: [""], dateline: [""] },
  ),
  negative("law firm", [
    [
      "SHAREHOLDER ALERT: Investigation of {Name}",
      "Harlow Law Reminds {short} Investors of Deadline",
      "Class action against {short}",
    ],
    [
      "Harlow & Pine LLP, a shareholder rights law firm, is investigating {Name} ({EX}: {SYM}) on behalf of investors after it announced a 1-for-{o} reverse stock split effective {T}.",
      "The law firm of Harlow & Pine announces a class action on behalf of investors who bought shares of {Name} ({EX}: {SYM}). On {today}, the company announced a 1-for-{o} reverse split, and its shares fell 40%.",
      "Attorneys at Harlow & Pine are investigating potential claims against {Name} ({EX}: {SYM}) in connection with its 1-for-{o} reverse stock split.",
    ],
    [
      "",
      "The shares will begin trading on a split-adjusted basis on {T}.",
      "Investors who suffered losses may contact the firm.",
    ],
  ]),
  negative("offering", [
    [
      "{short} Prices Public Offering",
      "{Name} Announces Closing of Registered Direct Offering",
      "Prospectus Supplement",
    ],
    [
      "{ISSUER} announced the pricing of an underwritten public offering of 4,000,000 shares. All figures reflect the 1-for-{o} reverse stock split effected on March 4, 2023.",
      "{ISSUER} announced the closing of a private placement. The Company completed a 1-for-{o} reverse stock split last year.",
      "{ISSUER} entered into a securities purchase agreement. The warrants are exercisable upon stockholder approval of a reverse stock split of at least 1-for-{o}.",
    ],
    [
      "",
      "The offering is expected to close on {T}.",
      "The exercise price is subject to adjustment for stock splits, reverse splits and similar events.",
    ],
  ]),
  negative("explanation", [
    ["What Is a Reverse Stock Split?", "How Reverse Splits Work", "Reverse splits explained"],
    [
      "A reverse stock split reduces the number of shares outstanding. In a 1-for-{o} reverse split, every {o} shares become one share.",
      "When a company does a 1-for-{o} reverse split, its price rises by a factor of {o}. For example, if you own {o} shares, you will own one share after the split.",
      "Why do companies use reverse splits? Many want to stay above the $1 minimum bid price. Suppose a company announces a 1-for-{o} reverse split effective {T}.",
    ],
    ["", "Cash in lieu of fractional shares is often paid.", "Reverse splits are not always bad."],
  ]),
  negative(
    "hearsay",
    [
      ["Analyst Sees Reverse Split at {short}", "{short} Stock Falls on Split Chatter", "Could {short} Reverse Split?"],
      [
        "An analyst expects {Name} ({EX}: {SYM}) to carry out a 1-for-{o} reverse split by {T}.",
        "Traders on social media expect {Name} ({EX}: {SYM}) to announce a 1-for-{o} reverse split, effective {T}.",
        "Posts on social media claimed that {Name} ({EX}: {SYM}) will effect a 1-for-{o} reverse split on {T}.",
        "{Name} ({EX}: {SYM}) could effect a 1-for-{o} reverse split as early as {T}, if its stock doesn’t recover.",
        "The board of {Name} ({EX}: {SYM}) will meet on {T} to decide on a reverse split of 1-for-{o}.",
      ],
      ["", "The company hasn’t commented.", "The stock has lost 80% of its value this year."],
    ],
    { adverb: [""], dateline: [""] },
  ),
  negative(
    "other transaction",
    [
      [
        "{short} Announces Merger Terms",
        "{short} Announces Bonus Issue",
        "{short} to Convert Class B Shares",
        "{short} Corporate Update",
        "",
      ],
      [
        "{ISSUER} declared a bonus issue. Shareholders receive one new share for every {o} shares held on {T}.",
        "Every {o} shares of {Name} ({EX}: {SYM}) entitle their holder to subscribe for one new share until {T}.",
        "Each {o} shares of {Name} ({EX}: {SYM}) will receive one share of Tern Boats in a spin-off on {T}.",
        "At closing on {T}, each {o} shares of Tern Boats common stock will be converted into one share of {Name} ({EX}: {SYM}).",
        "On {T} each {o} shares of {Name} ({EX}: {SYM}) Series A convertible stock will become one share of common stock.",
        "Each {O} rights of {Name} ({EX}: {SYM}) will convert into one share on {T}.",
        "{ISSUER} said all Class B shares will be exchanged on {T}, each two of them being converted into one Class A share.",
      ],
      ["", "The transaction is expected to close on {T}.", "Fractions will be rounded down."],
    ],
    { adverb: [""] },
  ),
  negative("lawsuit", [
    ["{short} Settles Suit Over Reverse Split", "Lawsuit Over {short} Reverse Split", ""],
    [
      "{ISSUER} said it agreed to settle a lawsuit over its 1-for-{o} reverse stock split.",
      "A holder of {Name} ({EX}: {SYM}) sued the company over the 1-for-{o} reverse split of last year.",
    ],
    ["", "A hearing is set for {T}."],
  ]),
  negative("deficiency notice", [
    ["{short} Receives Nasdaq Notice", "{Name} Receives Notification of Deficiency", ""],
    [
      "{ISSUER} announced that it received a notice from Nasdaq that its bid price was below $1.00 for 30 consecutive business days. The Company has until {T} to regain compliance and may effect a 1-for-{o} reverse stock split, if necessary.",
      "{ISSUER} announced that it was notified by the exchange of non-compliance with listing rules. The Company is considering options, including a reverse stock split.",
    ],
    [
      "",
      "The notice has no immediate effect on the listing.",
      "If necessary, the Company will implement a reverse stock split before {T}.",
    ],
  ]),
];
