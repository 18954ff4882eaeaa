import { describe, expect, it } from "vitest";
import { aDirectory } from "../../test/support/directories.ts";
import {
  catalogOf,
  history,
  inputOf,
  NOTHING,
  nasdaq,
  nyse,
  onlySplit,
  release,
  rows,
  type Statement,
  withEvidence,
} from "../../test/support/statements.ts";
import { buildCatalog } from "./catalog.ts";
import { type CatalogSplit, completeSplits, type SpeakerConflict } from "./catalog-split.ts";
import { extractReleaseFacts } from "./extract-release.ts";
import { createIncrementalCatalog } from "./incremental-catalog.ts";
import { describeSpeakerConflict } from "./speaker-conflicts.ts";

const ACME = "Acme Robotics, Inc.";
const LISTED = "NASDAQ:ACME 1:20 2026-03-10 2026-03-02";

/** Exchange's notice of 1-for-20 on 2026-03-10. */
const notice = (): Statement => nasdaq("2026-03-02", { company: "ACME ROBOTICS INC" });
/** The issuer's announcement of it. */
const announcement = (): Statement => release("2026-03-02", {}, { subject: ACME });

function withdrawalBy(
  subject: string | null,
  { company = "Acme Robotics", kind = "cancelled", published = "2026-03-05" } = {},
): Statement & { readonly release: unknown } {
  return release(published, { ...NOTHING, company }, { kind: kind as "cancelled" | "postponed", subject });
}

/** The marks of a split that concern who speaks, one line each. */
function marks({ conflicts }: CatalogSplit): readonly string[] {
  return conflicts
    .filter((conflict): conflict is SpeakerConflict =>
      ["not-issuer", "unconfirmed", "still-listed"].includes(conflict.kind),
    )
    .map((conflict) => describeSpeakerConflict(conflict, (source) => source));
}

interface Outcome {
  /** Rows, as `rows` returns them. */
  readonly listed: readonly string[];
  /** Marks, as `marks` returns them. */
  readonly marked: readonly string[];
}

/** Returns what the statements make in every order of arrival. Throws if an order matters. */
function outcome(...statements: readonly Statement[]): Outcome {
  const outcomes = ordersOf(statements).map((order) => ({
    listed: rows(...order),
    marked: catalogOf(...order).flatMap(marks),
  }));
  const [first, ...others] = new Map(outcomes.map((one) => [JSON.stringify(one), one])).values();
  if (first === undefined || others.length > 0)
    throw new Error(`the order of arrival matters: ${JSON.stringify(others)}`);
  return first;
}

function ordersOf<T>(members: readonly T[]): readonly (readonly T[])[] {
  if (members.length < 2) return [members];
  return members.flatMap((first, n) => ordersOf(members.toSpliced(n, 1)).map((others) => [first, ...others]));
}

