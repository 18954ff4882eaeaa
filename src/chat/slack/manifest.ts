import { stringify } from "yaml";

/** What the app may do, and why: no more than it uses. */
export const SCOPES = [
  { name: "commands", why: "the slash command" },
  { name: "chat:write", why: "alerts and answers" },
  { name: "channels:join", why: "joins a public channel that has a rule, instead of asking for an invitation" },
  { name: "channels:history", why: "looks whether an alert is there before it is sent again: public channels" },
  { name: "groups:history", why: "the same in private channels" },
  { name: "im:history", why: "the same in direct messages" },
  { name: "im:write", why: "finds the direct messages in which to look" },
  {
    name: "files:write",
    why: "sends an exported file to whoever asked for it, and the picture of a calendar that is shared",
  },
] as const;

/** Needed only where slack.restrictSubscribe is true. */
export const ADMIN_SCOPE = "users:read";

const HEAD = `# The Slack app of splitwatch, for "Create New App", "From a manifest". Written from the commands: a test compares it.
#
# As it stands it is for Socket Mode. For HTTP put your address in the place of the example under slash_commands and
# interactivity, and set socket_mode_enabled to false.
#
# Scopes, and what each is for:
`;

const ADDRESS = "https://splitwatch.example.com/slack/events";

/** `config/slack-manifest.yaml` */
export function writeManifest(commandNames: readonly string[]): string {
  const scopes = SCOPES.map(({ name, why }) => `#   ${`${name}:`.padEnd(18)} ${why}\n`).join("");
  const admin = `#   ${`${ADMIN_SCOPE}:`.padEnd(18)} to be added only where slack.restrictSubscribe is true: who is an admin\n`;
  return `${HEAD}${scopes}${admin}\n${stringify(manifest(commandNames), { lineWidth: 0 })}`;
}

function manifest(commandNames: readonly string[]): object {
  return {
    display_information: {
      name: "splitwatch",
      description: "Reverse stock splits: announced, changed, gone, due tomorrow, in effect",
    },
    features: {
      app_home: { home_tab_enabled: false, messages_tab_enabled: true, messages_tab_read_only_enabled: false },
      bot_user: { display_name: "splitwatch", always_online: true },
      slash_commands: [
        {
          command: "/splits",
          url: ADDRESS,
          description: "Reverse stock splits: list, watch, subscribe",
          usage_hint: `[${commandNames.join(" | ")}]`,
          should_escape: true,
        },
      ],
    },
    oauth_config: { scopes: { bot: SCOPES.map(({ name }) => name) } },
    settings: {
      interactivity: { is_enabled: true, request_url: ADDRESS },
      org_deploy_enabled: false,
      socket_mode_enabled: true,
      token_rotation_enabled: false,
    },
  };
}
