import { afterEach, describe, expect, it } from "vitest";
import { SlackBench } from "./bench.ts";
import { ACME, BRAVO, MONDAY } from "./rows.ts";
import type { SlackTeam } from "./server/team.ts";
import type { Json, SlackMessage } from "./server/workspace.ts";
import { openBrowser } from "./users/browser.ts";
import { shownText } from "./users/message-text.ts";
import type { SlackUser } from "./users/user.ts";

let bench: SlackBench;
let team: SlackTeam;

afterEach(() => bench.close());

/** bob is a member of #general from another workspace, which may have installed splitwatch too. */
async function open(settings = "", isInstalledThere = false): Promise<void> {
  bench = await SlackBench.open({ now: MONDAY, splits: [ACME, BRAVO], many: true, via: "http", settings });
  team = bench.slack;
  const other = bench.slack.addTeam();
  await openBrowser(bench).install(team);
  if (isInstalledThere) await openBrowser(bench).install(other);
  Object.assign(person("bob"), { homeTeam: other.workspace.team.id });
}

function person(name: string): object {
  const found = team.workspace.people.get(team.user(name).id);
  if (!found) throw new Error(`${name} does not exist`);
  return found;
}

function answerTo(line: string, who = "ada"): Promise<string> {
  return team.user(who).answerTo(line, { channel: "general", via: "http" });
}

/** Changes the rule in its form as bob; returns the answer. */
async function editAsBob(): Promise<string> {
  const { messages } = await team.user("bob").slash("subscriptions", { channel: "general", via: "http" });
  const [list] = messages;
  if (!list) throw new Error("no message is visible");
  const form = await team.user("bob").edit(list, "Edit", "http");
  if (!("view" in form)) return form.map(shownText).join("\n");
  form.type("Minimum split ratio", "30");
  const before = team.user("bob").visibleMessages("general").length;
  expect(await form.submit()).toEqual({});
  await bench.until("the answer is visible", () => team.user("bob").visibleMessages("general").length > before);
  return team.user("bob").visibleMessages("general").slice(before).map(shownText).join("\n");
}

const OTHER_TEAM = "T9OTHER";

function bob(): SlackUser {
  return team.user("bob");
}

const REFUSAL = /splitwatch can't answer here[\s\S]*Only members of the workspace that installed splitwatch/;

async function openSingle(): Promise<void> {
  bench = await SlackBench.open({ now: MONDAY, splits: [BRAVO], via: "http" });
  team = bench.slack;
}

function leaves(): void {
  Object.assign(person("bob"), { homeTeam: OTHER_TEAM });
}

/** Makes bob a member again, and returns his answer. */
function answerAsMember(line: string): Promise<string> {
  Object.assign(person("bob"), { homeTeam: undefined });
  return answerTo(line, "bob");
}

async function anAlert(): Promise<SlackMessage> {
  await answerTo("subscribe");
  await bench.list(BRAVO, ACME);
  const alert = team.messages("general").at(-1);
  if (!alert) throw new Error("there is no alert");
  return alert;
}

describe("with one workspace, a member of another one in a shared channel", () => {
  it("runs no command that is typed in the other workspace", async () => {
    await openSingle();
    await answerTo("subscribe");
    Object.assign(person("bob"), { homeTeam: OTHER_TEAM, typesIn: OTHER_TEAM });
    expect(await answerTo("unsubscribe rule:1", "bob")).toMatch(REFUSAL);
    expect(await answerTo("subscriptions")).toContain("1 rule");
  });

  it("changes nothing with a button of an alert, and reads why", async () => {
    await openSingle();
    const alert = await anAlert();
    leaves();
    const { messages } = await bob().press(alert, "Watch ACME", "http");
    expect(messages.map(shownText).join()).toMatch(REFUSAL);
    expect(await answerAsMember("watchlist")).toContain("Your watchlist is empty");
  });

  it("can't submit a form", async () => {
    await openSingle();
    await answerTo("subscribe");
    const { messages } = await bob().slash("subscriptions", { channel: "general", via: "http" });
    const form = messages[0] && (await bob().edit(messages[0], "Edit", "http"));
    if (form === undefined || !("view" in form)) throw new Error("no form opened");
    leaves();
    form.type("Minimum split ratio", "30");
    const before = bob().visibleMessages("general").length;
    expect(await form.submit()).toEqual({});
    await bench.until("the answer is visible", () => bob().visibleMessages("general").length > before);
    expect(bob().visibleMessages("general").slice(before).map(shownText).join("\n")).toMatch(REFUSAL);
    expect(await answerTo("subscriptions")).not.toContain("1-for-30");
  });

  it("has no home tab, and its elements do nothing", async () => {
    await openSingle();
    const home = bob().home("http");
    await home.open();
    leaves();
    await home.pressWithoutUpdate("Watch", "BRVO");
    expect(await home.search("Type a city", "Berl")).toEqual([]);
    const before = home.text();
    const event = { type: "app_home_opened", user: bob().id, channel: "D1", tab: "home", event_ts: "1" };
    await bench.slack.sendEvent(team, event, { via: "http", envelope: { team_id: OTHER_TEAM } });
    expect(await answerAsMember("watchlist")).toContain("Your watchlist is empty");
    await bench.stop();
    expect(home.text()).toBe(before);
  });

  it("who mentions splitwatch is not answered, but members are, also in a channel of the other workspace", async () => {
    await openSingle();
    leaves();
    const mention = (who: string, ts: string, fields: Json) =>
      bench.slack.sendEvent(
        team,
        {
          type: "app_mention",
          user: team.user(who).id,
          channel: team.channel("general").id,
          ts,
          text: "hello",
          ...fields,
        },
        {
          via: "http",
          envelope: { team_id: OTHER_TEAM, authorizations: [{ team_id: team.workspace.team.id, user_id: "U0BOT" }] },
        },
      );
    await mention("bob", "1700000000.000100", { team: team.workspace.team.id, user_team: OTHER_TEAM });
    await mention("ada", "1700000000.000200", { team: team.workspace.team.id });
    await bench.until("ada is answered", () => team.user("ada").visibleMessages("general").length > 0);
    await bench.stop();
    expect(bob().visibleMessages("general")).toEqual([]);
  });

  it("is a member if their organization has both workspaces", async () => {
    await openSingle();
    const alert = await anAlert();
    Object.assign(person("bob"), { homeTeam: OTHER_TEAM, organizationTeams: [OTHER_TEAM, team.workspace.team.id] });
    const { messages } = await bob().press(alert, "Watch ACME", "http");
    expect(messages.map(shownText).join()).toContain("You now watch ACME");
  });
});

describe("in a channel shared with another workspace", () => {
  it.each([false, true])("its members change the rule that they see (installed there too: %s)", async (isThere) => {
    await open("", isThere);
    await answerTo("subscribe");
    expect(await editAsBob()).toContain("Rule 1 was changed for this channel");
    expect(await answerTo("subscriptions")).toContain("1-for-30 or steeper");
  });

  it("its admins are not admins of the workspace that restricts rule changes", async () => {
    await open("slack: { restrictSubscribe: true }\n");
    Object.assign(person("ada"), { admin: true });
    Object.assign(person("bob"), { admin: true });
    expect(await answerTo("subscribe")).toContain("Rule 1 is set");
    expect(await editAsBob()).toContain("Only admins of this workspace");
    expect(await answerTo("subscriptions")).not.toContain("1-for-30");
  });
});