describe("a split that an exchange lists", () => {
  it.each([
    ["another company under its symbol", "Zed Corp.", "Zed Corp."],
    ["a research firm that names the issuer", "Evil Research LLC", "Acme Robotics"],
    ["a law firm", "Marlow & Finch LLP", "Acme Robotics Inc."],
    ["a company whose name starts with the same word", "Acme Capital Partners LLC", "Acme Robotics"],
    ["a company that is named like the start of the issuer's name", "Acme Corp.", "Acme Corp."],
    ["another company, without the issuer's name", "Zed Corp.", null],
  ])("is not withdrawn by %s", (_, subject, company) => {
    for (const kind of ["cancelled", "postponed"]) {
      const withdrawal = withdrawalBy(subject, { kind, ...(company !== null && { company }) });
      expect(outcome(notice(), withdrawal)).toEqual({
        listed: [LISTED],
        marked: [
          `a release of 2026-03-05 by ${subject}, which is not known as the issuer, says that the split is ${kind}; it is not applied`,
        ],
      });
      expect(outcome(notice(), announcement(), withdrawal)).toEqual({
        listed: [LISTED],
        marked: [expect.stringContaining(`by ${subject}, `)],
      });
    }
  });

  it("is not withdrawn by a release whose speaker is unknown", () => {
    expect(outcome(notice(), withdrawalBy(null))).toEqual({
      listed: [LISTED],
      marked: ["a release of 2026-03-05 by an unknown company says that the split is cancelled; it is not applied"],
    });
  });

  it.each([
    "Acme Robotics, Inc.",
    "ACME ROBOTICS INC",
    "Acme Robotics",
    "Acme",
    "The Acme Robotics Company",
    "Acme Robotics Holdings Ltd.",
  ])("is withdrawn by the issuer as %s, with a mark that the exchange still lists it", (subject) => {
    expect(outcome(notice(), withdrawalBy(subject))).toEqual({
      listed: [],
      marked: ["the issuer cancelled the split on 2026-03-05; nasdaq still lists it"],
    });
    expect(outcome(notice(), announcement(), withdrawalBy(subject, { kind: "postponed" }))).toEqual({
      listed: [],
      marked: ["the issuer postponed the split on 2026-03-05; nasdaq still lists it"],
    });
  });

  it.each([
    ["ACME ROBOTICS HLDGS INTL", "Acme Robotics Holdings International Ltd."],
    ["Acme Rbtcs Technologies", "Acme Robotics Technologies plc"],
    ["ACMEROBOTICS INC", "Acme Robotics, Inc."],
  ])("is withdrawn by the issuer whose name the exchange abbreviates: %s", (listed, subject) => {
    const split = onlySplit(nasdaq("2026-03-02", { company: listed }), withdrawalBy(subject, { company: subject }));
    expect(split.status).toBe("cancelled");
  });

  it("is withdrawn by the exchange alone, without a mark", () => {
    const cancelled = nasdaq("2026-03-05", { id: "7", kind: "cancelled", exDate: null });
    expect(outcome(nasdaq("2026-03-02", { id: "7" }), cancelled)).toEqual({ listed: [], marked: [] });
    // What others repeat is no conflict.
    expect(outcome(nasdaq("2026-03-02", { id: "7" }), cancelled, withdrawalBy("Evil Research LLC"))).toEqual({
      listed: [],
      marked: [],
    });
  });

  it("has no mark once the exchange follows the issuer", () => {
    const followed = nasdaq("2026-03-06", { id: "7", kind: "cancelled", exDate: null });
    const statements = [nasdaq("2026-03-02", { id: "7" }), withdrawalBy(ACME)];
    expect(marks(onlySplit(...statements))).toHaveLength(1);
    expect(outcome(...statements, followed)).toEqual({ listed: [], marked: [] });
  });

  it("is not changed by others, whose other terms are marked", () => {
    const other = release("2026-03-06", { ratio: "1:50", exDate: "2026-03-17" }, { subject: "Evil Research LLC" });
    expect(outcome(notice(), announcement(), other)).toEqual({
      listed: [LISTED],
      marked: [expect.stringMatching(/by Evil Research LLC, .* states other terms; it is not applied/)],
    });
    expect(history(onlySplit(notice(), announcement(), other))).toHaveLength(1);
  });

  it("is not moved by the postponement of another company", () => {
    const moved = release(
      "2026-03-06",
      { ratio: null, exDate: "2026-03-17" },
      { kind: "postponed", subject: "Marlow & Finch LLP" },
    );
    expect(outcome(notice(), moved)).toEqual({
      listed: [LISTED],
      marked: [expect.stringContaining("says that the split is postponed; it is not applied")],
    });
  });

  it("has no mark for a release of another company that repeats the terms, even those that were replaced since", () => {
    const statements = [nasdaq("2026-03-02", { id: "7" }), nasdaq("2026-03-05", { id: "7", exDate: "2026-03-12" })];
    const digest = release("2026-03-06", { company: "Acme Robotics" }, { subject: "Daily Market Digest" });
    expect(outcome(...statements, digest)).toEqual({ listed: [LISTED.replace("03-10", "03-12")], marked: [] });
  });

  it("has the issuer's name, and marks that a release names another company", () => {
    const other = release("2026-03-01", { company: "Zed Corp." }, { subject: "Zed Corp." });
    const marked = [
      "a release of 2026-03-01 by Zed Corp., which is not known as the issuer, states another company; it is not applied",
    ];
    expect(outcome(notice(), other)).toEqual({ listed: [LISTED], marked });
    expect(onlySplit(notice(), other).company).toBe("ACME ROBOTICS INC");
    expect(onlySplit(announcement(), notice(), other).company).toBe("Acme Robotics Inc.");
  });

  it("has the ratio of another company's release if neither the exchange nor the issuer states one, with a mark", () => {
    const listed = nyse("2026-03-02", { company: "ACME DAILY BULL FUND" });
    const sponsor = release(
      "2026-03-03",
      { exchange: "NYSE", company: "Acme Daily Bull Fund" },
      { subject: "Tollgate Shares" },
    );
    expect(outcome(listed, sponsor)).toEqual({
      listed: ["NYSE:ACME 1:20 2026-03-10 2026-03-02"],
      marked: [
        expect.stringContaining(
          "neither an exchange nor the issuer states the ratio, only a release of 2026-03-03 by Tollgate Shares",
        ),
      ],
    });
    const own = release("2026-03-04", { exchange: "NYSE", ratio: "1:25" }, { subject: "Acme Daily" });
    expect(rows(listed, sponsor, own)).toEqual(["NYSE:ACME 1:25 2026-03-10 2026-03-02"]);
  });

  it("is not linked to another share by another company's release", () => {
    const other = release(
      "2026-03-06",
      {},
      { subject: "Evil Research LLC", tags: ["NASDAQ: ACME", "TSX: ACMEB"], kind: "cancelled" },
    );
    const second = release("2026-03-02", { ticker: "ACMEB", exchange: "TSX", company: "Bolt Ltd." });
    expect(rows(notice(), second, other)).toHaveLength(2);
  });
});

