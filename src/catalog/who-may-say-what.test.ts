import * as fc from "fast-check";
import { expect, it } from "vitest";
import { aDirectory } from "../../test/support/directories.ts";
import { inputOf, nasdaq, release, type Statement } from "../../test/support/statements.ts";
import { ratioCode } from "../domain/split/ratio.ts";
import { buildCatalog } from "./catalog.ts";
import type { CatalogSplit, CatalogSplitStatus } from "./catalog-split.ts";

const SPEAKERS = ["exchange", "issuer", "zed", "evil", "unknown"] as const;
type Speaker = (typeof SPEAKERS)[number];

/** Statement of one speaker, each on a day of its own. `ratio` is that of an announcement; exchange and issuer always state 1:20. */
interface Stated {
  readonly by: Speaker;
  readonly kind: CatalogSplitStatus;
  readonly ratio: string;
}

const anyStatement = fc
  .record<Stated>({
    by: fc.constantFrom(...SPEAKERS),
    kind: fc.constantFrom("announced", "announced", "postponed", "cancelled"),
    ratio: fc.constantFrom("1:20", "1:50"),
  })
  .map((stated) => (isAuthority(stated.by) ? { ...stated, ratio: "1:20" } : stated));

/** Starts with an announcement: without a day, a later one might be another plan. */
const anyStory = fc
  .tuple(anyStatement, fc.array(anyStatement, { maxLength: 7 }))
  .map(([first, others]): readonly Stated[] => [{ ...first, kind: "announced" }, ...others]);

const SUBJECTS: Readonly<Record<Speaker, string | null>> = {
  exchange: null,
  issuer: "Acme Robotics, Inc.",
  zed: "Zed Corp.",
  evil: "Evil Research LLC",
  unknown: null,
};

function isAuthority(speaker: Speaker): boolean {
  return speaker === "exchange" || speaker === "issuer";
}

function statementOf({ by, kind, ratio }: Stated, n: number): Statement {
  const day = `2026-03-0${n + 1}`;
  const exDate = kind === "announced" ? "2026-03-10" : null;
  if (by === "exchange") return nasdaq(day, { id: "7", kind, exDate, company: "ACME ROBOTICS INC" });
  const company = by === "zed" ? "Zed Corp." : "Acme Robotics";
  const terms = { company, ratio: kind === "announced" ? ratio : null, exDate };
  return release(day, terms, { kind: kind === "announced" ? "reverse_split" : kind, subject: SUBJECTS[by] });
}

/** What the catalog has to derive. */
interface Derived {
  readonly status: CatalogSplitStatus;
  readonly ratio: string | null;
  readonly marks: readonly string[];
}

/** The position of a speaker, and the number of the statement that changed it last. */
interface Position {
  status: CatalogSplitStatus;
  ratio: string | null;
  changedAt: number;
}

/** Reference model: exchange and issuer determine the split; of the others only the first announcer, while neither states it. */
function model(story: readonly Stated[]): Derived {
  const statements = withoutRepeatedRevisions(story);
  const first = statements.find(({ by, kind }) => !isAuthority(by) && kind === "announced");
  const positions = positionsAfter(statements, first);
  const authorities = [...positions].flatMap(([by, position]) => (isAuthority(by) ? [position] : []));
  const other = first && positions.get(first.by);
  const { status } = lastChanged(authorities.length > 0 ? authorities : [...positions.values()]);
  const isRatioStated = authorities.some(({ ratio }) => ratio !== null);
  const ratio = isRatioStated ? "1:20" : (other?.ratio ?? null);
  const marks = claims(statements, { status, ratio, isRatioStated });
  if (status !== "announced" && positions.get("exchange")?.status === "announced") marks.push("still-listed");
  if (authorities.length === 0) marks.push("unconfirmed");
  else if (!isRatioStated && ratio !== null) marks.push("unconfirmed ratio");
  return { status, ratio, marks: marks.toSorted() };
}

function positionsAfter(statements: readonly Stated[], first: Stated | undefined): ReadonlyMap<Speaker, Position> {
  const positions = new Map<Speaker, Position>();
  for (const [n, stated] of statements.entries()) {
    // Two releases without a speaker may be by two companies.
    const isFirstSpeaker = stated === first || (stated.by === first?.by && stated.by !== "unknown");
    if (isAuthority(stated.by) || isFirstSpeaker) applyTo(positions, stated, n);
  }
  return positions;
}

function lastChanged(positions: readonly Position[]): Position {
  const [latest] = positions.toSorted((a, b) => b.changedAt - a.changedAt);
  if (latest === undefined) throw new Error("a story starts with an announcement");
  return latest;
}

