import { describe, expect, it } from "vitest";
import { extractFacts } from "./extract.ts";

const HEADING = "Harbor Mills Announces 1-for-12 Reverse Stock Split";
const NEWS = "Harbor Mills Inc. (NASDAQ: HMIL) today announced a 1-for-12 reverse stock split, effective June 5, 2026.";

function read(text: string, heading = HEADING) {
  return extractFacts({ heading, content: `${NEWS}\n\n${text}\n\nAbout Harbor Mills\n\nHarbor Mills makes paper.` });
}

describe("findFraction, rounding up", () => {
  it.each([
    "No fractional shares will be issued. Each fraction will be rounded up to the next whole share.",
    "Any fractional interest will be rounded up to the nearest whole number of shares.",
    "Stockholders left with a fraction will have their holding rounded up to the nearest full share.",
    "Fractional interests of a share shall be rounded upwards to the nearest whole share.",
    "The Company will round any fractional share up to the next whole share.",
    "All fractions will be rounded to the next higher whole share.",
    "All fractions will be rounded to the next whole share.",
    "Fractional shares: rounded up to the nearest whole share.",
    "Fractional shares will be rounded up, and adjustments will be made to options and equity plans.",
    "No fractional shares will be issued; rather, each will be increased to the next whole share.",
    "Anyone who'd be left with a fraction will have it topped up to a whole share.",
    "In lieu of fractional shares, the Company will issue to each holder one additional whole share.",
    "Holders of record that would be left with a fractional share will instead receive a full share.",
    "Holders owning fewer than 12 shares will receive one share.",
    "Holders of fewer than 12 shares will be given one share.",
    "Nobody will be paid cash for a fraction. Instead, holders of fractional interests get one additional share.",
    "A holder of a fractional share will be issued such further fraction as is needed to increase the fractional share to a full share.",
    "Except for minor changes from the rounding up of fractional shares to the next whole share, nothing changes.",
    "The shares held by each holder will be divided by twelve and rounded up to the nearest whole share.",
  ])("finds the treatment in: %s", (text) => {
    expect(read(text).fraction?.treatment).toBe("round_up");
  });

  it.each([
    ["missing spaces", "Eachfractional share willbe roundedup to the nearestwhole share."],
    ["line breaks", "Each fractional share shall be rounded\nup to the nearest whole\nshare."],
    ["bold", "Fractional shares will be **rounded up** to the nearest **whole share**."],
    ["hyphens", "Fractional shares will be rounded-up to the nearest whole\u2011share."],
    ["capitals", "FRACTIONAL SHARES WILL BE ROUNDED UP TO THE NEAREST WHOLE SHARE."],
  ])("finds the treatment through %s", (_, text) => {
    expect(read(text).fraction?.treatment).toBe("round_up");
  });

  it.each([
    "The Company will round up fractional shares to the next whole share; no cash will be paid.",
    "No shareholder will receive cash in lieu of fractional shares; fractions are to be rounded up to the next whole share.",
    "Such stockholders will not receive cash for fractional shares but will receive one full share.",
    "Any fraction will be rounded up to the next whole share, without payment of any cash.",
    "Holders whose shares are not evenly divisible by twelve will be rounded up to the nearest whole share.",
    "Every fractional share will be rounded up to the nearest whole share. The split changes no one's percentage, other than by the rounding of shares to the nearest whole share.",
  ])("finds no other treatment in: %s", (text) => {
    expect(read(text).fraction?.treatment).toBe("round_up");
    expect(read(text).contradictions).toEqual([]);
  });
});

