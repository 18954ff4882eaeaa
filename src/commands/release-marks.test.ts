import { afterEach, describe, expect, it } from "vitest";
import { aKnownArticle, aSplit, day, someTerms } from "../../test/support/builders.ts";
import { type CommandBench, openCommandBench } from "../../test/support/command-bench.ts";
import { anObservation } from "../../test/support/observations.ts";
import { aRelease } from "../../test/support/releases.ts";
import { buildCatalog } from "../catalog/catalog.ts";
import type { CatalogSplit } from "../catalog/catalog-split.ts";
import type { KnownArticle } from "../domain/article/article.ts";
import type { Split } from "../domain/split/split.ts";

let bench: CommandBench;
afterEach(() => bench.close());

const OWN = aKnownArticle({ subject: "Acme Robotics Inc.", heading: "Acme Announces a Split" });
const LAW_FIRM = aKnownArticle({
  url: "https://wire.example/law",
  subject: "Hollis & Grant LLP",
  heading: "Hollis & Grant Investigates Acme",
});

interface Known {
  readonly splits?: readonly Split[];
  readonly articles: readonly KnownArticle[];
  /** The sources' split; without it, the data service is another provider's. */
  readonly catalog?: CatalogSplit | undefined;
}

async function open({ splits = [aSplit()], articles, catalog }: Known): Promise<void> {
  if (catalog === undefined) bench = await openCommandBench();
  else {
    const live = {
      statuses: () => [],
      splitOf: () => catalog,
      directories: () => [],
      listingProblems: () => [],
      labelOf: (source: string) => source.toUpperCase(),
    };
    const base = { id: "live", name: "live sources", sample: false, notes: () => [], problem: () => null };
    bench = await openCommandBench({ source: { ...base, releaseText: () => null, live } });
  }
  await bench.seed({ splits, articles, header: catalog === undefined ? {} : { source: "live" } });
}

/** The rows of the releases in the answers to `articles` and `show`, and the warnings in the page's view of the release. */
async function shown(url: string) {
  const answers = [await bench.run("articles ACME"), await bench.run("show ACME")];
  const rows = answers.flatMap(({ cards }) => cards.flatMap((card) => card.rows)).filter(({ link }) => link === url);
  const view = await bench.screens.releaseView(url);
  return { rows, warnings: view?.warnings };
}

describe("a release in articles, show and the page's view of it", () => {
  it("has no mark if it is the issuer's own", async () => {
    await open({ articles: [OWN] });
    const { rows, warnings } = await shown(OWN.url);
    expect(rows).toHaveLength(2);
    for (const row of rows) {
      expect(row.badges).toBeUndefined();
      expect(row.detail).not.toContain("issuer");
    }
    expect(warnings).toEqual([]);
  });

  it.each<[string, Partial<KnownArticle>, string]>([
    ["speaks about the split", {}, "by Hollis & Grant LLP, not known as the issuer"],
    ["withdraws the split", { kind: "cancelled" }, "by Hollis & Grant LLP, not known as the issuer; it isn't applied"],
    [
      "states other terms",
      { terms: [someTerms({ ratio: "1:50" })] },
      "by Hollis & Grant LLP, not known as the issuer; it isn't applied",
    ],
    [
      "has no known speaker and withdraws the split",
      { subject: null, kind: "postponed" },
      "by an unknown company, not known as the issuer; it isn't applied",
    ],
  ])("is marked if another company %s", async (_, parts, mark) => {
    const other = { ...LAW_FIRM, ...parts };
    await open({ articles: [OWN, other] });
    const { rows, warnings } = await shown(other.url);
    expect(rows).toHaveLength(2);
    for (const row of rows) {
      expect(row.badges).toEqual(["CHECK"]);
      expect(row.detail.split(" · ")).toContain(mark);
    }
    expect(warnings).toEqual([`${mark.replace(/^by/, "By")}.`]);
  });

  it("is marked if it announces a split of another company that isn't listed", async () => {
    const terms = [someTerms({ ratio: "1:50", exDate: "2026-03-20", company: "Acme Robotics Inc." })];
    await open({ splits: [], articles: [{ ...LAW_FIRM, terms }] });
    const { warnings } = await shown(LAW_FIRM.url);
    expect(warnings).toEqual(["By Hollis & Grant LLP, not known as the issuer."]);
  });

  it("is marked if it is the issuer's withdrawal and the list still has the split", async () => {
    const split = aSplit();
    const withdrawn: Split = { ...split, withdrawal: { kind: "cancelled", exDate: split.record.exDate } };
    const withdrawal = { ...OWN, kind: "cancelled" } as const;
    await open({ splits: [withdrawn], articles: [withdrawal] });
    const { rows, warnings } = await shown(OWN.url);
    expect(rows.map(({ detail }) => detail.includes("the list still has the split"))).toEqual([true, true]);
    expect(warnings).toEqual(["The list still has the split."]);
  });

  it("is marked if an exchange still lists what the issuer withdrew, or nobody confirms the split", async () => {
    const notice = anObservation({ issuedOn: "2026-02-27" });
    const facts = { kind: "cancelled", subject: "Acme Robotics Inc.", splits: [{ exDate: null }] } as const;
    const withdrawal = aRelease({ url: OWN.url, published: "2026-03-01", facts });
    const [listed] = buildCatalog({ releases: [withdrawal], observations: [notice] });
    await open({ articles: [{ ...OWN, kind: "cancelled", published: day("2026-03-01") }], catalog: listed });
    expect((await shown(OWN.url)).warnings).toEqual(["NASDAQ still has the split."]);
    await bench.close();

    const byOther = aRelease({ url: LAW_FIRM.url, facts: { subject: "Hollis & Grant LLP" } });
    const [unconfirmed] = buildCatalog({ releases: [byOther], observations: [] });
    await open({ articles: [LAW_FIRM], catalog: unconfirmed });
    expect((await shown(LAW_FIRM.url)).warnings).toEqual([
      "By Hollis & Grant LLP, not known as the issuer.",
      "Neither an exchange nor the issuer confirms it.",
    ]);
  });
});
