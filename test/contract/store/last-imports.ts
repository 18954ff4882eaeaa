import { expect, it } from "vitest";
import { destinationKey } from "../../../src/domain/alert/destination.ts";
import { ALICE, BOB, ticker } from "../../support/builders.ts";
import type { CurrentStore, Restart } from "../store-builders.ts";
import { acrossRestart, aLastImport } from "../store-builders.ts";

export function describeLastImports(use: CurrentStore, restart: Restart): void {
  it("are kept one per person, until they are removed", async () => {
    const later = aLastImport({ id: "i2", tickers: [ticker("BETA")], ruleNumbers: [2], settings: { timezone: null } });
    const ofBob = aLastImport({ person: BOB });
    for (const one of [aLastImport(), later, ofBob]) await use().lastImports.put(one);
    for await (const store of acrossRestart(use, restart)) {
      expect(await store.lastImports.find(destinationKey(ALICE))).toEqual(later);
      expect(await store.lastImports.find(destinationKey(BOB))).toEqual(ofBob);
    }

    await use().lastImports.remove(destinationKey(ALICE));
    for await (const store of acrossRestart(use, restart)) expect(await store.lastImports.all()).toEqual([ofBob]);
  });
}
