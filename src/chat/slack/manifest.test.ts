import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { CommandContext } from "../../commands/context.ts";
import { createCommands } from "../../commands/index.ts";
import { createAppLink, writeManifest } from "./manifest.ts";

// Listing the commands needs no context; only running them does.
const names = createCommands({} as CommandContext).list.map(({ name }) => name);

describe("the app manifest", () => {
  it("is generated from the commands; vitest -u updates it", async () => {
    await expect(writeManifest(names)).toMatchFileSnapshot("../../../config/slack-manifest.yaml");
  });

  it("requests exactly the scopes that are used", () => {
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
        "app_mentions:read",
        "channels:read",
        "groups:read",
      ],
      bot_optional: ["app_mentions:read", "channels:read", "groups:read"],
    });
  });

  it("has a home tab, an options address, and events of the tab, messages, channels and removals", () => {
    const { features, settings } = parse(writeManifest(names));
    expect(features.app_home.home_tab_enabled).toBe(true);
    expect(settings.event_subscriptions.bot_events).toEqual([
      "app_home_opened",
      "app_mention",
      "message.im",
      "member_joined_channel",
      "channel_unarchive",
      "group_unarchive",
      "app_uninstalled",
      "tokens_revoked",
    ]);
    const { request_url: eventsUrl } = settings.event_subscriptions;
    expect([settings.interactivity.request_url, settings.interactivity.message_menu_options_url]).toEqual([
      eventsUrl,
      eventsUrl,
    ]);
  });

  it("is part of the link that creates the app, without the addresses that Socket Mode doesn't need", () => {
    const link = createAppLink();
    const linked = parse(new URL(link).searchParams.get("manifest_yaml") ?? "");
    const { features, oauth_config: oauth, settings, ...rest } = parse(writeManifest(names));
    const { url: _url, ...command } = features.slash_commands[0];
    expect(linked).toEqual({
      ...rest,
      features: { ...features, slash_commands: [command] },
      oauth_config: { scopes: oauth.scopes },
      settings: {
        ...settings,
        event_subscriptions: { bot_events: settings.event_subscriptions.bot_events },
        interactivity: { is_enabled: true },
      },
    });
    // Servers and proxies commonly accept 4,096 bytes in an address, often 8,192.
    expect(link.length).toBeLessThan(4_096);
    expect(link).toMatch(/^https:\/\/api\.slack\.com\/apps\?new_app=1&manifest_yaml=[\w%:,/.~-]+$/);
  });

  it("is within Slack's limits for any commands", () => {
    const { display_information: displayInformation, features } = parse(writeManifest(names));
    expect(displayInformation.name.length).toBeLessThanOrEqual(35);
    expect(displayInformation.description.length).toBeLessThanOrEqual(140);
    const [{ usage_hint: hint, should_escape: escapes }] = features.slash_commands;
    expect(hint.length).toBeLessThanOrEqual(1_000);
    for (const name of names) expect(hint).toContain(name);
    expect(escapes).toBe(true);
  });
});
