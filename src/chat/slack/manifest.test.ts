import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { CommandContext } from "../../commands/context.ts";
import { createCommands } from "../../commands/index.ts";
import { writeManifest } from "./manifest.ts";

// The list needs no context: only its commands do, when they run.
const names = createCommands({} as CommandContext).list.map(({ name }) => name);

describe("the app's manifest", () => {
  it("is what the commands make it; vitest -u writes it", async () => {
    await expect(writeManifest(names)).toMatchFileSnapshot("../../../config/slack-manifest.yaml");
  });

  it("asks for the scopes that are used, and for no other", () => {
    expect(parse(writeManifest(names)).oauth_config.scopes).toEqual({
      bot: [
        "commands",
        "chat:write",
        "channels:join",
        "channels:history",
        "groups:history",
        "im:history",
        "im:write",
        "files:write",
      ],
    });
  });

  it("has a home, hears of it being opened and of being removed, and is told what menus are asked for", () => {
    const { features, settings } = parse(writeManifest(names));
    expect(features.app_home.home_tab_enabled).toBe(true);
    expect(settings.event_subscriptions.bot_events).toEqual(["app_home_opened", "app_uninstalled", "tokens_revoked"]);
    const { request_url: events } = settings.event_subscriptions;
    expect([settings.interactivity.request_url, settings.interactivity.message_menu_options_url]).toEqual([
      events,
      events,
    ]);
  });

  it("is within Slack's limits, whatever the commands", () => {
    const { display_information: shown, features } = parse(writeManifest(names));
    expect(shown.name.length).toBeLessThanOrEqual(35);
    expect(shown.description.length).toBeLessThanOrEqual(140);
    const [{ usage_hint: hint, should_escape: escapes }] = features.slash_commands;
    expect(hint.length).toBeLessThanOrEqual(1_000);
    for (const name of names) expect(hint).toContain(name);
    expect(escapes).toBe(true);
  });
});
