import { afterEach, describe, expect, it } from "vitest";
import { SlackBench } from "./bench.ts";
import { ACME, BRAVO, MONDAY } from "./rows.ts";
import type { SlackTeam } from "./server/team.ts";
import { openBrowser } from "./users/browser.ts";
import { shownText } from "./users/message-text.ts";

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