describe("findFraction, cash in lieu", () => {
  it.each([
    "No fractional shares will be issued and stockholders will receive cash in lieu of them.",
    "No fractional shares will be issued, with cash paid in lieu of any fraction.",
    "No fractional shares will be issued. Instead, holders will be entitled to a cash payment (without interest).",
    "Any fractional share will be paid, without interest, in cash.",
    "Fractional shares will be settled in cash at the average closing price of five days.",
    "The Fund will redeem for cash any fractional shares.",
    "Fractional shares will be cashed out.",
    "Holders of fractional shares will receive a cheque for the value of the fraction.",
    "Fractional shares will be aggregated and sold by the transfer agent, and the net proceeds will be distributed pro rata.",
    "Holders with a number not evenly divisible by twelve will be entitled, in lieu of a fractional share, to cash.",
    "Fractions will be rounded down to the nearest whole share and shareholders will receive cash for the remainder.",
    "Holders of record will receive cash in lieu of fractional shares. Those held through a broker will be rounded up to the nearest whole share.",
    "The agent will aggregate all fractional shares, sell them, and pay each holder a part of the proceeds.",
    "In lieu of a fractional share, shareholders will receive the cash equivalent of its value.",
    "Stockholders of record will get a check in lieu of fractional shares.",
    "No fractional ADSs will be distributed. Instead, fractional entitlements will be collected and sold by the Depositary. The net proceeds from these sales, after fees, will be distributed to the respective holders.",
    "No ADSs of less than one share will be issued. Instead, the shares will be merged and sold by the depositary bank, and the net cash proceeds (after fees) will be distributed to applicable ADS holders.",
  ])("finds the treatment in: %s", (text) => {
    expect(read(text).fraction?.treatment).toBe("cash_in_lieu");
  });

  it("ignores the rounding of an amount of money", () => {
    const text =
      "In lieu of any fractional share, holders will be paid cash equal to the fraction times the closing price, rounded up to the nearest whole cent.";
    expect(read(text).fraction?.treatment).toBe("cash_in_lieu");
  });
});

describe("findFraction, rounding to the nearest share", () => {
  it.each([
    "Fractional shares will be rounded to the nearest whole share.",
    "Fractional shares will be rounded either up or down to the nearest whole number.",
    "Fractions will be rounded up or down to the nearest whole share, with one-half rounded up.",
    "Fractional shares of 0.5 or more will be rounded up and those of less than 0.5 will be rounded down.",
    "Any fraction of less than one-half of a share will be cancelled. Each fraction of at least one-half will become one whole share.",
    "If the fraction is less than half of one share it is dropped, and if it is equal to or greater than one half it counts as a whole share.",
    "Afractional share of less thanone-half will be cancelled and onethat is at leasthalf ofa share becomes a whole share.",
  ])("finds the treatment in: %s", (text) => {
    expect(read(text).fraction?.treatment).toBe("round_nearest");
  });
});

describe("findFraction, rounding down", () => {
  it.each([
    "Fractional shares will be rounded down to the nearest whole share.",
    "Fractional interests shall be rounded down to the next lowest whole number of shares.",
    "Fractions will be rounded to the next lower whole share.",
    "Fractional shares will be rounded down; no cash will be paid.",
    "Fractional shares shall be cancelled without payment of any compensation.",
    "Any fractional share is deemed to be surrendered for cancellation for no consideration.",
    "Fractional shares will be rounded down. Any holder left with less than one share will be rounded up to one whole share.",
    "Any holder of fewer than one new share will receive one whole share. All other fractions will be rounded down to the nearest whole share.",
  ])("finds the treatment in: %s", (text) => {
    expect(read(text).fraction?.treatment).toBe("round_down");
  });
});

describe("findFraction, two treatments", () => {
  it("ignores that of shares from the exercise of other securities", () => {
    const text =
      "Any fractional share will be rounded up to the nearest whole share. Fractional shares resulting from the exercise of warrants will be paid in cash.";
    expect(read(text).fraction?.treatment).toBe("round_up");
  });

  it("ignores the fraction of a contract about the shares", () => {
    const text =
      "Any fractional share will be rounded up. The deliverable is:\n\n1) 3 shares\n\n2) Cash in lieu of 0.33 fractional shares";
    expect(read(text).fraction?.treatment).toBe("round_up");
  });

  it.each([
    "The company will either round up fractional shares to the nearest whole share or pay cash in lieu of them.",
    "Fractional shares will be rounded up to the nearest whole share or, at the company's option, paid in cash.",
    "Holders of fractional shares will receive cash in lieu of them or, in the sole discretion of the board, one additional whole share instead.",
  ])("has none if the company will choose: %s", (text) => {
    expect(read(text).fraction).toBeNull();
  });
});

