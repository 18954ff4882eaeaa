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
# As it stands it is for one workspace and for Socket Mode. For HTTP put your address in the place of the example wherever it
# stands, and set socket_mode_enabled to false. For many workspaces put it under redirect_urls in any case; for one workspace
# that entry is of no use, and of no harm.
#
# Scopes, and what each is for:
`;

const HOST = "https://splitwatch.example.com";
const ADDRESS = `${HOST}/slack/events`;

/** What Slack tells without being asked: no scope is needed for any of them. */
const EVENTS = ["app_home_opened", "app_uninstalled", "tokens_revoked"] as const;

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
      app_home: { home_tab_enabled: true, messages_tab_enabled: true, messages_tab_read_only_enabled: false },
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
    oauth_config: {
      redirect_urls: [`${HOST}/slack/oauth_redirect`],
      scopes: { bot: SCOPES.map(({ name }) => name) },
    },
    settings: {
      event_subscriptions: { request_url: ADDRESS, bot_events: EVENTS },
      interactivity: { is_enabled: true, request_url: ADDRESS, message_menu_options_url: ADDRESS },
      org_deploy_enabled: false,
      socket_mode_enabled: true,
      token_rotation_enabled: false,
    },
  };
}
