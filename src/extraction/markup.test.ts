import { describe, expect, it } from "vitest";
import { extractFacts } from "./extract.ts";
import { decodeMarkup } from "./markup.ts";

describe("decodeMarkup", () => {
  it.each([
    ["text without markup", "Mills & Sons rose <5% to 1 < 2", "Mills & Sons rose <5% to 1 < 2"],
    ["named entities", "Mills &amp; Sons&nbsp;&quot;Mills&quot; caf&eacute;", 'Mills & Sons\u00a0"Mills" café'],
    ["decimal and hexadecimal entities", "&#40;&#x201C;Mills&#8221;&#X29;", "(“Mills”)"],
    ["the Windows characters 128 to 159", "Mills&#146;s 1&#150;for&#150;20", "Mills’s 1–for–20"],
    ["entities escaped twice", "Mills &amp;amp; Sons &amp;#40;NASDAQ&amp;rpar;", "Mills & Sons (NASDAQ)"],
    [
      "unknown entities, which stay",
      "R&D; &nothing; &#0; &#xD800; &#99999999;",
      "R&D; &nothing;   &#xD800; &#99999999;",
    ],
    ["paragraphs", '<p class="a">One.</p><p>Two.</p>', "\n\nOne.\n\n\n\nTwo.\n\n"],
    ["breaks", "One<br>two<br />three", "One\ntwo\nthree"],
    ["escaped tags", "&lt;p&gt;One&lt;/p&gt;", "\n\nOne\n\n"],
    ["inline tags, which are removed", "<b>Mills</b>, <a href='x'>Inc.</a><!-- note -->", "Mills, Inc."],
    ["scripts, which are removed", "One<script type='a'>if (1 < 2) split('<p>');</script>two", "One two"],
    ["styles in capitals, which are removed", "One<STYLE>p > b { color: red }</STYLE >two", "One two"],
    [
      "fallbacks and templates, which are removed",
      "One<noscript><p>No</p></noscript><template><b>No</b></template>",
      "One  ",
    ],
    ["comments with tags, which are removed", "1<!-- <p>No</p> > -->-for-12", "1-for-12"],
    ["a script without its end, which extends to the end", "One<script>two <p>three</p>", "One "],
    ["an empty script, which ends with its tag", "One<script src='a'/>two", "One two"],
    ["a tag whose name only begins like a script's", "<scripted>One</scripted>", "<scripted>One</scripted>"],
    [
      "elements without display, which are removed",
      'One<div style="display: none"><div>No</div>No</div>two',
      "One two",
    ],
    ["hidden paragraphs, of which each ends at the next", "<p hidden>No<p>Two</p>", " \n\nTwo\n\n"],
    ["hidden cells and rows", '<tr style="color:red; DISPLAY:NONE"><td>No</td></tr><td hidden>No</td>', "  "],
    [
      "a hidden field, which has no content",
      '<input type="hidden" value="No">One',
      '<input type="hidden" value="No">One',
    ],
    ["a hidden element without its end, which extends to the end", "One<div hidden><b>No</b>", "One "],
    ["table rows", "<tr><td>Old CUSIP</td><td>1</td></tr>", "\n\nOld CUSIP | 1 | \n\n"],
    ["list items", "<ul><li>One</li><li>Two</li></ul>", "\n\n\n• One\n\n• Two\n\n\n"],
    ["angle brackets that are not tags", "<ir@mills.example> <Mills>", "<ir@mills.example> <Mills>"],
  ])("decodes %s", (_, raw, text) => {
    expect(decodeMarkup(raw)).toBe(text);
  });
});

it("resolves the escapes of a JSON string that has line breaks", () => {
  const content = String.raw`[{"text":"Acme \u0026 Sons (the\n\n \"Company\"\n\n) announces\r\n a split"}]`;
  expect(decodeMarkup(content)).toBe('[{"text":"Acme & Sons (the\n\n "Company"\n\n) announces \n a split"}]');
  expect(decodeMarkup(String.raw`C:\temp \u0026`)).toBe(String.raw`C:\temp \u0026`);
});

it("quotes the sentences of an HTML text without its markup", () => {
  const content =
    "<p>Harbor Mills&#44; <b>Inc.</b> (NASDAQ:&nbsp;HMIL) announced a 1&#8209;for&#8209;12 reverse split.</p>";
  const { splits, evidence } = extractFacts({ heading: "Harbor Mills &amp; Sons", content });
  expect(splits).toMatchObject([{ ticker: "HMIL", ratio: { newShares: 1, oldShares: 12 } }]);
  expect(evidence.ticker).toBe("Harbor Mills, Inc. (NASDAQ:\u00a0HMIL) announced a 1‑for‑12 reverse split.");
});

it("reads no facts from scripts, styles and comments", () => {
  const hidden = "Harbor Mills (NASDAQ: HMIL) announced a 1-for-12 reverse split, effective May 11, 2026.";
  const content = `<style>/* ${hidden} */</style><script>var news = "${hidden}";</script><!-- ${hidden} --><p>Harbor Mills opened a plant.</p>`;
  expect(extractFacts({ heading: "News", content })).toMatchObject({ kind: "other", mentions: [], splits: [] });
});
