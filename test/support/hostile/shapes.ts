import { gzipSync } from "node:zlib";

/** A kind of hostile text of any size. */
export interface Shape {
  /** Unique. */
  readonly name: string;
  /** Writes at most about `sizeBytes` bytes of UTF-8, or of another encoding. */
  readonly write: (sizeBytes: number) => string | Buffer;
}

/** Repeats a piece between a head and a tail. */
function repeated(name: string, piece: string, head = "", tail = ""): Shape {
  const pieceBytes = Buffer.byteLength(piece);
  const otherBytes = Buffer.byteLength(head + tail);
  const write = (sizeBytes: number): string =>
    head + piece.repeat(Math.max(1, Math.floor((sizeBytes - otherBytes) / pieceBytes))) + tail;
  return { name, write };
}

/** Repeats an opening and as many closings: `[[[[1]]]]`. */
function nested(name: string, opening: string, closing: string, head = ""): Shape {
  const write = (sizeBytes: number): string => {
    const depth = Math.max(1, Math.floor((sizeBytes - head.length - 1) / (opening + closing).length));
    return `${head}${opening.repeat(depth)}1${closing.repeat(depth)}`;
  };
  return { name, write };
}

/** Encodes the text of another shape. */
function encoded(name: string, shape: Shape, encode: (text: string) => Buffer): Shape {
  return { name, write: (sizeBytes) => encode(String(shape.write(sizeBytes))).subarray(0, sizeBytes) };
}

const RSS = '<?xml version="1.0"?><rss version="2.0"><channel><title>Wire</title>';
const ATOM = '<feed xmlns="http://www.w3.org/2005/Atom"><title>Wire</title>';
const RDF = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">';
const ITEM = "<item><title>a</title><link>http://a.example/b</link><description>c</description></item>";
const HTML = "<!DOCTYPE html><html><body>";
const JSON_FEED = '{"version":"https://jsonfeed.org/version/1.1","title":"Wire","items":[';

const markup: readonly Shape[] = [
  repeated("divisions that are opened", "<div>", HTML),
  repeated("divisions that are closed", "</div>", HTML),
  repeated("inline elements that are opened", "<b>", HTML),
  repeated("paragraphs that are opened", "<p>a", HTML),
  repeated("short paragraphs", "<p>a</p>", HTML),
  nested("nested divisions", "<div>", "</div>", HTML),
  nested("nested tables", "<table><tr><td>", "</td></tr></table>", HTML),
  nested("nested lists", "<ul><li>", "</li></ul>", HTML),
  nested("nested elements of a feed", "<a>", "</a>", `${RSS}<item><title>a</title><description>`),
  repeated("table rows without ends", "<tr><td>a", `${HTML}<table>`),
  repeated("cells of one row", "<td>1-for-20</td>", `${HTML}<table><tr>`),
  repeated("tables of one cell", "<table><tr><td>a</td></tr></table>", HTML),
  repeated("list items", "<li>a", `${HTML}<ul>`),
  repeated("line breaks", "<br>", HTML),
  repeated("angle brackets", "<"),
  repeated("closing angle brackets", ">"),
  repeated("starts of tags", "<a ", HTML),
  repeated("starts of tags with an attribute", "<div class='x ", HTML),
  repeated("attributes of one element", ' a="b"', `${HTML}<div`, ">a</div>"),
  repeated("attributes without values", " a", `${HTML}<div`, ">a</div>"),
  repeated("equals signs in a tag", " =", `${HTML}<a href`),
  repeated("an attribute's value without an end", "a", `${HTML}<a href="`),
  repeated("spaces in a tag", " ", `${HTML}<a`, "x"),
  repeated("links", '<a href="/news-releases/a-1.html">a</a>', HTML),
  repeated("headings", "<h1>Announces Reverse Stock Split</h1>", HTML),
  repeated("titles", "<title>a", "<html><head>"),
  repeated("scripts without ends", "<script>a", HTML),
  repeated("styles", "<style>a{}</style>", HTML),
  repeated("comments without ends", "<!--", HTML),
  repeated("comments", "<!-- a -->", HTML),
  repeated("comments that end oddly", "<!--->--!>", HTML),
  repeated("CDATA sections without ends", "<![CDATA[", `${RSS}<item><title>a</title><description>`),
  repeated("ends of CDATA sections", "]]>", `${RSS}<item><title>a</title><description>`),
  repeated("CDATA sections", "<![CDATA[a]]>", `${RSS}<item><title>a</title><description>`),
  repeated("a document type of many letters", "a", "<!DOCTYPE "),
  repeated("a document type of many spaces", " ", "<!DOCTYPE html", "x"),
  repeated("document types", "<!DOCTYPE "),
  repeated("a document type with brackets", "[]", "<!DOCTYPE rss ["),
  repeated("processing instructions", "<?a ", RSS),
  repeated("an XML declaration of many attributes", ' a="b"', '<?xml version="1.0"'),
  repeated("entity declarations", '<!ENTITY a "b">', "<!DOCTYPE rss [", `]>${RSS}`),
  repeated("entities", "&amp;", HTML),
  repeated("double-escaped entities", "&amp;amp;lt;p&amp;amp;gt;", HTML),
  repeated("numeric entities", "&#60;", HTML),
  repeated("digits of an entity", "9", `${HTML}&#`, ";"),
  repeated("letters of an entity", "a", `${HTML}&`, ";"),
  repeated("ampersands", "&"),
  repeated("escaped markup", "&lt;p&gt;a&lt;/p&gt;", HTML),
  repeated("namespaces", ' xmlns:a="http://a.example/"', "<rss", "><channel>"),
];

