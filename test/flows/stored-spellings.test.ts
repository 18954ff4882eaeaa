import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Release } from "../../src/catalog/release.ts";
import { OTC } from "../../src/domain/split/exchange.ts";
import type { Ticker } from "../../src/domain/split/ticker.ts";
import { SILENT_LOG } from "../../src/ports/log.ts";
import { configuredStore } from "../../src/store/index.ts";
import { WiresHarness } from "../newswires/wires-harness.ts";
import { exchange } from "../support/builders.ts";
import { anObservation } from "../support/observations.ts";
import { aRelease } from "../support/releases.ts";

const EX_DATE = "2026-03-27";

/** A release as an earlier version stored it: with the symbol as the release writes it. */
function storedRelease(written: string, market: string, company: string): Release {
  const release = aRelease({
    url: `https://wire.example/${company.split(" ")[0]?.toLowerCase()}`,
    heading: `${company} Announces Reverse Stock Split`,
    facts: { subject: company, splits: [{ company, exchange: market, exDate: EX_DATE }] },
  });
  const stated = { ticker: written as Ticker, exchange: exchange(market) };
  const facts = release.facts as NonNullable<Release["facts"]>;
  return {
    ...release,
    text: `${company} (${market}: ${written}) will combine every twenty shares into one on March 27, 2026.`,
    facts: {
      ...facts,
      mentions: [{ ...stated, tagged: true }],
      security: { ...stated, company },
      splits: facts.splits.map((split) => ({ ...split, ...stated })),
    },
  };
}

let app: WiresHarness;
beforeEach(async () => {
  app = await WiresHarness.open();
  const store = await configuredStore({ dataDir: app.dataDir }).open({ clock: app.clock, log: SILENT_LOG });
  await store.releases.put([
    storedRelease("HARL-A", "NYSE", "Harl Mills Inc."),
    storedRelease("OAKR.TO", "TSX", "Oakridge Lumber Ltd."),
  ]);
  const notice = anObservation({ source: "finra", id: "BFXB", exDate: EX_DATE, company: "Bfx Foods Inc." });
  await store.observations.put([{ ...notice, listings: [{ ticker: "BFX/B" as Ticker, exchange: OTC }] }]);
  await store.close();
  await app.start();
  await app.waitForPoll();
  await app.until("the releases were polled", async () => (await app.runCommand("articles")).rows.length === 2);
});
afterEach(() => app.close());

async function answer(line: string): Promise<string> {
  return JSON.stringify(await app.runCommandForCards(line));
}

describe("records that an earlier version stored with other spellings of symbols", () => {
  it.each([
    ["HARL.A", "Harl Mills Inc."],
    ["HARL-A", "Harl Mills Inc."],
    ["HARL/A", "Harl Mills Inc."],
    ["BFX.B", "Bfx Foods Inc."],
    ["BFX-B", "Bfx Foods Inc."],
    ["OAKR", "Oakridge Lumber Ltd."],
    ["TSX:OAKR", "Oakridge Lumber Ltd."],
    ["OAKR.TO", "Oakridge Lumber Ltd."],
  ])("are found with %s by show, why, calc, watch, articles and the data service", async (symbol, company) => {
    expect(await answer(`show ${symbol}`)).toContain(company);
    expect(await answer(`calc ${symbol} 100`)).toContain("5");
    expect(await answer(`why ${symbol}`)).toContain("Sources of the terms of");
    const watched = await answer(`watch ${symbol}`);
    expect(watched).toContain("1-for-20");
    expect(watched).not.toContain("check its spelling");
    const released = company === "Bfx Foods Inc." ? "No press releases on" : company;
    expect(await answer(`articles ticker:${symbol}`)).toContain(released);
    const response = await app.request(`/v1/splits/${encodeURIComponent(symbol)}`);
    const { data } = (await response.json()) as { readonly data: readonly { readonly company: string }[] };
    expect(data.map((row) => row.company)).toEqual([company]);
  });
});
