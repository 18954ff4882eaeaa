/** Text of a release. */
export interface ReleaseText {
  readonly heading: string;
  readonly content: string;
}

/** A change that a site, a feed or a clipboard makes to a text without changing what it says. */
export interface Distortion {
  readonly name: string;
  /** Part of the records that may change, because the text has lost what separates the cells of a table. */
  readonly allowedPart: number;
  readonly apply: (release: ReleaseText) => ReleaseText;
}

const ENTITY_NAMES: Readonly<Record<string, string>> = {
  "&": "amp",
  '"': "quot",
  "'": "apos",
  "“": "ldquo",
  "”": "rdquo",
  "‘": "lsquo",
  "’": "rsquo",
  "–": "ndash",
  "—": "mdash",
  "…": "hellip",
  "®": "reg",
  "™": "trade",
  "\u00a0": "nbsp",
  é: "eacute",
  "½": "frac12",
};

const ENTITY_CHARACTERS = new RegExp(`[${Object.keys(ENTITY_NAMES).join("")}]`, "g");
const PUNCTUATION = /[()&:;,.'"“”‘’–—-]/g;

/** A company that is only mentioned, with its tag. */
const FOREIGN = "Example Holdings Inc. (NYSE: EXMP)";

const NAVIGATION = [
  "Skip to main content",
  "News | Products | Contact | Sign In | Register",
  "Home > News Releases > Financial Services",
  "Search 24 Results",
].join("\n");

const SHARE_BUTTONS = ["Share this article", "Facebook X LinkedIn Email", "Copy link", "Print", "3 min read"].join(
  "\n",
);

/** Stamp with the first date of the text, which is that of its dateline. */
function stampOf(content: string): string {
  const [date = "Jan 05, 2026"] = /[A-Z][a-z]{2,8}\.? \d{1,2}, \d{4}/.exec(content) ?? [];
  return ["News provided by", "Example Investor Relations", `${date}, 08:30 ET`].join("\n");
}

const FOOTER = [
  "SOURCE Example Investor Relations",
  "Also from this source",
  "Example Holdings (NYSE: EXMP) Reports Third Quarter Results",
  "Example Holdings (NYSE: EXMP) Announces 1-for-99 Reverse Stock Split Effective on March 9, 2026",
  "Contact Us | Terms of Use | Privacy Policy | Cookie Settings",
  "Copyright © 2026 Example Wire Inc. All Rights Reserved. 9:00 AM - 5:00 PM ET, 1-888-555-0123",
].join("\n");

const ABOUT_PARTNER = [
  `About ${FOREIGN}`,
  "Example Holdings makes valves. It completed a 1-for-99 reverse stock split on March 3, 2019.",
].join("\n");

/** Paragraphs about companies that the release doesn't announce a split of. */
const RESULTS = "Example Freight Corp. (NYSE: EXFR) today reported record revenue for its third quarter.";
const NEWS =
  "Shares of Example Energy Ltd. (TSXV: EXEN) rose 4% on Tuesday after the company said drilling will begin in May.";
const APPOINTMENT =
  "CHICAGO, Jan. 8, 2024 (GLOBE NEWSWIRE) -- Example Foods, Inc. (NASDAQ: EXFD) (“Example Foods” or the “Company”), a maker of frozen meals, today announced that its board of directors has appointed a chief financial officer, effective February 1, 2024. The Company’s common stock trades on The Nasdaq Capital Market under the symbol “EXFD.”";
const PARTNER_WITH_SPLIT = [
  "About Example Optics",
  "Example Optics Inc. (NASDAQ: EXOP), a partner of the company, completed a 1-for-70 reverse stock split on March 3, 2021.",
].join("\n\n");

const PARTNER_WITH_CONSOLIDATION = [
  "About Example Mining",
  "Example Mining Corp. (TSX: EXMN) develops copper projects. In June 2022 Example Mining consolidated its shares on a 20-for-1 basis; they began trading on a consolidated basis on June 14, 2022.",
].join("\n\n");

export const DISTORTIONS: readonly Distortion[] = [
  inText("named entities", (text) => text.replace(ENTITY_CHARACTERS, (character) => `&${ENTITY_NAMES[character]};`)),
  inText("decimal entities", (text) => text.replace(PUNCTUATION, (character) => `&#${character.charCodeAt(0)};`)),
  inText("hexadecimal entities", (text) =>
    text.replace(PUNCTUATION, (character) => `&#x${character.charCodeAt(0).toString(16).toUpperCase()};`),
  ),
  inText("entities escaped twice", (text) =>
    text.replace(ENTITY_CHARACTERS, (character) => `&amp;${ENTITY_NAMES[character]};`),
  ),
  inBody("paragraph tags", (content) =>
    paragraphs(content)
      .map((each) => `<p>${each}</p>`)
      .join(""),
  ),
  inBody("paragraph tags with attributes, bold words and breaks", (content) =>
    paragraphs(content)
      .map((each) => `<p class="body" style="margin: 0;"><strong>${each.replaceAll("\n", "<br />")}</strong></p>`)
      .join("\n"),
  ),
  inBody("escaped tags", (content) =>
    paragraphs(content)
      .map((each) => `&lt;p&gt;${each}&lt;/p&gt;`)
      .join("\n"),
  ),
  { ...inBody("lines joined without a blank", (content) => content.replace(/\s*\n\s*/g, "")), allowedPart: 0.1 },
  { ...inBody("lines joined with a blank", (content) => content.replace(/\s*\n\s*/g, " ")), allowedPart: 0.1 },
  inBody("soft line breaks", (content) => content.replace(/([^\n]{50,72}) (?=\S)/g, "$1\n")),
  inText("blanks before punctuation", (text) =>
    text.replace(/(?<=\S)([,;)”])(?!\S)/g, " $1").replace(/(?<=[a-z])(\.)(?=\s|$)/g, " $1"),
  ),
  inText("blanks inside brackets", (text) => text.replaceAll("(", "( ").replaceAll(")", " )").replaceAll(": ", " : ")),
  inText("non-breaking spaces", (text) => text.replaceAll(" ", "\u00a0")),
  inText("smart quotes", (text) =>
    text
      .replace(/(?<=^|[\s(])"/g, "“")
      .replaceAll('"', "”")
      .replaceAll("'", "’")
      .replaceAll(" - ", " – "),
  ),
  inText("straight quotes", (text) => text.replace(/[“”]/g, '"').replace(/[‘’]/g, "'").replace(/[–—]/g, "-")),
  before("a foreign company named first", `Its customer ${FOREIGN}\n\n`),
  before("a foreign company in the same paragraph", `Its customer ${FOREIGN} is a maker of valves. `),
  before("a foreign company directly before the text", `Its customer ${FOREIGN} `),
  before("navigation", `${NAVIGATION}\n\n`),
  before("share buttons", `${SHARE_BUTTONS}\n\n`),
  inBody("stamp", (content) => `${stampOf(content)}\n\n${content}`),
  before("capital line", "EXAMPLE WIRE NEWS RELEASE\n\nFOR IMMEDIATE RELEASE\n\n"),
  before("another company's results", `${RESULTS}\n\n`),
  {
    // A whole release with its own dateline, which some texts don't have.
    ...before("another company's appointment, with its dateline and symbol", `${APPOINTMENT}\n\n`),
    allowedPart: 0.1,
  },
  before("cashtags", "$EXFR $EXEN\n\n"),
  before("exchange tags", "(NYSE: EXFR) (NASDAQ: EXFD)\n\n"),
  before("related tickers", "Related tickers: EXFR, EXEN\n\n"),
  after("news of another company", `\n\n${NEWS}`),
  after("a partner with a past split", `\n\n${PARTNER_WITH_SPLIT}`),
  after("a partner with a past consolidation", `\n\n${PARTNER_WITH_CONSOLIDATION}`),
  after("a headline of another company", "\n\nExample Freight (NYSE: EXFR) announces 1-for-12 reverse stock split"),
  after("tags below the text", "\n\nTags: NASDAQ:EXFD, NYSE:EXFR"),
  {
    name: "another company's results in the middle",
    allowedPart: 0,
    apply: ({ heading, content }) => {
      const [first = "", ...others] = paragraphs(content);
      return { heading, content: [first, RESULTS, ...others].join("\n\n") };
    },
  },
  after("section about another company", `\n\n${ABOUT_PARTNER}`),
  after("footer", `\n\n${FOOTER}`),
  after("clock beside Chinese text", "\n\n電話會議時間：香港時間20:30，北京时间20:30。\n1:30下午 / 发布 9:15"),
  {
    name: "navigation, stamp, buttons and footer",
    allowedPart: 0,
    apply: ({ heading, content }) => ({
      heading,
      content: [NAVIGATION, heading, stampOf(content), SHARE_BUTTONS, content, ABOUT_PARTNER, FOOTER].join("\n\n"),
    }),
  },
];

function inText(name: string, change: (text: string) => string): Distortion {
  return {
    name,
    allowedPart: 0,
    apply: ({ heading, content }) => ({ heading: change(heading), content: change(content) }),
  };
}

function inBody(name: string, change: (content: string) => string): Distortion {
  return { name, allowedPart: 0, apply: ({ heading, content }) => ({ heading, content: change(content) }) };
}

function before(name: string, furniture: string): Distortion {
  return inBody(name, (content) => furniture + content);
}

function after(name: string, furniture: string): Distortion {
  return inBody(name, (content) => content + furniture);
}

function paragraphs(content: string): readonly string[] {
  return content.split(/\n\s*\n/).filter((each) => each.trim() !== "");
}
