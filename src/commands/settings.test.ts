import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ALICE, aSplit, GENERAL } from "../../test/support/builders.ts";
import {
  announcedEvent,
  type CommandBench,
  IN_DIRECT_MESSAGE,
  IN_GENERAL,
  openCommandBench,
} from "../../test/support/command-bench.ts";
import { membersOf } from "../../test/support/pages.ts";
import { type DeliveryId, deliveryId } from "../domain/alert/delivery.ts";
import { destinationKey } from "../domain/alert/destination.ts";
import { DEFAULT_SETTINGS } from "../domain/settings/destination-settings.ts";
import { HOUR_MS } from "../domain/time/day.ts";
import type { Call } from "./command.ts";

const NOT_ALLOWED: Call = { ...IN_GENERAL, mayManage: async () => "Only the owl may." };

let bench: CommandBench;
beforeEach(async () => {
  bench = await openCommandBench();
  await bench.seed({ splits: [aSplit()] });
});
afterEach(() => bench.close());

/** Commits an alert on ACME that waits at a destination. */
async function waitAt(to: typeof GENERAL): Promise<void> {
  const event = announcedEvent(aSplit({ exDate: "2026-03-27" }));
  const id = deliveryId(event.id, destinationKey(to));
  await bench.commit([event], [{ id, eventId: event.id, to, reasons: ["rule 1"], mentions: [] }]);
}

/** Presses the button with this label and returns the answer. */
async function press(label: string, line: string): Promise<string> {
  const { cards } = await bench.run(line);
  const found = cards.flatMap(({ buttons }) => buttons).find((one) => one.label === label);
  return bench.runAsText(found?.command ?? `no button ${label}`);
}

