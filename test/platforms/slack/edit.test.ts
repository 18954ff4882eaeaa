import { afterEach, describe, expect, it } from "vitest";
import { MINUTE_MS } from "../../../src/domain/time/day.ts";
import { aSplitRow } from "../../support/upstream.ts";
import { type BenchOptions, SlackBench } from "./bench.ts";
import { ACME, BRAVO, MONDAY } from "./rows.ts";
import type { SlackMessage } from "./server/workspace.ts";
import type { Form } from "./users/form.ts";
import { buttonsOn, notificationText, shownText } from "./users/message-text.ts";
import type { Via } from "./users/user.ts";

let bench: SlackBench;
let via: Via = "socket";

afterEach(() => bench.close());

async function open(start: BenchOptions = {}): Promise<void> {
  via = start.via ?? "socket";
  bench = await SlackBench.open({ now: MONDAY, splits: [ACME, BRAVO], ...start });
}

async function slash(line: string, channel: string | undefined = "general", who = "ada"): Promise<SlackMessage> {
  const { messages } = await bench.slack.user(who).slash(line, { channel, via });
  const [answer] = messages;
  if (!answer) throw new Error(`no answer to ${line}`);
  return answer;
}

async function answerTo(line: string, channel?: string): Promise<string> {
  return shownText(await slash(line, channel));
}

async function edit(message: SlackMessage, label = "Edit", who = "ada"): Promise<Form> {
  const opened = await bench.slack.user(who).edit(message, label, via);
  if ("view" in opened) return opened;
  throw new Error(`no form opened: ${opened.map(shownText).join("; ")}`);
}

/** Waits until the user sees more than `before` messages; returns the text of the last one. */
async function nextMessage(before: number, who = "ada", channel: string | undefined = "general"): Promise<string> {
  const sees = (): readonly SlackMessage[] => bench.slack.user(who).visibleMessages(channel);
  await bench.until("the answer is visible", () => sees().length > before);
  const last = sees().at(-1);
  if (!last) throw new Error("no message is visible");
  return shownText(last);
}

async function submit(form: Form, who = "ada", channel?: string): Promise<string> {
  const before = bench.slack.user(who).visibleMessages(channel ?? "general").length;
  expect(await form.submit()).toEqual({});
  return nextMessage(before, who, channel ?? "general");
}

const RULE =
  "subscribe exchange:NASDAQ,NYSE minratio:7.7 exclude:OTC,BAD events:announced,article,early sources:newsfile";

describe.each(["socket", "http"] as const)("the rule form over %s", (way) => {
  it("shows the current rule and changes it", async () => {
    await open({ via: way });
    const form = await edit(await slash(RULE));
    expect(form.view.title).toBe("Rule 1");
    expect(form.text()).toContain("Alerts when a split is announced, and for each press release from Newsfile");
    expect(form.entered("Minimum split ratio")).toMatchObject({ value: "7.7" });
    expect(form.entered("Exclude these")).toMatchObject({ value: "BAD, OTC" });
    form.choose("Only on these exchanges", "Nasdaq");
    form.choose("Also alert about");
    form.choose("Only press releases from");
    form.type("Minimum split ratio", "1-for-20");
    form.type("Only these tickers", "$ACME, (NYSE: BRVO)");
    form.type("Exclude these", "");
    expect(await submit(form)).toBe(
      [
        "✅ Rule 1 was changed for this channel",
        "Now: Alerts when a split is announced; for ACME and BRVO; on Nasdaq; 1-for-20 or steeper.",
        "In the last 30 days it would have sent 1 alert: ACME announced on Fri 27 Feb 2026.",
        "Before: Alerts when a split is announced, and for each press release from Newsfile, and for each release about an approval or a range of ratios from Newsfile; on Nasdaq or NYSE; 1-for-7.7 or steeper; except for BAD or on OTC.",
        "To undo this: /splits subscribe rule:1 exchange:NASDAQ,NYSE exclude:BAD,OTC events:announced,article,early sources:newsfile minratio:7.7",
      ].join("\n"),
    );
    expect(await answerTo("subscriptions")).toContain(
      "Rule 1: 1 alert in the last 30 days\nAlerts when a split is announced; for ACME and BRVO",
    );
  });

  it("shows errors at their fields and accepts corrected input", async () => {
    await open({ via: way });
    const form = await edit(await slash("subscribe"));
    form.type("Only these tickers", "ACME, @@@, minratio:5");
    form.type("Minimum split ratio", "banana");
    form.choose("Alert when a split is");
    form.choose("Also alert about");
    expect(await form.submit()).toEqual({
      "Alert when a split is": "Select at least one, here or below.",
      "Only these tickers": `Got "@@@", "minratio:" and "5". Enter tickers such as ZRVNK, BRK.B, or companies' names.`,
      "Minimum split ratio": 'Got "banana". Enter a ratio above 1, such as 20, 1-for-20 or 1:20.',
    });
    form.choose("Also alert about", "reminders");
    form.type("Only these tickers", "ACME, @@@");
    form.choose("Only press releases from", "Newsfile");
    expect(await form.submit()).toEqual({
      "Only these tickers": `Got "@@@". Enter tickers such as ZRVNK, BRK.B, or companies' names.`,
      "Minimum split ratio": 'Got "banana". Enter a ratio above 1, such as 20, 1-for-20 or 1:20.',
    });
    form.type("Only these tickers", "ACME");
    form.type("Exclude these", "acme");
    form.type("Minimum split ratio", "");
    expect(await form.submit()).toEqual({
      "Exclude these tickers and exchanges":
        'This excludes everything in "Only these tickers". Remove entries from one of the two.',
      "Only press releases from":
        "This applies to press releases only, and none are selected above. Select them, or leave this field empty.",
    });
    expect(await answerTo("subscriptions")).not.toContain("ACME");
    form.type("Exclude these", "");
    form.choose("Only press releases from");
    expect(await submit(form)).toContain("Now: Alerts before an ex date; for ACME.");
  });

  it("runs once if Slack repeats the submission", async () => {
    await open({ via: way });
    const form = await edit(await slash("subscribe"));
    form.choose("Only on these exchanges", "NYSE American");
    expect(await submit(form)).toContain("Rule 1 was changed");
    expect(await form.resubmit()).toEqual({});
    const { length } = bench.slack.user("ada").visibleMessages("general");
    await answerTo("subscriptions");
    expect(bench.slack.user("ada").visibleMessages("general")).toHaveLength(length + 1);
  });
});