describe("a company that has been renamed", () => {
  const renamed = release(
    "2026-03-05",
    { ...NOTHING, company: "Nova Dynamics, Inc." },
    { kind: "cancelled", subject: "Nova Dynamics, Inc." },
  );

  it("withdraws its split if the release names the former name", () => {
    const sentence = "Nova Dynamics, Inc. (NASDAQ: ACME) (formerly known as Acme Robotics, Inc.) today announced this.";
    expect(rows(notice(), renamed)).toEqual([LISTED]);
    expect(rows(notice(), withEvidence(renamed, { company: sentence }))).toEqual([]);
    // A later release no longer names it.
    const earlier = withEvidence(
      release("2026-03-03", { company: "Nova Dynamics, Inc." }, { subject: "Nova Dynamics, Inc." }),
      { company: sentence },
    );
    expect(rows(notice(), earlier, renamed)).toEqual([]);
  });

  it("does not withdraw it if another company's former name is meant", () => {
    const sentence =
      "Nova Dynamics, Inc. said that Bolt (formerly Acme Robotics) would not split its shares any more, as it had said.";
    const longAgo = "Nova Dynamics, Inc., formerly a supplier of Acme Robotics (NASDAQ: ACME), reported this.";
    expect(rows(notice(), withEvidence(renamed, { company: longAgo }))).toEqual([LISTED]);
    expect(rows(notice(), withEvidence(renamed, { company: sentence }))).toEqual([LISTED]);
  });

  it("withdraws it once a notice, the directory or a filing has the new name", () => {
    expect(rows(notice(), nasdaq("2026-03-04", { company: "NOVA DYNAMICS INC" }), renamed)).toEqual([]);
    const directory = aDirectory({ ACME: "Nova Dynamics, Inc." });
    expect(buildCatalog({ ...inputOf([notice(), renamed]), directory }).flatMap(completeSplits)).toEqual([]);
    const filed = filing(release("2026-03-03", { company: "Nova Dynamics" }, { subject: "Nova Dynamics" }));
    expect(rows(notice(), filed, renamed)).toEqual([]);
  });
});

/** The release as an exhibit of a company that the SEC lists under ACME. */
function filing(
  statement: Statement & { readonly release: unknown },
  { cik = "1234567", symbols = ["ACME"] } = {},
): Statement {
  const { release: exhibit } = statement as Extract<Statement, { readonly release: unknown }>;
  const [path] = exhibit.url.split("/").slice(-1);
  const tickers = symbols.map((ticker) => ({ ticker, exchange: null })) as unknown as typeof exhibit.tickers;
  return {
    release: { ...exhibit, url: `https://www.sec.gov/Archives/edgar/data/${cik}/000/${path}`, source: "sec", tickers },
  };
}

