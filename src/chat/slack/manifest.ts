import { stringify } from "yaml";

/** Bot scopes and what each is used for. */
export const SCOPES = [
  { name: "commands", why: "the slash command" },
  { name: "chat:write", why: "alerts and answers" },
  { name: "channels:join", why: "joins public channels that get a rule" },
  { name: "channels:history", why: "checks whether an alert was posted before it is resent: public channels" },
  { name: "groups:history", why: "the same in private channels" },
  { name: "im:history", why: "the same in direct messages" },
  { name: "im:write", why: "opens the direct messages to check" },
  {
    name: "files:write",
    why: "sends exported files, and pictures of shared calendars",
  },
] as const;

/** Used only if slack.restrictSubscribe is true. */
export const ADMIN_SCOPE = "users:read";

const HEAD = `# Slack app manifest of splitwatch, for "Create New App", "From a manifest". Generated from the commands; a test compares it.
#
# It is written for one workspace and Socket Mode. For HTTP, replace the example address everywhere and set
# socket_mode_enabled to false. For many workspaces, set the address under redirect_urls in any case; a single workspace
# ignores that entry.
#
# Scopes and what each is used for:
`;

const HOST = "https://splitwatch.example.com";
const ADDRESS = `${HOST}/slack/events`;

/** Events that need no scope. */
const EVENTS = ["app_home_opened", "app_uninstalled", "tokens_revoked"] as const;

/** `config/slack-manifest.yaml` */
export function writeManifest(commandNames: readonly string[]): string {
  const scopes = SCOPES.map(({ name, why }) => `#   ${`${name}:`.padEnd(18)} ${why}\n`).join("");
  const admin = `#   ${`${ADMIN_SCOPE}:`.padEnd(18)} add it only if slack.restrictSubscribe is true: checks who is an admin\n`;
  return `${HEAD}${scopes}${admin}\n${stringify(manifest(commandNames), { lineWidth: 0 })}`;
}

function manifest(commandNames: readonly string[]): object {
  return {
    display_information: {
      name: "splitwatch",
      description: "Reverse stock splits: announced, changed, withdrawn, due tomorrow, in effect",
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
