import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ALICE, aKnownArticle, aSplit, BOB, day, ticker } from "../../test/support/builders.ts";
import {
  type CommandBench,
  IN_DIRECT_MESSAGE,
  IN_GENERAL,
  openCommandBench,
} from "../../test/support/command-bench.ts";
import type { Card } from "../messages/message.ts";
import type { CommandContext } from "./context.ts";

const PUBLIC_URL = "https://splits.example";

let bench: CommandBench;

async function openBench(overrides: Partial<CommandContext> = {}): Promise<void> {
  bench = await openCommandBench(overrides);
  await bench.seed({
    splits: [
      aSplit(),
      aSplit({ ticker: "BOLT", exchange: "NYSE", company: "Bolt Marine Corp.", ratio: "1:8" }),
      aSplit(
        { ticker: "CHRL", exDate: "2026-03-11" },
        { withdrawal: { kind: "cancelled", exDate: day("2026-03-11") } },
      ),
      aSplit({ ticker: "PAST", exDate: "2026-02-27" }),
    ],
    articles: [aKnownArticle({ fraction: { treatment: "cash_in_lieu", level: null, sentence: "In cash." } })],
  });
}

beforeEach(() => openBench({ publicUrl: PUBLIC_URL }));
afterEach(() => bench.close());

async function cards(line: string, call = IN_GENERAL): Promise<readonly Card[]> {
  return (await bench.run(line, call)).cards;
}

function addressIn(shownCards: readonly Card[], label: string): string | undefined {
  return shownCards.flatMap(({ facts }) => facts).find((fact) => fact.label === label)?.value;
}