describe("a filing", () => {
  it("of the issuer withdraws a listed split, regardless of the subject of its sentence", () => {
    for (const subject of [null, "Nova Dynamics"])
      expect(outcome(notice(), filing(withdrawalBy(subject)))).toEqual({
        listed: [],
        marked: ["the issuer cancelled the split on 2026-03-05; nasdaq still lists it"],
      });
  });

  it("of another company doesn't", () => {
    const other = filing(withdrawalBy("Zed Corp."), { cik: "7", symbols: ["ZEDD"] });
    expect(rows(notice(), other)).toEqual([LISTED]);
  });

  it("of the issuer counts by its number if the SEC no longer lists its symbol", () => {
    const unlisted = filing(withdrawalBy(null), { symbols: [] });
    const earlier = filing(announcement() as Statement & { readonly release: unknown });
    expect(rows(notice(), unlisted)).toEqual([LISTED]);
    expect(rows(notice(), earlier, unlisted)).toEqual([]);
  });
});

describe("a split that only releases state", () => {
  it("is withdrawn by its issuer, and by nobody else", () => {
    expect(outcome(announcement(), withdrawalBy(ACME))).toEqual({ listed: [], marked: [] });
    for (const subject of ["Zed Corp.", "Evil Research LLC", null])
      expect(outcome(announcement(), withdrawalBy(subject))).toEqual({
        listed: [LISTED],
        marked: [expect.stringContaining("says that the split is cancelled; it is not applied")],
      });
  });

  it("is listed if the speaker of its release is unknown, with a mark", () => {
    const unknown = release("2026-03-02", {}, { subject: null });
    expect(outcome(unknown)).toEqual({
      listed: [LISTED],
      marked: [
        "neither an exchange nor the issuer states the split, only a release of 2026-03-02 by an unknown company",
      ],
    });
    expect(onlySplit(unknown).company).toBe("Acme Robotics Inc.");
    expect(outcome(unknown, announcement())).toEqual({ listed: [LISTED], marked: [] });
  });

  it("has the name in the directory, not that in another company's release, and a mark", () => {
    const other = release("2026-03-02", { company: "Acme Robotics" }, { subject: "Evil Research LLC" });
    const [unnamed] = catalogOf(other);
    expect(unnamed).toMatchObject({ company: null, ratio: { oldShares: 20 } });
    const directory = aDirectory({ ACME: "Acme Robotics, Inc." });
    const [named] = buildCatalog({ ...inputOf([other]), directory });
    expect(named).toMatchObject({ company: "Acme Robotics, Inc.", status: "announced" });
    expect(named?.conflicts).toMatchObject([{ kind: "unconfirmed", subject: "Evil Research LLC", term: null }]);
  });

  it("keeps the issuer in the directory if another company claims its symbol", () => {
    const directory = aDirectory({ ACME: "Acme Robotics, Inc." });
    const claimed = release("2026-03-01", { company: "Zed Corp.", ratio: "1:50" }, { subject: "Zed Corp." });
    const [split] = buildCatalog({ ...inputOf([claimed, announcement()]), directory });
    expect(split).toMatchObject({ company: "Acme Robotics Inc.", ratio: { oldShares: 20 } });
    expect(split?.conflicts).toMatchObject([{ kind: "not-issuer", claim: "terms", subject: "Zed Corp." }]);
  });

  it("is changed and withdrawn by the company that announced it, while nobody else states it", () => {
    const directory = aDirectory({ ACME: "Gilded Daily Bull 2X" });
    const sponsor = { subject: "Tollgate Shares" };
    const fund = { company: "Gilded Daily Bull 2X", exchange: "CBOE" };
    const listed = [
      release("2026-03-02", fund, sponsor),
      release("2026-03-04", { ...fund, exDate: "2026-03-12" }, sponsor),
    ];
    const statusAfter = (...statements: readonly Statement[]): readonly unknown[] =>
      buildCatalog({ ...inputOf(statements), directory }).map(({ status, exDate }) => [status, exDate]);
    expect(statusAfter(...listed)).toEqual([["announced", "2026-03-12"]]);
    const cancelled = release("2026-03-05", { ...fund, ...NOTHING }, { ...sponsor, kind: "cancelled" });
    expect(statusAfter(...listed, cancelled)).toEqual([["cancelled", null]]);
    const byOther = release("2026-03-05", { ...fund, ...NOTHING }, { subject: "Zed Corp.", kind: "cancelled" });
    expect(statusAfter(...listed, byOther)).toEqual([["announced", "2026-03-12"]]);
  });

  it("is completed, but not changed, by releases of others", () => {
    const first = release("2026-03-02", { exDate: null, exchange: null }, { subject: null });
    const second = release("2026-03-03", { ratio: "1:50" }, { subject: null });
    expect(outcome(first, second)).toEqual({
      listed: [LISTED],
      marked: [expect.stringContaining("issuer states the split, only"), expect.stringContaining("states other terms")],
    });
  });

  it("is the issuer's once the issuer or an exchange states it", () => {
    const other = release("2026-03-01", { ratio: "1:50", exDate: "2026-03-11" }, { subject: "Evil Research LLC" });
    for (const authority of [notice(), announcement()]) {
      const split = onlySplit(other, authority);
      expect(completeSplits(split)).toMatchObject([{ ratio: { oldShares: 20 }, exDate: "2026-03-10" }]);
      expect(marks(split)).toEqual([expect.stringContaining("states other terms; it is not applied")]);
    }
  });
});