const feeds: readonly Shape[] = [
  repeated("items of an RSS feed", ITEM, RSS, "</channel></rss>"),
  repeated("empty items of an RSS feed", "<item/>", RSS, "</channel></rss>"),
  repeated("items without ends", "<item>", RSS),
  repeated("items of an RDF feed", ITEM, RDF, "</rdf:RDF>"),
  repeated(
    "entries of an Atom feed",
    '<entry><title>a</title><link href="http://a.example/b"/><updated>2026-03-02T08:30:00Z</updated></entry>',
    ATOM,
    "</feed>",
  ),
  repeated("entries without ends", "<entry>", ATOM),
  repeated("links of one entry", '<link href="http://a.example/b"/>', `${ATOM}<entry>`, "</entry></feed>"),
  repeated("categories of one item", "<category>Nasdaq:ACME</category>", `${RSS}<item>`, "</item></channel></rss>"),
  repeated("authors of one item", "<author>(</author>", `${RSS}<item>`, "</item></channel></rss>"),
  repeated("titles of one item", "<title>a</title>", `${RSS}<item>`, "</item></channel></rss>"),
  repeated("elements without ends in an item", "<x:item ", `${RSS}<item>`),
  repeated("items of a JSON feed", '{"id":"1","url":"http://a.example/b","title":"a"},', JSON_FEED, "{}]}"),
];

const json: readonly Shape[] = [
  repeated("empty objects", "{},", "[", "{}]"),
  repeated("empty arrays", "[],", '{"results":[', "[]]}"),
  repeated("numbers", "1,", '{"data":[', "1]}"),
  repeated("nulls", "null,", '{"list":[', "null]}"),
  nested("nested arrays", "[", "]"),
  nested("nested objects", '{"a":', "}"),
  repeated("arrays without ends", "["),
  repeated("objects without ends", '{"a":'),
  repeated("a long string", "a", '{"title":"', '"}'),
  repeated("a string without an end", "a", '["'),
  repeated("a string of escapes", "\\u0041", '{"title":"', '"}'),
  repeated("a string of backslashes", "\\\\", '{"title":"', '"}'),
  repeated("lone surrogates in escapes", "\\ud800", '{"title":"', '"}'),
  repeated("duplicate keys", '"a":1,', "{", '"a":1}'),
  repeated("keys of prototypes", '"__proto__":{"a":1},', "{", '"a":1}'),
  repeated("a long key", "a", '{"', '":1}'),
  repeated("a long number", "9", "[", "]"),
  repeated("an exponent of many digits", "9", "[1e", "]"),
  repeated("spaces between values", " ", '{"results":[', "]}"),
  repeated("search results", '{"_id":"a:b","_source":{"ciks":["1"]}},', '{"hits":{"hits":[', "{}]}}"),
  repeated("rows with dates", '{"title":"a","date":"2026-03-02","slug":"a"},', '{"list":[', "{}]}"),
];

