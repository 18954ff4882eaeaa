import { describe, expect, it } from "vitest";
import { readCommandLine } from "../../../commands/parser/words.ts";
import { commandText } from "./command-text.ts";

describe("what is typed on Slack", () => {
  it.each([
    ["list <#C123|nasdaq>", "list nasdaq"],
    ["show <#C123>", "show <#C123>"],
    ["subscribe mention:<@U123|ada>", "subscribe mention:<@U123>"],
    ["subscribe mention:<!subteam^S1|@traders>", "subscribe mention:<!subteam^S1>"],
    ["show &lt;ACME&gt; &amp;amp;", "show <ACME> &amp;"],
    ["watch <http://BRK.B|BRK.B>", "watch <http://BRK.B|BRK.B>"],
  ])("%s is read as %s", (typed, read) => {
    expect(commandText(typed)).toBe(read);
  });

  it("comes to the commands without Slack's links and quotes", () => {
    const { name, words } = readCommandLine(commandText("watch <http://BRK.B|BRK.B>, “ACME” &amp; $ZED"));
    expect(name).toBe("watch");
    expect(words.map(({ text }) => text)).toEqual(["BRK.B", "ACME", "&", "$ZED"]);
  });
});
