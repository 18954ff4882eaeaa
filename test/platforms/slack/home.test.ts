import { afterEach, describe, expect, it } from "vitest";
import { missingFrom } from "../card-facts.ts";
import { type BenchOptions, SlackBench } from "./bench.ts";
import { ACME, ACME_RELEASE, BRAVO, MANY, MONDAY, SOON } from "./rows.ts";
import { eventCallback } from "./server/events.ts";
import type { HomeUser } from "./users/home-user.ts";
import type { Via } from "./users/user.ts";

let bench: SlackBench;
let via: Via = "socket";

afterEach(() => bench.close());

async function open(start: BenchOptions = {}, way: Via = "socket"): Promise<HomeUser> {
  via = way;
  bench = await SlackBench.open({ now: MONDAY, splits: [ACME, BRAVO, SOON], articles: [ACME_RELEASE], via, ...start });
  const home = bench.slack.user("ada").home(via);
  await home.open();
  return home;
}

function published(): number {
  return bench.slack.calls.filter(({ method }) => method === "views.publish").length;
}

function answerTo(line: string, who = "ada"): Promise<string> {
  return bench.slack.user(who).answerTo(line, { via });
}

describe.each(["socket", "http"] as const)("the home tab over %s", (way) => {
  it("changes watchlist, settings and rules, and shows each result", async () => {
    const home = await open({}, way);
    expect(home.text()).toContain("Empty. Add tickers");
    await home.type("Add tickers", "$ACME, brvo");
    expect(home.text()).toMatch(/^✅ You now watch ACME and BRVO\n[\s\S]*Your watchlist: 2 tickers/);
    await home.press("Unwatch", "BRVO");
    expect(home.text()).toMatch(/^✅ You no longer watch BRVO/);
    await home.press("Undo");
    expect(home.text()).toMatch(/^✅ You now watch BRVO/);
    await home.press("Watch", "SOON");
    expect(await answerTo("watchlist")).toMatch(/You watch 3 tickers[\s\S]*ACME[\s\S]*BRVO[\s\S]*SOON/);

    await home.searchAndPick("Type a city", "auck", "Pacific/Auckland");
    await home.toggle("Reminders");
    await home.toggle("A digest");
    await home.pickTime("From", "22:00", false);
    await home.pickTime("To", "07:30");
    expect(home.text()).toContain("Your settings were changed");
    await home.pick("Mute for", "3 days");
    expect(home.text()).toMatch(/^✅ Your alerts are muted until/);
    expect(await answerTo("settings")).toMatch(
      /Pacific\/Auckland[\s\S]*Reminders: off[\s\S]*Digest: on[\s\S]*22:00-07:30[\s\S]*Muted: until/,
    );
    await home.press("Unmute");
    await home.press("Turn off quiet hours");
    expect(await answerTo("settings")).toMatch(/Quiet hours: off[\s\S]*Muted: no/);

    await home.pressWithoutUpdate("New rule");
    await bench.until("the form is open", () => bench.slack.views.modalOf(bench.slack.user("ada").id) !== null);
    const form = bench.slack.user("ada").form(via);
    expect(form.view.title).toBe("New rule");
    form.choose("Only on these exchanges", "NYSE");
    expect(await form.submit()).toEqual({});
    await bench.until("the rule is set", () => home.text().startsWith("✅ Rule 1 is set for you"));
    await home.pressWithoutUpdate("Edit", "Rule 1");
    await bench.until("the form is open", () => bench.slack.views.modalOf(bench.slack.user("ada").id) !== null);
    const again = bench.slack.user("ada").form(via);
    again.type("Minimum split ratio", "5");
    expect(await again.submit()).toEqual({});
    await bench.until("the rule is changed", () => home.text().startsWith("✅ Rule 1 was changed for you"));
    expect(await answerTo("subscriptions")).toContain("on NYSE; 1-for-5 or steeper.");
  });
});