describe("the rule form", () => {
  it("keeps a rule that was not changed", async () => {
    await open();
    const form = await edit(await slash(`${RULE} mention:me`));
    expect(form.entered("Mention with each alert")).toMatchObject({ selected_option: { value: "me" } });
    expect(await submit(form)).toContain("Rule 1 is already set like this");
  });

  it("keeps or removes the rule's mention", async () => {
    await open({ slack: { groups: ["desk"] } });
    const group = bench.slack.workspace.groups[0]?.id;
    const answer = await slash(`subscribe nasdaq mention:<!subteam^${group}|@desk>`);
    const form = await edit(answer);
    expect(form.entered("Mention with each alert")).toMatchObject({ selected_option: { value: "keep" } });
    form.type("Minimum split ratio", "2");
    const said = await submit(form);
    expect(said).toContain("1-for-2 or steeper");
    await bench.list(ACME, BRAVO, aSplitRow({ ticker: "NEWS" }));
    expect(JSON.stringify(bench.slack.messages("general").at(-1)?.blocks)).toContain(`<!subteam^${group}>`);
    const again = await edit(answer);
    again.choose("Mention with each alert", "Nobody");
    expect(await submit(again)).toContain(
      "This can't be undone with a button because the previous rule had a mention.",
    );
  });

  it("states what the rule would have sent, and previews a change without saving it", async () => {
    await open();
    const form = await edit(await slash("subscribe exchange:NASDAQ"));
    expect(form.text()).toContain("In the last 30 days it would have sent 1 alert: ACME announced on Fri 27 Feb 2026.");
    form.choose("Only on these exchanges", "NYSE");
    form.choose("Preview", "Show what it would have sent");
    const preview = await submit(form);
    expect(preview).toMatch(/^This rule would have sent \d+ alerts? in the last 30 days|no alerts in the last 30 days/);
    expect(preview).toContain("Nothing was changed.");
    expect(await answerTo("subscriptions")).toContain("on Nasdaq.");
    const answer = bench.slack
      .user("ada")
      .visibleMessages("general")
      .find((one) => shownText(one) === preview);
    if (!answer) throw new Error("no preview is visible");
    const { messages } = await bench.slack.user("ada").press(answer, "Save this rule");
    expect(messages.map(shownText).join()).toContain("Rule 1 was changed for this channel");
    expect(await answerTo("subscriptions")).toContain("on NYSE.");
  });

  it("removes the rule", async () => {
    await open();
    const form = await edit(await slash("subscribe"));
    form.choose("Remove this rule", "Remove rule 1");
    form.type("Only these tickers", "@@@");
    expect(await submit(form)).toContain("Rule 1 was removed");
    expect(await answerTo("subscriptions")).toContain("This channel has no rules");
  });

  it("restores the previous rule with Undo", async () => {
    await open();
    const form = await edit(await slash("subscribe exchange:NASDAQ"));
    form.choose("Only on these exchanges", "NYSE");
    await submit(form);
    const answer = bench.slack.user("ada").visibleMessages("general").at(-1);
    if (!answer) throw new Error("no message is visible");
    const { messages } = await bench.slack.user("ada").press(answer, "Undo");
    expect(messages.map(shownText).join()).toContain("Now: Alerts when a split is announced");
    expect(await answerTo("subscriptions")).toContain("on Nasdaq.");
  });

  it("shows concurrent editors what they replaced; the last one wins", async () => {
    await open();
    const rule = await slash("subscribe");
    const [adas, bobs] = [await edit(rule), await edit(await slash("subscriptions", "general", "bob"), "Edit", "bob")];
    adas.type("Minimum split ratio", "10");
    bobs.type("Minimum split ratio", "30");
    expect(await submit(adas)).toContain("Before: Alerts when a split is announced");
    expect(await submit(bobs, "bob")).toMatch(/Now: .*1-for-30 or steeper\.\n.*\nBefore: .*1-for-10 or steeper\./);
  });

  it("reports a deleted rule, before opening and on submission", async () => {
    await open();
    const rule = await slash("subscribe");
    const form = await edit(rule);
    await answerTo("unsubscribe 1");
    expect(await submit(form)).toContain("There is no rule 1 here");
    const opened = await bench.slack.user("ada").edit(rule, "Edit");
    expect("view" in opened ? "a form" : opened.map(shownText).join()).toContain("There is no rule 1 here");
  });

  it("works after a restart and expires after half an hour", async () => {
    await open();
    const rule = await slash("subscribe");
    const form = await edit(rule);
    await bench.restart();
    form.type("Minimum split ratio", "9");
    expect(await submit(form)).toContain("1-for-9 or steeper");
    const old = await edit(rule);
    bench.clock.skip(30 * MINUTE_MS);
    expect(await old.submit()).toEqual({ "Alert when a split is": expect.stringContaining("press Edit again") });
  });

  it("does not open and changes nothing without permission", async () => {
    await open({ settings: "slack: { restrictSubscribe: true }\n" });
    const person = bench.slack.workspace.people.get(bench.slack.user("ada").id);
    if (!person) throw new Error("ada does not exist");
    person.admin = true;
    const rule = await slash("subscribe");
    const form = await edit(rule);
    person.admin = false;
    form.type("Minimum split ratio", "50");
    expect(await submit(form)).toContain(`You can't use "subscribe" for this channel`);
    const opened = await bench.slack.user("ada").edit(rule, "Edit");
    expect("view" in opened ? "a form" : opened.map(shownText).join()).toContain("Only admins");
    expect(await answerTo("subscriptions")).not.toContain("50");
  });

  it("explains why it did not open", async () => {
    await open();
    const rule = await slash("subscribe");
    bench.slack.faults.add({ method: "views.open", effect: { kind: "error", code: "expired_trigger_id" } });
    const opened = await bench.slack.user("ada").edit(rule, "Edit");
    expect("view" in opened ? "a form" : opened.map(shownText).join()).toContain("Couldn't open the form");
  });

  it("is offered for each listed rule, and not on alerts", async () => {
    await open();
    await answerTo("subscribe");
    await answerTo("subscribe exchange:NYSE");
    const list = await slash("subscriptions");
    expect(buttonsOn(list).map(({ label }) => label)).toEqual([
      "Edit 1",
      "Edit 2",
      "Remove rule 1",
      "Remove rule 2",
      "Share with the channel",
    ]);
    const form = await edit(list, "Edit 2");
    expect(form.view.title).toBe("Rule 2");
    await bench.list(ACME, BRAVO, aSplitRow({ ticker: "NEWS" }));
    const alert = bench.slack.messages("general").at(-1);
    if (!alert) throw new Error("there is no alert");
    expect(notificationText(alert)).toContain("NEWS");
    expect(buttonsOn(alert).map(({ label }) => label)).not.toContain("Edit");
  });

  it("changes personal rules in direct messages", async () => {
    await open();
    const { messages } = await bench.slack.user("ada").slash("subscribe");
    const [answer] = messages;
    if (!answer) throw new Error("no answer");
    const form = await edit(answer);
    form.choose("Only on these exchanges", "NYSE");
    const before = bench.slack.user("ada").visibleMessages().length;
    expect(await form.submit()).toEqual({});
    await bench.until("the answer is visible", () => bench.slack.user("ada").visibleMessages().length > before);
    expect(shownText(bench.slack.user("ada").visibleMessages().at(-1) ?? answer)).toContain(
      "Rule 1 was changed for you",
    );
  });
});