const tables: readonly Shape[] = [
  repeated("one line of cells with bars", "a|"),
  repeated("lines of cells with bars", "a|b|c|d\n", "Symbol|Security Name|Exchange|ETF\n"),
  repeated("one line of cells with commas", "a,", "Number,Post Date,Effective Date,Title\n"),
  repeated("lines of cells with commas", "1,2,3,4\r\n", "Number,Post Date,Effective Date,Title\n"),
  repeated("a quoted cell without an end", "a\n", 'Number,Post Date,Effective Date,Title\n1,2,3,"'),
  repeated("quotation marks", '"'),
  repeated("quoted cells", '"a",', "Number,Post Date,Effective Date,Title\n"),
  repeated("one line without an end", "a"),
  repeated("lines of one letter", "a\n"),
  repeated("line ends", "\n"),
  repeated("carriage returns", "\r"),
  repeated("table rows of text", "| 1-for-20 "),
  repeated("bars and spaces", "|   "),
];

const RELEASE = "Acme Robotics (NASDAQ: ACME) announces a reverse stock split.\n";

const prose: readonly Shape[] = [
  repeated("spaces before a letter", " ", `${RELEASE}read next`, "x"),
  repeated("spaces before a letter in preformatted text", " ", `${HTML}<pre>${RELEASE}read next`, "x</pre>"),
  repeated("tabs before a letter", "\t", `${RELEASE}read next`, "x"),
  repeated("no-break spaces before a letter", "\u00A0", RELEASE, "x"),
  repeated("entities of spaces before a letter", "&nbsp;", `${HTML}<p>${RELEASE}`, "x"),
  repeated("line ends before a letter", "\n", RELEASE, "x"),
  repeated("spaces and line ends", " \n", RELEASE, "x"),
  repeated("line separators", "\u2028", RELEASE),
  repeated("headings of other releases", "read next \n", RELEASE),
  repeated("bullets", "• a\n", RELEASE),
  repeated("dashes", "- ", RELEASE),
  repeated("ratio starts in digits", "1-for-", RELEASE),
  repeated("ratio starts in words", "one-for-", RELEASE),
  repeated("ratios", "1-for-20 reverse stock split ", RELEASE),
  repeated("ratio starts in prose", "reverse stock split of 1 ", RELEASE),
  repeated("ratios of many digits", "1", `${RELEASE}1-for-`),
  repeated("ratios with words", "twenty-five (25) ", `${RELEASE}one-for-`),
  repeated("colons and digits", "1:", RELEASE),
  repeated("dates", "March 9, 2026 ", RELEASE),
  repeated("dates without years", "March 9, ", RELEASE),
  repeated("times", "4:01 p.m. Eastern Time ", RELEASE),
  repeated("tickers", "(NASDAQ: ACME) ", RELEASE),
  repeated("ticker starts", "(NASDAQ: ", RELEASE),
  repeated("lists of exchanges", "NASDAQ/NYSE/", RELEASE),
  repeated("CUSIPs", "CUSIP 99999A10X ", RELEASE),
  repeated("words before CUSIPs", "CUSIP number ", RELEASE),
  repeated("opening parentheses", "(", RELEASE),
  repeated("closing parentheses", ")", RELEASE),
  repeated("terms in parentheses", '(the "Company") ', RELEASE),
  repeated("opening quotation marks", "“", RELEASE),
  repeated("capital letters", "A", RELEASE),
  repeated("capital letters and spaces", "A ", RELEASE),
  repeated("capitalized words", "Acme Holdings ", RELEASE),
  repeated("company forms", "Inc. ", RELEASE),
  repeated("abbreviations", "U.S. ", RELEASE),
  repeated("titles of persons", "Mr. ", RELEASE),
  repeated("full stops", ".", RELEASE),
  repeated("short sentences", "a.", RELEASE),
  repeated("a sentence without an end", "the shares and ", RELEASE),
  repeated("sentences about fractions", "No fractional shares will be issued. ", RELEASE),
  repeated("starts of sentences about fractions", "fractional shares of ", RELEASE),
  repeated("negations", "not effective and not ", RELEASE),
  repeated("amounts", "$1,000,000.00 ", RELEASE),
  repeated("thousands", "1,000,", RELEASE),
  repeated("a long word", "a", RELEASE),
  repeated("underlines", "_", RELEASE),
  repeated("addresses", "https://www.acme.example/a?b=c ", RELEASE),
  repeated("datelines", "NEW YORK, March 2, 2026 /PRNewswire/ -- ", RELEASE),
  repeated("labels", "Effective date: ", RELEASE),
  repeated("labels in lines", "BULLETIN TYPE: Consolidation\nBULLETIN DATE: March 2, 2026\n"),
  repeated("labels without values", "BULLETIN TYPE:"),
];