describe("mute", () => {
  it("counts an alert as held whose message was refused before", async () => {
    await waitAt(ALICE);
    const [claim] = await bench.store.claims.claimDue({ limit: 1, platforms: ["web"] });
    const [waiting] = await bench.store.outbox.waiting([ALICE]);
    const at = bench.clock.now();
    const content = {
      body: {},
      replyTo: null,
      deliveries: [waiting?.delivery.id ?? ("" as DeliveryId)],
      createdAt: at,
    };
    const progress = { state: "ready", sends: 1, blindResends: 0, notBefore: at, problem: "busy" } as const;
    await bench.store.outbox.saveAttempt({ messageId: "m1", to: claim?.to ?? GENERAL, ...content, ...progress });
    expect(await bench.runAsText("forget")).toContain("1 waiting alert won't be sent to you.");
    expect(await bench.runAsText("mute 1h")).toContain("1 alert is already held.");
    expect(await bench.runAsText("status")).toContain(
      "Deliveries: none waiting, 1 held (muted, quiet hours or digest)",
    );
  });

  it("states its end, the effect on alerts and the number of held ones", async () => {
    await bench.run("mute 1h");
    await waitAt(ALICE);
    expect(await bench.runAsText("mute for:2h")).toBe(
      [
        "Your alerts are muted until Mon 2 Mar 2026, 11:00 EST",
        "Alerts are held until then and sent together afterward. None is lost.",
        "1 alert is already held.",
        "(Undo: mute for:1h)",
        "(All settings: settings)",
      ].join("\n"),
    );
    expect((await bench.store.destinationSettings.of(ALICE)).mutedUntil).toBe(bench.clock.now() + 2 * HOUR_MS);
    expect(await bench.store.destinationSettings.of(GENERAL)).toEqual(DEFAULT_SETTINGS);
  });

  it.each([
    ["mute 90m", "10:30"],
    ["mute 2 hours", "11:00"],
    ["mute for 1h30m", "10:30"],
    ["/splits mute for: 2h scope: me", "11:00"],
    ["mute me 2h", "11:00"],
  ])("understands %j", async (line, time) => {
    expect(await bench.runAsText(line)).toMatch(new RegExp(`^Your alerts are muted until Mon 2 Mar 2026, ${time} EST`));
  });

  it.each(["mute", "mute for:forever", "mute 91d", "mute 0m", "mute 30s", "mute for:2", "mute until tomorrow"])(
    "asks for a length of time where %j gives none",
    async (line) => {
      const text = await bench.runAsText(line);
      expect(text).toContain("a duration such as 90m, 2h, 3d or 1w, from 1 minute to 90 days");
      expect(text).toContain("Example: /splits mute for:2h");
      expect((await membersOf(bench.store.destinationSettings.all())).length).toBe(0);
    },
  );

  it("states that quiet hours or a digest hold alerts after it", async () => {
    await bench.run("settings quiet:10:00-12:00");
    expect(await bench.runAsText("mute 2h")).toContain(
      "After that, alerts are held until Mon 2 Mar 2026, 12:00 EST (quiet hours).",
    );
  });

  it("is undone by unmute, and unmute by the remaining mute", async () => {
    expect(await press("Undo", "mute 2h scope:channel")).toMatch(/^This channel's alerts are no longer muted/);
    await bench.run("mute 2h");
    await bench.clock.advance(30 * 60_000);
    expect(await press("Undo", "unmute")).toMatch(/^Your alerts are muted until Mon 2 Mar 2026, 11:00 EST/);
    await bench.run("unmute");
    expect(await bench.runAsText("unmute")).toMatch(
      /^Your alerts weren't muted\nNothing was changed.\nAlerts are sent immediately\./,
    );
  });
});

describe("the scope of settings", () => {
  it.each(["mute 2h scope:channel", "unmute scope:channel", "settings digest:on scope:channel"])(
    "%j is for those who may manage the channel",
    async (line) => {
      expect(await bench.runAsText(line, NOT_ALLOWED)).toContain("Only the owl may.");
      expect(await membersOf(bench.store.destinationSettings.all())).toEqual([]);
      expect(await bench.runAsText(line)).not.toContain("Only the owl may.");
    },
  );

  it("is the person by default; everyone can read a channel's settings", async () => {
    await bench.run("settings digest:on scope:channel");
    expect(await bench.runAsText("settings", NOT_ALLOWED)).toMatch(/^Your settings[\s\S]*Digest: off/);
    expect(await bench.runAsText("settings scope:channel", NOT_ALLOWED)).toMatch(
      /^This channel's settings[\s\S]*Digest: on/,
    );
    expect(await bench.runAsText("mute 2h", NOT_ALLOWED)).toMatch(/^Your alerts are muted/);
  });

  it.each(["mute 2h scope:channel", "unmute channel", "settings scope:channel", "settings digest:on scope:channel"])(
    "%j in a direct message finds no channel",
    async (line) => {
      expect(await bench.runAsText(line, IN_DIRECT_MESSAGE)).toMatch(/^There's no channel here. Nothing was changed./);
      expect(await membersOf(bench.store.destinationSettings.all())).toEqual([]);
    },
  );
});

describe("settings", () => {
  it("shows the settings with a button for each change", async () => {
    expect(await bench.runAsText("settings")).toBe(
      [
        "Your settings",
        "Alerts are sent immediately.",
        "To change them: /splits settings timezone:Europe/London quiet:22:00-07:00",
        "Time zone: America/New_York (the default), now Mon 2 Mar 2026, 09:00 EST",
        "Reminders: on",
        "Digest: off",
        "Quiet hours: off",
        "Muted: no",
        "(Reminders off: settings reminders:off)",
        "(Digest on: settings digest:on)",
        "(Set quiet hours: settings quiet:22:00-07:00)",
        "(Mute for 8 hours: mute for:8h)",
      ].join("\n"),
    );
  });

  it("states why alerts are held, until when, and the number of held ones", async () => {
    await waitAt(ALICE);
    expect(await bench.runAsText("settings digest:on quiet:22:00-07:00 timezone:Pacific/Auckland")).toBe(
      [
        "Your settings were changed",
        "New alerts are held until Tue 3 Mar 2026, 08:00 GMT+13 (quiet hours, then digest). 1 held alert will be sent together then.",
        "Alerts about splits with an ex date before the next digest are sent immediately.",
        "Time zone: America/New_York (the default), now Mon 2 Mar 2026, 09:00 EST → Pacific/Auckland, now Tue 3 Mar 2026, 03:00 GMT+13",
        "Digest: off → on, next Tue 3 Mar 2026, 08:00 GMT+13",
        "Quiet hours: off → 22:00-07:00, every day",
        "(Undo: settings timezone:default digest:off quiet:off)",
        "(All settings: settings)",
      ].join("\n"),
    );
  });

  it.each([
    ["settings timezone:auckland", { timezone: "Pacific/Auckland" }],
    ["settings Pacific/Auckland", { timezone: "Pacific/Auckland" }],
    ["settings tz=New York reminders off", { timezone: "America/New_York", reminders: false }],
    ["settings quiet 10pm - 7am", { quiet: { from: 1_320, to: 420 } }],
    ["settings 22:00-07:00", { quiet: { from: 1_320, to: 420 } }],
    ["settings digest on, reminder no", { digest: true, reminders: false }],
    ["settings QUIET:22:00 – 07:00 DIGEST:ON", { quiet: { from: 1_320, to: 420 }, digest: true }],
  ])("understands %j", async (line, expected) => {
    expect(await bench.runAsText(line)).toMatch(/^Your settings were changed/);
    expect(await bench.store.destinationSettings.of(ALICE)).toEqual({ ...DEFAULT_SETTINGS, ...expected });
  });

  it.each([
    ["settings timezone:EST", "Did you mean America/New_York?"],
    ["settings timezone:Aukland", "Did you mean Pacific/Auckland?"],
    ["settings timezone:+12:00", "expected a time zone such as Pacific/Auckland"],
    [
      "settings quiet:22:00",
      'expected hours such as 22:00-07:00 or 10pm-7am with different start and end times, or "off"',
    ],
    ["settings quiet:10:00-10:00", "with different start and end times"],
    ["settings reminders:maybe", 'expected "on" or "off"'],
    ["settings off", 'Got "off"'],
  ])("answers %j with the expected values: %s", async (line, expected) => {
    const text = await bench.runAsText(line);
    expect(text).toContain(expected);
    expect(text).toContain("Example: /splits settings timezone:Pacific/Auckland quiet:22:00-07:00");
    expect(await membersOf(bench.store.destinationSettings.all())).toEqual([]);
  });

  it("changes nothing and offers no undo if the values are the same", async () => {
    await bench.run("settings digest:on");
    const text = await bench.runAsText("settings digest:on");
    expect(text).toMatch(/^Your settings already have these values. Nothing was changed./);
    expect(text).not.toContain("Undo");
  });

  it("restores only the changed values when it is undone", async () => {
    await bench.run("settings timezone:Asia/Tokyo quiet:23:00-06:00 reminders:off");
    expect(await press("Undo", "settings timezone:Europe/London quiet:off")).toMatch(/^Your settings were changed/);
    const expected = { timezone: "Asia/Tokyo", quiet: { from: 1_380, to: 360 }, reminders: false };
    expect(await bench.store.destinationSettings.of(ALICE)).toEqual({ ...DEFAULT_SETTINGS, ...expected });
  });

  it("shows the undo command as text if it doesn't fit into a button", async () => {
    const all = "reminders:off digest:on quiet:22:00-07:00 scope:channel";
    await bench.run(`settings timezone:America/Argentina/Buenos_Aires ${all}`);
    const text = await bench.runAsText("settings timezone:default reminders:on digest:off quiet:off scope:channel");
    expect(text).toContain(`To undo this: /splits settings timezone:America/Argentina/Buenos_Aires ${all}`);
    expect(text).not.toContain("(Undo");
  });
});

describe("the time zone of answers", () => {
  it("is the caller's, else the channel's, else the configured one", async () => {
    const zoneIn = async (): Promise<string | undefined> => {
      bench.outcome = { kind: "sent", at: bench.clock.now(), ref: { id: "m", link: null }, blindResends: 0 };
      return /Delivered: .* (\S+)$/m.exec(await bench.runAsText("test"))?.[1];
    };
    expect(await zoneIn()).toBe("EST");
    await bench.run("settings timezone:UTC scope:channel");
    expect(await zoneIn()).toBe("UTC");
    await bench.run("settings timezone:Pacific/Honolulu");
    expect(await zoneIn()).toBe("HST");
  });

  it("is the channel's in a public answer", async () => {
    await bench.store.polls.write({
      resource: "splits",
      at: bench.clock.now(),
      outcome: "complete",
      detail: "1 split",
      records: 1,
      quarantined: [],
      lastCompleteAt: bench.clock.now(),
    });
    await bench.run("settings timezone:Pacific/Honolulu");
    const { cards } = await bench.commands.runPublicly("status", IN_GENERAL);
    expect(JSON.stringify(cards)).toContain("09:00 EST");
    expect(await bench.runAsText("status")).toContain("04:00 HST");
  });
});