describe("findFraction, without a treatment", () => {
  it.each([
    ["only that no fraction is issued", "No fractional shares will be issued."],
    ["no direction", "Fractions will be rounded in accordance with applicable procedures."],
    [
      "only that no cash is paid",
      "No fractional shares will be issued and no cash or other consideration will be paid.",
    ],
    ["neither share nor cash", "Stockholders will not receive fractional shares or cash in lieu of them."],
    ["a negation with words in between", "No holder, whatever its number of fractional shares, will receive cash."],
    ["an aside", "Percentages remain the same, except for the treatment of fractional shares."],
    [
      "a passing mention of rounding",
      "Nothing changes other than by the rounding of shares to the nearest whole share.",
    ],
    [
      "options",
      "The shares under each option, fractional shares included, will be rounded down to the nearest whole share.",
    ],
    ["an exercise price", "The exercise price will be rounded up to the nearest whole cent."],
    ["a merger", "In the merger, holders will receive cash in lieu of fractional shares."],
    ["figures", "Amounts are rounded up to the nearest thousand. Cash and cash equivalents were $4 million."],
    ["a past split", "Fractional shares were rounded up to the nearest whole share."],
    [
      "a split of an earlier year",
      "In the split of 2023 fractional shares had been rounded up to the next whole share.",
    ],
    ["cash paid in the past", "Holders received cash in lieu of fractional shares."],
    ["an idiom", "A fraction of the mill was rebuilt from the ground up for cash flow."],
  ])("finds none: %s", (_, text) => {
    expect(read(text).fraction).toBeNull();
    expect(read(text).contradictions).toEqual([]);
  });

  it.each([
    [
      "up and down",
      "Fractional shares will be rounded up to the nearest whole share. Fractional shares will be rounded down to the nearest whole share.",
    ],
    [
      "nearest and cash",
      "Holders of record will receive cash in lieu of fractional shares. Every fractional share will be rounded to the nearest whole share.",
    ],
  ])("reports a contradiction: %s", (_, text) => {
    expect(read(text).fraction).toBeNull();
    expect(read(text).contradictions).toEqual(["fraction"]);
    expect(read(text).evidence.fraction).toBeUndefined();
  });

  it("accepts the past tense if the announced split is completed", () => {
    const done = "Harbor Mills has completed its 1-for-12 reverse stock split, which became effective today.";
    const readDone = (text: string) =>
      extractFacts({ heading: "Harbor Mills Completes Reverse Split", content: `${done} ${text}` });
    expect(readDone("Fractional shares were rounded up to the next whole share.").fraction?.treatment).toBe("round_up");
    expect(
      readDone("In the split of 2023 fractional shares were rounded up to the next whole share.").fraction,
    ).toBeNull();
  });

  it("is not applied to other kinds of release", () => {
    const { kind, fraction } = extractFacts({
      heading: "Harbor Mills to Buy Quarry Lake",
      content: "Fractional shares will be rounded up to the nearest whole share.",
    });
    expect({ kind, fraction }).toEqual({ kind: "other", fraction: null });
  });
});

describe("the level of the rounding", () => {
  it.each([
    ["participant", "Fractions will be rounded up at the participant level of the depository."],
    ["participant", "Holders of a fractional share will be rounded up to a whole share at the DTC participant level."],
    [
      "participant",
      "The Company will not round up at the beneficial level and will instead round fractional shares up at the participant level.",
    ],
    [
      "participant",
      "Fractional shares will be rounded up to the next whole share. Such rounding is done at the broker level.",
    ],
    ["holder", "Any stockholder who would hold a fractional share will be rounded up to the next whole share."],
    ["holder", "Fractional shares will be rounded up to the next whole share on a per shareholder basis."],
    [
      "holder",
      "Fractional shares will be rounded up to the next whole share. Therefore, holders with less than 12 shares will receive one share, per holder.",
    ],
    [null, "Fractional shares will be rounded up to the next whole share."],
    [
      null,
      "Fractional shares will be rounded up to the next whole share. All stockholders are affected alike, but for fractional shares.",
    ],
  ])("is %s in: %s", (level, text) => {
    expect(read(text).fraction).toMatchObject({ treatment: "round_up", level });
  });
});

describe("the quoted sentence", () => {
  it("is the first one that states the treatment, verbatim", () => {
    const sentence = "Any “fractional”  share will be\n**rounded up** to the nearest whole share.";
    const { fraction, evidence } = read(`No fractional shares will be issued. ${sentence} Nothing else changes.`);
    expect(fraction?.sentence).toBe(sentence);
    expect(evidence.fraction).toBe(sentence);
  });
});

describe("the level of the treatment", () => {
  it.each([
    "Holders of fractional shares of Class A common stock will receive cash in lieu.",
    "Holders of a fraction will be paid in cash for their fractional shares.",
  ])("is the holder in: %s", (text) => {
    expect(read(text).fraction).toMatchObject({ treatment: "cash_in_lieu", level: "holder" });
  });
});
