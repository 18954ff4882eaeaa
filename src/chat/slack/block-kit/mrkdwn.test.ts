import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCommandLine } from "../../../commands/parser/words.ts";
import { commandText, formatLink, safeUrl, toMrkdwn, toPlainText } from "./mrkdwn.ts";

const PIECES = ["&", "<", ">", "a", " ", "*", "`", ":x:", "😀", "\uD800", "\u0000", "\n", "<!here>"] as const;
const pieces = fc.array(fc.constantFrom(...PIECES), { maxLength: 80 });

describe("text inside mrkdwn", () => {
  it.each([
    ["Bravo & Sons <Holding>", "Bravo &amp; Sons &lt;Holding&gt;"],
    ["<!channel> <@U1>", "&lt;!channel&gt; &lt;@U1&gt;"],
    ["*bold* _it_ ~gone~", "\u2217bold\u2217 \uFF3Fit\uFF3F \u223Cgone\u223C"],
    ["`code`", "\u02CBcode\u02CB"],
    [":skull: at 09:00", ":\u2060skull: at 09:00"],
    ["round_up and a*b", "round_up and a*b"],
    ["one\r\ntwo\u2028three", "one two three"],
    ["a\u0000b\u202Ec\uD800", "abc\uFFFD"],
  ])("contains no markup and no mentions: %j", (text, written) => {
    expect(toMrkdwn(text, 200)).toBe(written);
  });

  it("is truncated to the limit, never inside an escape or a character", () => {
    fc.assert(
      fc.property(pieces, fc.integer({ min: 12, max: 60 }), (text, most) => {
        const written = toMrkdwn(text.join(""), most);
        expect(written.length).toBeLessThanOrEqual(most);
        expect(written).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)|\p{Cs}|(?![\n\t])\p{Cc}/u);
      }),
    );
  });

  it("ends with an ellipsis if it is truncated", () => {
    expect(toMrkdwn("&".repeat(10), 12)).toBe("&amp;&amp;…");
  });
});

describe("plain text", () => {
  it.each([
    ["AT&T", "AT&T"],
    ["<!here> & <b>", "<\u2060!here> & <b>"],
    ["  two\nlines ", "two\nlines"],
  ])("is unchanged except for mentions: %j", (text, written) => {
    expect(toPlainText(text, 100)).toBe(written);
  });

  it("is truncated to its limit", () => {
    expect(toPlainText("word ".repeat(100), 20)).toBe("word word word word…");
  });
});

describe("a link", () => {
  it.each([
    ["https://wire.example/a?b=1&c=2", "<https://wire.example/a?b=1&amp;c=2|here>"],
    ["https://wire.example/a|b>c", "<https://wire.example/a%7Cb%3Ec|here>"],
    ["javascript:alert(1)", "here"],
    ["/relative", "here"],
    ["", "here"],
    [`https://wire.example/${"x".repeat(2_000)}`, "here"],
  ])("allows only http addresses: %s", (address, written) => {
    expect(formatLink("here", address)).toBe(written);
  });

  it("is omitted without an address", () => {
    expect(safeUrl(null)).toBeNull();
  });
});

describe("text typed in Slack", () => {
  it.each([
    ["list <#C123|nasdaq>", "list nasdaq"],
    ["show <#C123>", "show <#C123>"],
    ["subscribe mention:<@U123|ada>", "subscribe mention:<@U123>"],
    ["subscribe mention:<!subteam^S1|@traders>", "subscribe mention:<!subteam^S1>"],
    ["show &lt;ACME&gt; &amp;amp;", "show <ACME> &amp;"],
    ["watch <http://BRK.B|BRK.B>", "watch <http://BRK.B|BRK.B>"],
  ])("%s becomes %s", (typed, read) => {
    expect(commandText(typed)).toBe(read);
  });

  it("reaches the commands without Slack's links and quotes", () => {
    const { name, words } = readCommandLine(commandText("watch <http://BRK.B|BRK.B>, “ACME” &amp; $ZED"));
    expect(name).toBe("watch");
    expect(words.map(({ text }) => text)).toEqual(["BRK.B", "ACME", "&", "$ZED"]);
  });
});
