import { describe, expect, it } from "vitest";
import { ticker } from "../../../test/support/builders.ts";
import { cardText } from "../../../test/support/card-text.ts";
import { anObservation } from "../../../test/support/observations.ts";
import { aRelease } from "../../../test/support/releases.ts";
import { buildCatalog, type CatalogInput } from "../../catalog/catalog.ts";
import type { Release } from "../../catalog/release.ts";
import type { FractionEvidence } from "../../domain/article/article.ts";
import { splitSourcesCard } from "./split-sources.ts";

const LABELS: Readonly<Record<string, string>> = {
  nasdaq: "Nasdaq corporate actions",
  finra: "FINRA daily list",
  halts: "Nasdaq trading halts",
  globenewswire: "GlobeNewswire",
};

const NOTICE = anObservation({
  id: "ECA2026-901",
  url: "https://exchange.example/alert?id=ECA2026-901",
  ratio: "1:15",
  evidence: { ratio: "one-for-fifteen (1-15) reverse split", exDate: "effective Tuesday, March 10, 2026" },
});

const RELEASE = aRelease({
  url: "https://wire.example/acme",
  source: "globenewswire",
  facts: { splits: [{ ratio: "1:15" }] },
});

function textOf(input: Partial<CatalogInput>, fractions: readonly FractionEvidence[] = []): string {
  const [split] = buildCatalog({ releases: [], observations: [], ...input });
  if (split === undefined) throw new Error("the input describes no split");
  const sources = { ticker: ticker("ACME"), split, listingProblems: [], fractions };
  return cardText(splitSourcesCard({ ...sources, labelOf: (source) => LABELS[source] ?? source }));
}

describe("the sources of a split's terms", () => {
  it("are shown with number, evidence, day, link and the other sources of the same value", () => {
    expect(textOf({ releases: [RELEASE], observations: [NOTICE] }).split("\n")).toEqual([
      "Sources of the terms of ACME",
      '- Ratio 1-for-15: Nasdaq corporate actions ECA2026-901 | "one-for-fifteen (1-15) reverse split" · Mon 2 Mar 2026 · also GlobeNewswire <https://exchange.example/alert?id=ECA2026-901>',
      '- Ex date Tue 10 Mar 2026: Nasdaq corporate actions ECA2026-901 | "effective Tuesday, March 10, 2026" · Mon 2 Mar 2026 · also GlobeNewswire <https://exchange.example/alert?id=ECA2026-901>',
      "- Listing ACME on Nasdaq: Nasdaq corporate actions ECA2026-901 | Mon 2 Mar 2026 · also GlobeNewswire <https://exchange.example/alert?id=ECA2026-901>",
      "- Company Acme Robotics Inc.: GlobeNewswire | Mon 2 Mar 2026 · also Nasdaq corporate actions <https://wire.example/acme>",
      expect.stringMatching(/^- Announcement date Mon 2 Mar 2026: /),
    ]);
  });

  it("have no number if the notice's address doesn't contain it", () => {
    const row = anObservation({ source: "finra", id: "ACME 2026-03-10", url: "https://list.example/daily#77" });
    expect(textOf({ observations: [row] })).toContain("Ex date Tue 10 Mar 2026: FINRA daily list |");
  });

  it("include the confirmation by a trading halt", () => {
    const halt = anObservation({
      source: "halts",
      id: "ACME 2026-03-09",
      url: "https://exchange.example/halts#ACME",
      kind: "confirmed",
      issuedOn: "2026-03-09",
      ratio: null,
      evidence: { reason: "Corporate action" },
    });
    expect(textOf({ observations: [NOTICE, halt] })).toContain(
      '- Confirmed: Nasdaq trading halts | "Corporate action" · Mon 9 Mar 2026 <https://exchange.example/halts#ACME>',
    );
  });

  it("are shown with both values if they differ, and the value in use is marked", () => {
    const release = aRelease({ source: "globenewswire", facts: { splits: [{ ratio: "1:16" }] } });
    expect(textOf({ releases: [release], observations: [NOTICE] })).toContain(
      "! Ratio differs: Nasdaq corporate actions: 1-for-15 (used), GlobeNewswire: 1-for-16.",
    );
  });

  it("include the sentence on fractional shares with its release", () => {
    const sentence = "Fractions will be rounded up.";
    const fraction = {
      treatment: "round_up",
      level: null,
      sentence,
      source: "globenewswire",
      url: RELEASE.url,
    } as const;
    expect(textOf({ releases: [RELEASE] }, [fraction])).toContain(
      `"${sentence}" GlobeNewswire <https://wire.example/acme>`,
    );
  });
});

function cancellationBy(subject: string): Release {
  return aRelease({
    url: "https://wire.example/other",
    published: "2026-03-05",
    facts: { kind: "cancelled", subject, splits: [{ ratio: null, exDate: null }] },
  });
}

describe("releases that aren't the issuer's own", () => {
  it("are marked with their speaker and what they state", () => {
    expect(textOf({ releases: [cancellationBy("Evil Research LLC")], observations: [NOTICE] })).toContain(
      "A release of Thu 5 Mar 2026 by Evil Research LLC, which is not known as the issuer, says that the split is cancelled; it is not applied.",
    );
  });

  it("are distinguished from the issuer's, whose withdrawal names the exchange that still lists the split", () => {
    expect(textOf({ releases: [cancellationBy("Acme Robotics")], observations: [NOTICE] })).toContain(
      "The issuer cancelled the split on Thu 5 Mar 2026; Nasdaq corporate actions still lists it.",
    );
  });

  it("are marked if only they state the split", () => {
    expect(textOf({ releases: [aRelease({ facts: { subject: "Evil Research LLC" } })] })).toContain(
      "Neither an exchange nor the issuer states the split, only a release of Mon 2 Mar 2026 by Evil Research LLC.",
    );
  });
});
