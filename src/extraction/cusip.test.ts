import { describe, expect, it } from "vitest";
import { sentencesOf } from "../../test/support/sentences.ts";
import { growthFactor, HOSTILE_QUARTER } from "../../test/support/timing.ts";
import { findNewCusip, parseCusip } from "./cusip.ts";

const OLD = "12A45B10";
const NEXT = "12A45B20";
const WARRANT = "12A45B11";

function withCheckDigit(eight: string): string {
  const digit = "0123456789".split("").find((one) => parseCusip(eight + one) !== undefined);
  return `${eight}${digit}`;
}

const [oldNumber, newNumber, warrantNumber] = [OLD, NEXT, WARRANT].map(withCheckDigit) as [string, string, string];
const spaced = `${newNumber.slice(0, 6)} ${newNumber.slice(6)}`;

function cusipIn(content: string): string {
  const { newCusip, contradictory } = findNewCusip(sentencesOf({ content }));
  return newCusip ?? (contradictory ? "contradicts" : "none");
}

describe("parseCusip", () => {
  it.each([
    ["037833100", "037833100"],
    ["037833 10 0", "037833100"],
    ["037833-10-0", "037833100"],
    ["17275r102", "17275R102"],
    ["38259P508", "38259P508"],
    ["0378 33100", "037833100"],
    ["12A45B 20 1", "12A45B201"],
  ])("parses %s", (text, cusip) => {
    expect(parseCusip(text)).toBe(cusip);
  });

  it.each(["0378 33101", "03783310", "0378331000", "ABCDEFGH3", "NUMBER 3", "", "17275R10X"])("rejects %j", (text) => {
    expect(parseCusip(text)).toBeUndefined();
  });
});

describe("findNewCusip", () => {
  it.each([
    `The new CUSIP number for the common stock following the reverse split will be ${newNumber}.`,
    `Shares will be assigned a new CUSIP number (${spaced}) and begin trading.`,
    `It trades under a new CUSIP number, ${spaced}.`,
    `The stock keeps its symbol, "HRBM," and a new CUSIP number ${spaced} has been assigned.`,
    `The post-split CUSIP is ${newNumber}.`,
    `The CUSIP number of ${spaced} will be assigned to the common shares.`,
    `The CUSIP number of the shares will change to ${newNumber}.`,
    `The CUSIP will change from ${oldNumber} to ${newNumber}.`,
    `The old CUSIP number ${oldNumber} will be replaced with ${spaced}.`,
    `A new CUSIP, ${newNumber}, replaces ${oldNumber}.`,
    `New CUSIP: ${newNumber}. Old CUSIP: ${oldNumber}.`,
    `CUSIP: ${oldNumber} (old), ${newNumber} (new)`,
    `Following the Consolidation, the CUSIP for the shares will be ${newNumber} and the ISIN CA${newNumber}7.`,
    `The new CUSIP of the common stock is ${newNumber}; the CUSIP of the warrants, ${warrantNumber}, will not change.`,
    `The new CUSIP of the common stock is ${newNumber}, and the new CUSIP of the warrants is ${warrantNumber}.`,
    `Under the existing symbol HRBM and new CUSIP number: ${newNumber}.`,
    `The reverse split changes the CUSIP number to ${spaced}.`,
    `The symbol stays as it is, with a change of the CUSIP number to ${spaced}.`,
    `It trades under CUSIP ${newNumber} following the reverse split.`,
    `CUSIP: ${newNumber} (previously ${oldNumber})`,
    `The CUSIP of ${newNumber} will replace ${oldNumber}.`,
    `${newNumber} is the new CUSIP number.`,
    `NEW CUSIP NUMBER ${newNumber}`,
    `Fund\n\nTicker\n\nCurrent CUSIP\n\nNew CUSIP\n\nPeak Bear\n\nPKBR\n\n${oldNumber}\n\n${newNumber}\n\n`,
    `| Fund | New CUSIP | Old CUSIP |\n| Peak Bear | ${newNumber} | ${oldNumber} |`,
    `| Fund | New CUSIP |\n| Peak Bear | ${newNumber} |`,
  ])("finds the new CUSIP in: %s", (content) => {
    expect(cusipIn(content)).toBe(newNumber);
  });

  it.each([
    `Harbor Mills (CUSIP: ${oldNumber}) splits.`,
    `The CUSIP number ${oldNumber} will not change.`,
    `The CUSIP of the warrants will be ${warrantNumber}.`,
    `The current CUSIP number is ${oldNumber}.`,
    `The shares will continue to trade under the same CUSIP, ${oldNumber}.`,
    "The stock will trade under a new CUSIP number.",
    `The new ISIN is US${newNumber}3.`,
    `Fund\n\nCurrent CUSIP\n\nNew CUSIP\n\nBear\n\n${oldNumber}\n\n${newNumber}\n\nBull\n\n${warrantNumber}\n\n${oldNumber}\n\n`,
  ])("ignores other CUSIPs in: %s", (content) => {
    expect(cusipIn(content)).toBe("none");
  });

  it("reports a contradiction between two new CUSIPs", () => {
    expect(cusipIn(`The new CUSIP number is ${newNumber}. The new CUSIP will be ${oldNumber}.`)).toBe("contradicts");
  });

  it.each(["CUSIP ", "new CUSIP 1 2 3 4 5 6 ", "0", "A B C D E F G H 1 "])(
    "takes time linear in the number of %j",
    async (piece) => {
      const readPieces = (size: number): unknown => cusipIn(piece.repeat(size / piece.length));
      expect(await growthFactor(readPieces, HOSTILE_QUARTER)).toBeLessThan(8);
    },
  );
});