describe("calendar", () => {
  it("lists upcoming ex dates by day with the treatment of fractions", async () => {
    const [list] = await cards("calendar");
    expect(list?.title).toBe("3 upcoming ex dates");
    expect(list?.rows).toEqual([
      {
        title: "Tue 10 Mar 2026, in 6 trading days",
        detail:
          "ACME 1-for-20 on Nasdaq · Acme Robotics Inc. · fractions paid out in cash (cash in lieu); BOLT 1-for-8 on NYSE · Bolt Marine Corp. · fractions not stated",
      },
      {
        title: "Wed 11 Mar 2026, in 7 trading days",
        detail: "CHRL 1-for-20 on Nasdaq · Acme Robotics Inc. · CANCELLED",
      },
    ]);
  });

  it("includes the picture with its alt text and public address", async () => {
    const [list] = await cards("calendar");
    expect(list?.picture).toMatchObject({
      name: "upcoming-splits",
      link: expect.stringMatching(/^https:.*\.png\?at=\d/),
    });
    expect(list?.picture?.svg).toContain("ACME");
    expect(list?.picture?.alt).toContain("ACME 1-for-20 on Nasdaq");
  });

  it("returns the public and the personal address, the same each time", async () => {
    const shownCards = await cards("calendar");
    expect(addressIn(shownCards, "All splits")).toBe(`${PUBLIC_URL}/calendar/all.ics`);
    const personalAddress = addressIn(shownCards, "Your watchlist");
    expect(personalAddress).toMatch(/^https:\/\/splits\.example\/calendar\/[0-9a-f]{40}\.ics$/);
    expect(addressIn(await cards("calendar", IN_DIRECT_MESSAGE), "Your watchlist")).toBe(personalAddress);
    expect(addressIn(await cards("calendar", { ...IN_GENERAL, person: BOB }), "Your watchlist")).not.toBe(
      personalAddress,
    );
    for (const program of ["Google", "Apple", "Outlook"]) expect(JSON.stringify(shownCards)).toContain(program);
    expect(shownCards.some(({ files }) => files !== undefined)).toBe(false);
  });

  it("attaches files with local paths if there is no external address", async () => {
    await bench.close();
    await openBench();
    await bench.store.watchlists.add(ALICE, [ticker("BOLT")]);
    const shownCards = await cards("calendar");
    const files = shownCards.flatMap((card) => card.files ?? []);
    expect(files.map(({ name, mediaType }) => [name, mediaType])).toEqual([
      ["reverse-splits.ics", "text/calendar"],
      ["my-watchlist.ics", "text/calendar"],
    ]);
    expect(files[0]?.path).toBe("/calendar/all.ics");
    expect(files[1]?.path).toBe(`/calendar/${await bench.store.calendars.tokenOf(ALICE)}.ics`);
    expect(files[0]?.text).toContain("SUMMARY:ACME");
    expect(files[1]?.text).not.toContain("ACME");
    expect(files[1]?.text).toContain("SUMMARY:BOLT");
    expect(shownCards[0]?.picture?.link).toBeNull();
    expect(JSON.stringify(shownCards)).toContain("PUBLIC_URL isn't set");
  });

  it("reads the splits once for the list, the picture and both files", async () => {
    await bench.close();
    await openBench();
    const snapshot = await bench.store.snapshot.read();
    const splits = new Map(snapshot.splits);
    vi.spyOn(bench.store.snapshot, "read").mockResolvedValue({ ...snapshot, splits });
    const reads = vi.spyOn(splits, "values");
    await cards("calendar");
    expect(reads).toHaveBeenCalledTimes(1);
  });

  it("is shared without personal data and creates no personal address", async () => {
    const answer = await bench.commands.runPublicly("calendar", IN_GENERAL);
    expect(answer.shareable).toBe(true);
    expect(addressIn(answer.cards, "All splits")).toBeDefined();
    expect(addressIn(answer.cards, "Your watchlist")).toBeUndefined();
    expect(answer.cards.flatMap(({ buttons }) => buttons)).toEqual([]);
    const token = await bench.store.calendars.tokenOf(ALICE);
    expect(JSON.stringify(await bench.commands.runPublicly("calendar", IN_GENERAL))).not.toContain(token);
  });

  it.each(["calendar address:renew", "calendar address:revoke sure:yes", "calendar renew sure:yes"])(
    "%s is not shareable, and sharing it changes nothing",
    async (line) => {
      const token = await bench.store.calendars.tokenOf(ALICE);
      const answer = await bench.commands.runPublicly(line, IN_GENERAL);
      expect(answer.shareable).toBe(false);
      expect(JSON.stringify(answer)).not.toContain(token);
      expect(await bench.store.calendars.tokenOf(ALICE)).toBe(token);
      expect((await bench.run("calendar address:renew")).shareable).toBe(false);
    },
  );

  it("asks for confirmation before it renews the address, and revokes the old one", async () => {
    const oldToken = await bench.store.calendars.tokenOf(ALICE);
    const [question] = await cards("calendar address:renew");
    expect(await bench.store.calendars.tokenOf(ALICE)).toBe(oldToken);
    const confirmation = question?.buttons.find(({ style }) => style === "danger")?.command ?? "";
    const answer = await cards(confirmation);
    expect(addressIn(answer, "Your watchlist")).toContain(await bench.store.calendars.tokenOf(ALICE));
    expect(await bench.store.calendars.personOf(oldToken)).toBeNull();
    expect(await bench.store.calendars.tokenOf(ALICE)).not.toBe(oldToken);
  });

  it("notes that a new address can't be used yet", async () => {
    await bench.close();
    await openBench({ publicUrl: null });
    expect((await cards("calendar address:renew sure:yes"))[0]?.lines).toEqual([
      "The old address no longer works.",
      "The new address can't be used yet: splitwatch has no public address (PUBLIC_URL isn't set). /splits calendar shows it after PUBLIC_URL is set.",
    ]);
  });

  it("revokes the address after a confirmation", async () => {
    const oldToken = await bench.store.calendars.tokenOf(ALICE);
    const [question] = await cards("calendar address:off");
    expect(await bench.store.calendars.personOf(oldToken)).toEqual(ALICE);
    const [answer] = await cards(question?.buttons[0]?.command ?? "");
    expect(answer?.title).toBe("Your calendar address is turned off");
    expect(await bench.store.calendars.personOf(oldToken)).toBeNull();
    expect((await cards("calendar address:revoke sure:yes"))[0]?.title).toBe("You have no calendar address");
  });

  it("shows many ex dates in pages and a busy day in several rows", async () => {
    const splits = Array.from({ length: 30 }, (_, n) => aSplit({ ticker: `T${n}`, exDate: "2026-04-01" }));
    await bench.seed({ splits });
    const [first, ...moreCards] = await cards("calendar");
    expect(first?.lines).toContain("Page 1 of 3");
    expect(first?.buttons.map(({ label, command }) => [label, command])).toEqual([["Next", "calendar page:2"]]);
    expect(moreCards).toHaveLength(1);
    const [second, ...otherCards] = await cards("calendar page:2");
    expect(otherCards).toEqual([]);
    expect(second?.picture).toBeUndefined();
    expect(second?.rows.length).toBeGreaterThanOrEqual(3);
    expect(second?.rows.every(({ detail }) => detail.length < 450)).toBe(true);
  });

  it("reports that there are no upcoming splits, or that no list has been read yet", async () => {
    await bench.clock.advance(40 * 24 * 3_600_000);
    expect((await cards("calendar"))[0]?.title).toBe("No upcoming ex dates");
    await bench.close();
    bench = await openCommandBench({ publicUrl: PUBLIC_URL });
    expect((await cards("calendar"))[0]?.title).toBe("No list of splits has been read yet");
  });

  it("labels sample data on the card, in the file and in the picture", async () => {
    await bench.close();
    const source = {
      id: "http://splits.example",
      name: "sample",
      sample: true,
      notes: () => [],
      problem: () => null,
      releaseText: () => null,
      live: null,
    };
    await openBench({ source });
    const [list, access] = await cards("calendar");
    expect(list?.badges).toEqual(["SAMPLE"]);
    expect(list?.picture?.svg).toContain("SAMPLE");
    expect(access?.files?.every(({ text }) => text.includes("SUMMARY:SAMPLE ") || !text.includes("SUMMARY"))).toBe(
      true,
    );
  });
});