/** A revision of the notice that changes nothing is none. */
function withoutRepeatedRevisions(story: readonly Stated[]): readonly Stated[] {
  return story.filter(({ by, kind }, n) => {
    const earlier = story.slice(0, n).findLast((stated) => stated.by === "exchange");
    return by !== "exchange" || earlier?.kind !== kind;
  });
}

function applyTo(positions: Map<Speaker, Position>, stated: Stated, n: number): void {
  const before = positions.get(stated.by);
  // Of the others, only what follows their announcement counts.
  if (before === undefined && !isAuthority(stated.by) && stated.kind !== "announced") return;
  const ratio = statesRatio(stated) ? stated.ratio : (before?.ratio ?? null);
  if (before !== undefined && isRepeated(stated, before)) positions.set(stated.by, { ...before, ratio });
  else positions.set(stated.by, { status: stated.kind, ratio, changedAt: n });
}

/** The exchange states the ratio in every revision of its notice. */
function statesRatio({ by, kind }: Stated): boolean {
  return kind === "announced" || by === "exchange";
}

/** A company doesn't postpone what it has cancelled. */
function isRepeated({ by, kind }: Stated, before: Position): boolean {
  return before.status === kind || (by !== "exchange" && before.status === "cancelled" && kind === "postponed");
}

/** Claims of the last statement of each other speaker that don't apply. */
function claims(
  statements: readonly Stated[],
  {
    status,
    ratio,
    isRatioStated,
  }: { readonly status: CatalogSplitStatus; readonly ratio: string | null; readonly isRatioStated: boolean },
): string[] {
  const last = statements.filter(
    ({ by }, n) => !isAuthority(by) && (by === "unknown" || !statements.slice(n + 1).some((later) => later.by === by)),
  );
  return last.flatMap(({ by, kind, ratio: stated }) => {
    if (kind === "cancelled" && status !== "cancelled") return [`${by} cancelled`];
    if (kind === "postponed" && status === "announced") return [`${by} postponed`];
    const isOther = stated !== ratio && !(isRatioStated && stated === "1:20");
    if (kind === "announced" && status === "announced" && isOther) return [`${by} terms`];
    return by === "zed" ? ["zed company"] : [];
  });
}

function derivedFrom(statements: readonly Statement[]): Derived {
  const directory = aDirectory({ ACME: "Acme Robotics, Inc." });
  const [split, ...others] = buildCatalog({ ...inputOf(statements), directory });
  expect(others).toEqual([]);
  if (split === undefined) throw new Error("no split is derived");
  expect(split.company).toMatch(/^acme robotics/i);
  expect(split.exDate).toBe(split.status === "announced" ? "2026-03-10" : null);
  return { status: split.status, ratio: split.ratio && ratioCode(split.ratio), marks: marksOf(split) };
}

function marksOf({ conflicts }: CatalogSplit): readonly string[] {
  return conflicts
    .flatMap((conflict) => {
      if (conflict.kind === "still-listed") return [conflict.kind];
      if (conflict.kind === "unconfirmed")
        return [conflict.term === null ? conflict.kind : `${conflict.kind} ${conflict.term}`];
      if (conflict.kind !== "not-issuer") return [];
      const speaker = SPEAKERS.find((one) => one !== "exchange" && SUBJECTS[one] === conflict.subject);
      return [`${speaker} ${conflict.claim}`];
    })
    .toSorted();
}

it("exchange and issuer alone change and withdraw a split, in any order of arrival; what others state is marked", () => {
  const anyOrder = anyStory.chain((story) =>
    fc.tuple(fc.constant(story), fc.shuffledSubarray([...story.keys()], { minLength: story.length })),
  );
  fc.assert(
    fc.property(anyOrder, ([story, order]) => {
      const statements = story.map(statementOf);
      const shuffled = order.flatMap((n) => statements[n] ?? []);
      expect(derivedFrom(shuffled)).toEqual(model(story));
    }),
    { numRuns: 1_500 },
  );
});

it("a split that an exchange or the issuer states has the same terms and history without the releases of others", () => {
  fc.assert(
    fc.property(anyStory, (story) => {
      fc.pre(isAuthority(story[0]?.by ?? "unknown"));
      const statements = story.map(statementOf);
      const directory = aDirectory({ ACME: "Acme Robotics, Inc." });
      const build = (kept: readonly Statement[]): readonly unknown[] =>
        buildCatalog({ ...inputOf(kept), directory }).map(
          ({ status, company, ratio, exDate, announced, listings, events }) => ({
            status,
            company,
            ratio,
            exDate,
            announced,
            listings,
            events,
          }),
        );
      expect(build(statements)).toEqual(build(statements.filter((_, n) => isAuthority(story[n]?.by ?? "unknown"))));
    }),
    { numRuns: 500 },
  );
});