const SPACED = [
  newNumber,
  spaced,
  `${newNumber.slice(0, 6)} ${newNumber.slice(6, 8)} ${newNumber.slice(8)}`,
  `${newNumber.slice(0, 6)}-${newNumber.slice(6, 8)}-${newNumber.slice(8)}`,
];

describe("findNewCusip, without the word new", () => {
  it.each([
    (cusip: string): string => `Adjusted trading begins on May 4, 2026 under CUSIP ${cusip}.`,
    (cusip: string): string => `The stock will open on a split-adjusted basis on May 4, 2026 under CUSIP No. ${cusip}.`,
    (cusip: string): string => `From May 4, 2026, the shares trade split-adjusted under CUSIP number ${cusip}.`,
    (cusip: string): string => `From May 4, 2026, the shares trade under the same symbol and under CUSIP# ${cusip}.`,
    (cusip: string): string => `Post-split shares will be quoted under CUSIP # ${cusip}.`,
    (cusip: string): string => `Under CUSIP ${cusip}, the shares will trade on a post-consolidation basis from May 4.`,
    (cusip: string): string => `The stock keeps its symbol and trades under CUSIP ${cusip} from May 4, 2026.`,
    (cusip: string): string => `The stock will continue to trade under the symbol HRBM but under CUSIP: ${cusip}.`,
    (cusip: string): string => `The reverse split results in a change of its CUSIP number to ${cusip}.`,
    (cusip: string): string => `There will be a change in the CUSIP to ${cusip}.`,
    (cusip: string): string => `There is no change of the symbol, but a change of its CUSIP No. to ${cusip}.`,
    (cusip: string): string => `The symbol remains the same with a change of its CUSIP number to ${cusip}.`,
    (cusip: string): string => `The shares will have CUSIP No. ${cusip}.`,
    (cusip: string): string => `The symbol stays HRBM; the CUSIP changes to No. ${cusip}.`,
  ])("finds the new CUSIP, with and without spaces (%#)", (write) => {
    for (const text of SPACED.map(write)) expect({ text, cusip: cusipIn(text) }).toEqual({ text, cusip: newNumber });
  });

  it.each([
    `The shares trade on Nasdaq under CUSIP ${oldNumber} today, and another number will be assigned.`,
    `The shares currently trade under CUSIP ${oldNumber}.`,
    `The shares will continue to trade under CUSIP ${oldNumber}.`,
    `Until May 4, the shares trade under CUSIP ${oldNumber}.`,
    `Before the reverse split the shares traded under CUSIP ${oldNumber}.`,
    `The warrants will trade under CUSIP ${warrantNumber}.`,
    `There is no change of its CUSIP number ${oldNumber}.`,
    `The common stock will remain under CUSIP ${oldNumber}.`,
  ])("ignores other CUSIPs in: %s", (content) => {
    expect(cusipIn(content)).toBe("none");
  });
});

describe("findNewCusip, for several classes of shares", () => {
  const classes = `The new CUSIP of the Class A common stock will be ${newNumber}, and the new CUSIP of the Class B common stock will be ${warrantNumber}.`;

  it("selects the number of the class that trades", () => {
    expect(cusipIn(`The Class A common stock will trade on a split-adjusted basis. ${classes}`)).toBe(newNumber);
    expect(cusipIn(`The Class B common stock trades on Nasdaq. ${classes}`)).toBe(warrantNumber);
  });

  it("reports a contradiction if both classes trade, or none", () => {
    expect(cusipIn(`The Class A and Class B common stock trade on Nasdaq. ${classes}`)).toBe("contradicts");
    expect(cusipIn(classes)).toBe("contradicts");
  });
});

describe("findNewCusip, in an exchange notice", () => {
  it.each([
    [newNumber, `CUSIP#: ${newNumber}`],
    [newNumber, `New CUSIP: ${newNumber}\n\nOld: CUSIP: ${oldNumber}`],
    [null, `The CUSIP number reverts to ${oldNumber}.`],
  ])("finds %s in %j", (cusip, content) => {
    const sentences = sentencesOf({ content });
    expect(findNewCusip(sentences, { isNotice: true }).newCusip).toBe(cusip);
  });
});
