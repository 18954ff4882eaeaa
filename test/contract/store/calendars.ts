import { expect, it } from "vitest";
import { ALICE, BOB } from "../../support/builders.ts";
import type { CurrentStore, Restart } from "../store-builders.ts";
import { acrossRestart } from "../store-builders.ts";

export function describeCalendars(use: CurrentStore, restart: Restart): void {
  it("have an unguessable token that stays the same, also after a restart", async () => {
    const namesake = { ...ALICE, platform: "other" };
    const [token, again, ofBob, ofNamesake] = await Promise.all(
      [ALICE, ALICE, BOB, namesake].map((person) => use().calendars.tokenOf(person)),
    );
    expect(token).toMatch(/^[0-9a-f]{32,}$/);
    expect(again).toBe(token);
    expect(new Set([token, ofBob, ofNamesake]).size).toBe(3);

    for await (const store of acrossRestart(use, restart)) {
      expect(await store.calendars.tokenOf(ALICE)).toBe(token);
      expect(await store.calendars.personOf(String(token))).toEqual(ALICE);
      expect(await store.calendars.personOf(String(ofNamesake))).toEqual(namesake);
    }
  });

  it.each(["", "0".repeat(40), "__proto__", "constructor"])("belong to no person for the token %j", async (token) => {
    await use().calendars.tokenOf(ALICE);
    expect(await use().calendars.personOf(token)).toBeNull();
  });

  it("no longer exist once revoked, and the next token differs", async () => {
    const token = await use().calendars.tokenOf(ALICE);
    const ofBob = await use().calendars.tokenOf(BOB);
    expect(await use().calendars.revoke(ALICE)).toBe(true);
    expect(await use().calendars.revoke(ALICE)).toBe(false);

    for await (const store of acrossRestart(use, restart)) {
      expect(await store.calendars.personOf(token)).toBeNull();
      expect(await store.calendars.personOf(ofBob)).toEqual(BOB);
    }
    expect(await use().calendars.tokenOf(ALICE)).not.toBe(token);
  });
}