describe("the home tab", () => {
  it("shows the same as the commands", async () => {
    const home = await open({ splits: [ACME, BRAVO, SOON, ...MANY.slice(0, 3)] });
    await answerTo("watch ACME ZZZZ");
    await answerTo("subscribe exchange:NYSE minratio:8");
    await answerTo("settings timezone:Asia/Tokyo quiet:22:00-07:00 reminders:off");
    await home.open();
    const text = home.text();
    const cards = await Promise.all([
      bench.onWeb("ada", "watch ACME ZZZZ"),
      bench.onWeb("ada", "calendar"),
      bench.onWeb("ada", "status"),
    ]);
    const [watched, calendar, status] = cards.map(([card]) => card);
    if (!watched || !calendar || !status) throw new Error("the web chat did not answer");
    for (const { title, detail } of watched.rows) expect(text).toContain(`${title}\n${detail}`);
    for (const words of calendar.rows.flatMap(({ detail }) => detail.split("; "))) expect(text).toContain(words);
    expect(missingFrom(text, { ...status, badges: [], facts: [], rows: [], lines: [] })).toEqual([]);
    expect(text).toContain("Asia/Tokyo");
    expect(text).toContain("22:00-07:00, every day");
    expect(text).toContain("on NYSE; 1-for-8 or steeper.");
    expect(text).toMatch(/in 6 trading days · ★ watched\nACME/);
  });

  it("is personal", async () => {
    await open();
    await answerTo("watch ACME");
    const bobs = bench.slack.user("bob").home();
    await bobs.open();
    expect(bobs.text()).toContain("Empty. Add tickers");
    await bobs.press("Watch", "ACME");
    expect(await answerTo("watchlist", "bob")).toContain("ACME");
    const adas = bench.slack.user("ada").home();
    await adas.open();
    await adas.press("Unwatch", "ACME");
    expect(await answerTo("watchlist", "bob")).toContain("You watch 1 ticker");
  });

  it("shows refused input and keeps the settings", async () => {
    const home = await open();
    await home.type("Add tickers", "!!!");
    expect(home.text()).toMatch(/^❌ Couldn't run "watch". Nothing was changed./);
    await home.pickTime("From", "22:00", false);
    await home.pickTime("To", "22:00");
    expect(home.text()).toMatch(/^❌ Couldn't run "settings"/);
    expect(home.entered("From")).toMatchObject({ selected_time: null });
    expect(await answerTo("watchlist")).toContain("Your watchlist is empty");
  });

  it("completes time zones", async () => {
    const home = await open();
    expect(await home.search("Type a city", "")).toEqual(
      expect.arrayContaining(["Default time zone", "America/New_York"]),
    );
    expect(await home.search("Type a city", "new york")).toEqual(["America/New_York"]);
    expect(await home.search("Type a city", "nowhere at all")).toEqual([]);
    await home.searchAndPick("Type a city", "", "Europe/London");
    expect(home.entered("Type a city")).toMatchObject({ selected_option: { value: "Europe/London" } });
    await home.searchAndPick("Type a city", "", "Default time zone");
    expect(home.entered("Type a city")).toMatchObject({ selected_option: { value: "America/New_York" } });
  });

  it("shows the first entries and where to find the rest", async () => {
    const home = await open({ splits: [ACME, BRAVO, ...MANY] });
    await answerTo(`watch ${Array.from({ length: 40 }, (_, index) => `T${index}`).join(" ")}`);
    for (let number = 1; number <= 12; number += 1) await answerTo(`subscribe minratio:${number + 1}`);
    await home.open();
    expect(home.text()).toContain("Your watchlist: 40 tickers");
    expect(home.text()).toContain("And 25 more tickers: /splits watchlist");
    expect(home.text()).toContain("And 6 more ex dates: /splits calendar");
    expect(home.text()).toContain("And 4 more rules: /splits subscriptions");
    expect(home.view().blocks.length).toBeLessThanOrEqual(100);
  });

  it("is published once for a repeated event, and not for another tab", async () => {
    const home = await open();
    expect(published()).toBe(1);
    await home.openMessages();
    const { id } = bench.slack.user("ada");
    const event = { type: "app_home_opened", user: id, channel: "D1", tab: "home", event_ts: "1" };
    const payload = eventCallback(event, bench.slack.workspace, bench.clock.now());
    for (const envelopeId of ["home-1", "home-1", "home-2"])
      await bench.slack.socket.deliver({ envelopeId, type: "events_api", payload });
    await bench.until("the home tab is published", () => published() > 1);
    await answerTo("help");
    expect(published()).toBe(2);
  });

  it("shows the result of the last of several actions", async () => {
    const home = await open();
    await Promise.all([
      home.pressWithoutUpdate("Watch", "ACME"),
      home.pressWithoutUpdate("Watch", "BRVO"),
      home.pressWithoutUpdate("Watch", "SOON"),
    ]);
    await bench.until("all is published", () => published() === 4);
    expect(home.text()).toContain("Your watchlist: 3 tickers");
  });

  it("shows no sample data, and says so", async () => {
    const home = await open({
      env: { SPLITS_API_URL: "", SPLITS_API_KEY: "" },
      settings: "service: { source: sample }\n",
    });
    expect(home.text()).toContain("Sample data isn't shown on Slack");
    expect(home.labels()).not.toContain("Watch");
  });

  it("links the public calendar", async () => {
    const home = await open({ env: { PUBLIC_URL: "https://splits.example.com" } });
    expect(JSON.stringify(home.view().blocks)).toContain("https://splits.example.com/calendar/all.ics");
  });

  it("shows external names as plain text", async () => {
    const home = await open();
    expect(home.text()).toContain("Bravo & Sons <Holding>");
  });
});
