import { describe, expect, it } from "vitest";
import { sentencesOf } from "../../test/support/sentences.ts";
import { ADJOURNMENT_RULES, FAILED_VOTE_RULES, findVotes, PENDING_VOTE_RULES, withoutFailedVotes } from "./vote.ts";

function votesIn(content: string) {
  return findVotes(sentencesOf({ heading: "", content }));
}

describe("findVotes", () => {
  it.each(FAILED_VOTE_RULES)("finds a failed vote in the example of the rule: $name", ({ example }) => {
    expect(votesIn(`${example}.`).failed).toHaveLength(1);
  });

  it.each(ADJOURNMENT_RULES)("finds an adjourned vote in the example of the rule: $name", ({ example }) => {
    expect(votesIn(`${example}.`).adjourned).toHaveLength(1);
  });

  it.each(PENDING_VOTE_RULES)("finds a pending vote in the example of the rule: $name", ({ example }) => {
    expect(
      votesIn(`${example.replace("approval of the consolidation", "approval of the share consolidation")}.`),
    ).toMatchObject({ pending: [{}], isApproved: false });
  });

  it.each([
    "If the proposal on the reverse split is not approved, the listing may end.",
    "The exchange has not approved the reverse split.",
    "Holders who did not receive certificates before the reverse split need not act.",
    "The reverse split was approved. Proposal 4 was not approved.",
    "The merger was rejected by the holders.",
  ])("finds no failed vote in: %s", (content) => {
    expect(votesIn(content).failed).toEqual([]);
  });

  it.each([
    "The reverse split was approved by the stockholders.",
    "Having received shareholder approval, the company completes its reverse split.",
    "Holders voted in favor of the reverse split.",
  ])("finds the approval in: %s", (content) => {
    expect(votesIn(content)).toMatchObject({ failed: [], pending: [], isApproved: true });
  });
});

it("finds the approval of resolutions that were passed", () => {
  const content = "All resolutions seeking shareholder approval of the share consolidation were duly passed.";
  expect(votesIn(content)).toMatchObject({ failed: [], isApproved: true });
});

describe("withoutFailedVotes", () => {
  it("removes a failed vote with the proposal that its sentence refers to", () => {
    const [kept, ...removed] = [
      "Orlock Motors announced a reverse split.",
      "Brandvale proposed a reverse split.",
      "However, shareholders did not approve the proposed resolution.",
    ];
    const sentences = sentencesOf({ heading: "", content: [kept, ...removed].join(" ") });
    expect(withoutFailedVotes(sentences).map(({ plain }) => plain)).toEqual([kept]);
  });
});
