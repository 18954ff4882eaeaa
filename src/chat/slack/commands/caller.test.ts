import { describe, expect, it } from "vitest";
import { isMention } from "../block-kit/mrkdwn.ts";
import { resolveMention } from "./caller.ts";

const ADA = { id: "U1", name: "Ada" };

describe("the mention of a rule", () => {
  it.each([
    ["me", "<@U1>"],
    ["@me", "<@U1>"],
    ["<@U1>", "<@U1>"],
    ["<@U1|ada>", "<@U1>"],
    ["@ada", "<@U1>"],
    ["<!subteam^S1>", "<!subteam^S1>"],
    ["<!subteam^S1|@traders>", "<!subteam^S1>"],
  ])("may be %s", (typed, mention) => {
    expect(resolveMention(typed, ADA)).toEqual({ kind: "allowed", mention });
  });

  it.each([
    ["<!channel>", /whole channel/],
    ["@here", /whole channel/],
    ["everyone", /whole channel/],
    ["<!everyone|@everyone>", /whole channel/],
    ["<@U2>", /not another person/],
    ["@bob", /mention:me/],
    ["<!subteam^S1> <!channel>", /mention:me/],
  ])("may not be %s", (typed, reason) => {
    expect(resolveMention(typed, ADA)).toEqual({ kind: "refused", reason: expect.stringMatching(reason) });
  });

  it.each(["<!channel>", "<!here>", "@everyone", "<@U1", "text <@U1>", ""])("is never %j", (text) => {
    expect(isMention(text)).toBe(false);
  });
});
