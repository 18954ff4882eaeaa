import { RESTJSONErrorCodes } from "discord.js";
import { describe, expect, it } from "vitest";
import { FAILURES_BY_CODE as DISCORD } from "../../src/chat/discord/delivery-errors.ts";
import { FAILURES_BY_CODE as SLACK } from "../../src/chat/slack/alerts/delivery-errors.ts";
import { readDocument } from "../support/documentation.ts";

const PAGE = "docs/decisions/refusals.md";

/** Codes whose class is no list of the documented ones. */
const UNDOCUMENTED_BY_DISCORD = [20_026];

/** Lines `class code` of the table under a heading. */
function documented(heading: string, codesIn: (cells: readonly string[]) => readonly string[]): readonly string[] {
  const section = readDocument(PAGE).split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  return section
    .split("\n")
    .filter((line) => /^\| (?!class|---)/.test(line))
    .flatMap((line) => {
      const cells = line.split("|").map((cell) => cell.trim());
      return codesIn(cells).map((code) => `${cells[1]} ${code}`);
    })
    .toSorted();
}

function listed(byCode: Readonly<Record<string, readonly (string | number)[]>>): readonly string[] {
  return Object.entries(byCode)
    .flatMap(([failure, codes]) => codes.map((code) => `${failure} ${code}`))
    .toSorted();
}

describe("the tables of refusals", () => {
  it("contain Discord's codes as the code classifies them", () => {
    expect(documented("Discord", (cells) => [cells[2] ?? ""])).toEqual(listed(DISCORD));
  });

  it("contain Slack's codes as the code classifies them", () => {
    expect(documented("Slack", ([, , , codes = ""]) => codes.match(/\w+/g) ?? [])).toEqual(listed(SLACK));
  });
});

it("the codes of Discord are documented, and each has one class", () => {
  const codes = Object.values(DISCORD).flat();
  const known: ReadonlySet<unknown> = new Set(
    Object.values(RESTJSONErrorCodes).filter((code) => typeof code === "number"),
  );
  expect(codes.filter((code) => !known.has(code))).toEqual(UNDOCUMENTED_BY_DISCORD);
  expect(new Set(codes).size).toBe(codes.length);
  const slackCodes: readonly string[] = Object.values(SLACK).flat();
  expect(new Set(slackCodes).size).toBe(slackCodes.length);
});