describe("a directory that changes", () => {
  it("rebuilds only the splits whose symbols have another name", () => {
    const other = release("2026-03-02", {}, { subject: "Evil Research LLC" });
    const bolt = release("2026-03-02", { ticker: "BOLT", company: "Bolt Ltd." });
    const catalog = createIncrementalCatalog();
    const input = inputOf([other, bolt]);
    const companies = (names: Readonly<Record<string, string>>): readonly (string | null)[] =>
      catalog.update({ ...input, directory: aDirectory(names) }).map(({ company }) => company);
    const before = catalog.update(input);
    expect(before.map(({ company }) => company)).toEqual([null, "Bolt Ltd."]);
    expect(companies({ ZEDD: "Zed Corp." })).toEqual([null, "Bolt Ltd."]);
    expect(companies({ ACME: "Acme Robotics" })).toEqual(["Acme Robotics", "Bolt Ltd."]);
    expect(catalog.update({ ...input, directory: aDirectory({ ACME: "Acme" }) })[1]).toBe(before[1]);
  });
});

describe("the text of a release", () => {
  it.each([
    "Zed Corp. (NASDAQ: ACME) today announced that it has cancelled its previously announced reverse stock split.",
    "Evil Research LLC today reported that the previously announced reverse stock split of Acme Robotics (NASDAQ: ACME) has been cancelled.",
    "Marlow & Finch LLP today announced that the reverse stock split of Acme Robotics, Inc. (NASDAQ: ACME) has been cancelled. Investors should contact the firm.",
  ])("of another company is marked and doesn't withdraw what the exchange lists: %s", (content) => {
    const split = onlySplit(notice(), readRelease(content));
    expect(split).toMatchObject({ status: "announced", exDate: "2026-03-10", company: "ACME ROBOTICS INC" });
    expect(marks(split)).toEqual([expect.stringContaining("says that the split is cancelled; it is not applied")]);
  });

  it.each([
    "Marlow & Finch LLP is investigating claims on behalf of investors of Acme Robotics, Inc. (NASDAQ: ACME). The company has cancelled its reverse stock split.",
    "Tidewater Partners LP today announced that Acme Robotics, Inc. (NASDAQ: ACME) has abandoned its reverse stock split.",
  ])("whose company isn't clear doesn't withdraw what the exchange lists: %s", (content) => {
    expect(rows(notice(), readRelease(content))).toEqual([LISTED]);
  });

  it.each([
    "Acme Robotics, Inc. (NASDAQ: ACME) today announced that it has cancelled its previously announced reverse stock split.",
    'Acme Robotics, Inc. (NASDAQ: ACME) (the "Company") makes robots. The Company today announced that its Board has abandoned the previously announced reverse stock split.',
    "Acme Robotics (NASDAQ: ACME) has decided not to proceed with its previously announced reverse stock split.",
  ])("of the issuer does: %s", (content) => {
    expect(rows(notice(), readRelease(content))).toEqual([]);
  });
});

/** A release of 2026-03-05 with the facts that its text states. */
function readRelease(content: string): Statement {
  const statement = release("2026-03-05");
  const heading = "Reverse stock split is cancelled";
  const facts = extractReleaseFacts(
    { heading, teaser: "", text: content, published: statement.release.published },
    null,
  );
  return { release: { ...statement.release, heading, text: content, facts } };
}
