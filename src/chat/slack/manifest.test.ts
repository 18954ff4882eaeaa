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
    expect(parse(writeManifest(names)).oauth_config).toEqual({
      scopes: {
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
      },
    });
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
