import * as fc from "fast-check";
import { expect, it } from "vitest";
import {
  catalogOf,
  differences,
  finra,
  halt,
  history,
  NOTHING,
  nasdaq,
  notice,
  nyse,
  postponed,
  release,
  rows,
  type Statement,
} from "../../test/support/statements.ts";

interface Story {
  readonly statements: readonly Statement[];
  readonly listed: readonly string[];
  readonly differing?: readonly string[];
  readonly events: readonly string[];
}

const ON_NASDAQ = { listings: ["NASDAQ: ACME"] };

const STORIES: Readonly<Record<string, Story>> = {
  "three sources that state three ratios and two dates": {
    statements: [
      release("2026-03-02", { ratio: "1:16", exDate: "2026-03-12" }),
      nasdaq("2026-03-05", { ratio: "1:15" }),
      notice("cse", "2026-03-06", { listings: ["NASDAQ: ACME"], ratio: "1:14" }),
    ],
    listed: ["NASDAQ:ACME 1:15 2026-03-10 2026-03-02"],
    differing: [
      "ratio: nasdaq 1:15, cse 1:14",
      "ratio: nasdaq 1:15, globenewswire 1:16",
      "exDate: nasdaq 2026-03-10, globenewswire 2026-03-12",
    ],
    events: ["announced by globenewswire, 2026-03-12", "corrected by nasdaq, 2026-03-10"],
  },
  "a date from NYSE's list, a ratio from the release, and FINRA with another ratio and date": {
    statements: [
      nyse("2026-03-03"),
      release("2026-03-02", { exchange: "NYSE", exDate: "2026-03-11" }),
      finra("2026-03-09", { listings: ["NYSE: ACME"], ratio: "1:25", exDate: "2026-03-13" }),
    ],
    listed: ["NYSE:ACME 1:25 2026-03-13 2026-03-02"],
    differing: [
      "ratio: finra 1:25, globenewswire 1:20",
      "exDate: finra 2026-03-13, nyse 2026-03-10",
      "exDate: finra 2026-03-13, globenewswire 2026-03-11",
    ],
    events: [
      "announced by globenewswire, 2026-03-11",
      "corrected by nyse, 2026-03-10",
      "corrected by finra, 2026-03-13",
    ],
  },
  "a notice that is updated in place: moved, without a date, dated again": {
    statements: [
      release("2026-03-02"),
      nasdaq("2026-03-04", { id: "7" }),
      nasdaq("2026-03-05", { id: "7", exDate: "2026-03-17" }),
      nasdaq("2026-03-06", { id: "7", kind: "postponed", exDate: null }),
      nasdaq("2026-03-11", { id: "7", exDate: "2026-03-24", ratio: "1:30" }),
    ],
    listed: ["NASDAQ:ACME 1:30 2026-03-24 2026-03-02"],
    events: [
      "announced by globenewswire, 2026-03-10",
      "corrected by nasdaq, 2026-03-17",
      "postponed by nasdaq, no date",
      "corrected by nasdaq, 2026-03-24",
    ],
  },
  "an over-the-counter split under its interim symbol, and the return to the old one": {
    statements: [
      release("2026-03-02", { exchange: "OTC" }),
      finra("2026-03-09"),
      halt({ listings: ["OTC: ACME"] }),
      release("2026-03-12", { ticker: "ACMED", exchange: "OTC" }),
      release("2026-03-13", { ticker: "ACMED", exchange: "OTC", company: null }),
    ],
    listed: ["OTC:ACME 1:20 2026-03-10 2026-03-02"],
    events: ["announced by globenewswire, 2026-03-10"],
  },
  "two notices of one split, the first of which is cancelled": {
    statements: [
      nasdaq("2026-03-04", { id: "7" }),
      nasdaq("2026-03-05", { id: "8", exDate: "2026-03-12" }),
      nasdaq("2026-03-06", { id: "7", kind: "cancelled", exDate: null }),
      finra("2026-03-09", { ...ON_NASDAQ, exDate: "2026-03-12" }),
    ],
    listed: ["NASDAQ:ACME 1:20 2026-03-12 2026-03-04"],
    events: ["announced by nasdaq, 2026-03-10", "corrected by nasdaq, 2026-03-12"],
  },
  "a cancellation by the exchange that the issuer reinstates": {
    statements: [
      release("2026-03-02"),
      nasdaq("2026-03-04", { id: "7" }),
      nasdaq("2026-03-05", { id: "7", kind: "cancelled", exDate: null }),
      release("2026-03-06", NOTHING, { kindSentence: "The reverse split will proceed as planned." }),
    ],
    listed: ["NASDAQ:ACME 1:20 2026-03-10 2026-03-02"],
    events: [
      "announced by globenewswire, 2026-03-10",
      "cancelled by nasdaq, no date",
      "announced by globenewswire, 2026-03-10",
    ],
  },
  "a cancellation by the issuer that the exchange's notice reinstates with another date": {
    statements: [
      release("2026-03-02"),
      nasdaq("2026-03-04", { id: "7" }),
      release("2026-03-05", NOTHING, { kind: "cancelled" }),
      nasdaq("2026-03-06", { id: "7", exDate: "2026-03-12" }),
    ],
    listed: ["NASDAQ:ACME 1:20 2026-03-12 2026-03-02"],
    events: [
      "announced by globenewswire, 2026-03-10",
      "cancelled by globenewswire, no date",
      "corrected by nasdaq, 2026-03-12",
    ],
  },
  "a postponement by the issuer that the release of another wire repeats": {
    statements: [
      release("2026-03-02"),
      nasdaq("2026-03-04"),
      postponed("2026-03-06", "2026-03-17"),
      release("2026-03-06", { exDate: "2026-03-17", ratio: null }, { kind: "postponed", source: "prnewswire" }),
    ],
    listed: ["NASDAQ:ACME 1:20 2026-03-17 2026-03-02"],
    events: ["announced by globenewswire, 2026-03-10", "postponed by globenewswire, 2026-03-17"],
  },
};

it.each(Object.entries(STORIES))("has the same result in any order of arrival: %s", (_, story) => {
  const { statements, listed, differing = [], events } = story;
  fc.assert(
    fc.property(fc.shuffledSubarray([...statements], { minLength: statements.length }), (shuffled) => {
      const splits = catalogOf(...shuffled);
      expect(rows(...shuffled)).toEqual(listed);
      expect(splits.flatMap(differences)).toEqual(differing);
      expect(splits.map(history)).toEqual([events]);
    }),
  );
});