const characters: readonly Shape[] = [
  repeated("combining characters", "\u0301", "a"),
  repeated("bidirectional controls", "\u202E\u2066"),
  repeated("zero-width characters", "\u200B\u200D"),
  repeated("letters that grow in upper case", "ß\u0130"),
  repeated("characters of four bytes", "😀"),
  repeated("lone surrogates", "\uD83D"),
  repeated("NULs", "\0"),
  repeated("byte order marks", "\uFEFF"),
  repeated("full-width digits", "１"),
  { name: "bytes that are no UTF-8", write: (sizeBytes) => Buffer.alloc(sizeBytes, 0x80) },
  { name: "random-like bytes", write: (sizeBytes) => Buffer.alloc(sizeBytes, gzipSync("reverse stock split")) },
  encoded("UTF-16 without a byte order mark", repeated("", ITEM, RSS), (text) => Buffer.from(text, "utf16le")),
  encoded("UTF-16 with a byte order mark", repeated("", "<p>a", `\uFEFF${HTML}`), (text) =>
    Buffer.from(text, "utf16le"),
  ),
  encoded("another encoding than declared", repeated("", "é", '<?xml version="1.0" encoding="utf-16"?><rss>'), (text) =>
    Buffer.from(text, "latin1"),
  ),
];

const robots: readonly Shape[] = [
  repeated("rules with wildcards", `Disallow: /${"*a".repeat(100)}b\n`, "User-agent: *\n"),
  repeated("one rule of wildcards", "*a", "User-agent: *\nDisallow: /", "*b"),
  repeated("rules", "Disallow: /a\n", "User-agent: *\n"),
  repeated("user agents", "User-agent: splitwatch\n", "", "Disallow: /"),
  repeated("escapes in a rule", "%2A", "User-agent: *\nDisallow: /"),
  repeated("spaces in a rule", " ", "User-agent: *\nDisallow:", "a"),
  repeated("comments of rules", "#", "User-agent: *\n"),
  repeated("delays", "Crawl-delay: 9\n", "User-agent: *\n"),
];

/** Kinds of hostile texts, each of which any reader may receive. */
export const SHAPES: readonly Shape[] = [...markup, ...feeds, ...json, ...tables, ...prose, ...characters, ...robots];
