import { readFileSync } from "node:fs";
import { parse, stringify } from "yaml";
import { packagePath } from "../../lib/package.ts";

/** Bot scope with its purpose. */
export interface Scope {
  readonly name: string;
  readonly purpose: string;
  /** What is missing without it, if everything else works; people can then decline it when they install the app. */
  readonly without?: string;
}

const NO_RETURN = "waiting alerts follow within 5 minutes on the first day, then within 24 hours";

/** Bot scopes, in the order of the manifest. */
export const SCOPES: readonly Scope[] = [
  { name: "commands", purpose: "the slash command" },
  { name: "chat:write", purpose: "alerts and answers" },
  { name: "channels:join", purpose: "joins public channels that get a rule" },
  { name: "channels:history", purpose: "checks in public channels whether an alert was posted before it is resent" },
  { name: "groups:history", purpose: "checks in private channels whether an alert was posted before it is resent" },
  {
    name: "im:history",
    purpose:
      "checks in direct messages whether an alert was posted before it is resent; answers direct messages with help",
  },
  { name: "im:write", purpose: "opens a direct message to check whether an alert was posted before it is resent" },
  { name: "files:write", purpose: "sends exported files and calendars, and pictures of shared calendars" },
  { name: "app_mentions:read", purpose: "answers mentions with help", without: "mentions aren't answered" },
  {
    name: "channels:read",
    purpose: "sends waiting alerts when a public channel is unarchived or invites splitwatch again",
    without: NO_RETURN,
  },
  {
    name: "groups:read",
    purpose: "sends waiting alerts when a private channel is unarchived or invites splitwatch again",
    without: NO_RETURN,
  },
];

/** Used only if slack.restrictSubscribe is true. */
export const ADMIN_SCOPE = "users:read";

const HEADER = `# Slack app manifest of splitwatch, for "Create New App", "From a manifest". Generated from the commands; a test compares them.
#
# It is for one workspace and Socket Mode. For HTTP, replace every example address and set socket_mode_enabled to false.
# For many workspaces, always replace the address under redirect_urls; a single workspace ignores it.
#
# Scopes and their purposes:
`;

const ORIGIN = "https://splitwatch.example.com";
const EVENTS_URL = `${ORIGIN}/slack/events`;

/**
 * Events of mentions, direct messages and channels need the scopes of their kind, such as groups:read for private channels; the others
 * need none.
 */
const EVENTS = [
  "app_home_opened",
  "app_mention",
  "message.im",
  "member_joined_channel",
  "channel_unarchive",
  "group_unarchive",
  "app_uninstalled",
  "tokens_revoked",
] as const;

/** Returns the text of `config/slack-manifest.yaml`. */
export function writeManifest(commandNames: readonly string[]): string {
  const scopes = SCOPES.map(
    ({ name, purpose, without }) =>
      `#   ${`${name}:`.padEnd(18)} ${purpose}${without === undefined ? "" : " (optional)"}\n`,
  ).join("");
  const admin = `#   ${`${ADMIN_SCOPE}:`.padEnd(18)} add it only if slack.restrictSubscribe is true: checks who is an admin\n`;
  return `${HEADER}${scopes}${admin}\n${stringify(manifest(commandNames), { lineWidth: 0 })}`;
}

/** Link that opens Slack's form for a new app with the manifest of this package, for Socket Mode. */
export function createAppLink(): string {
  const text = readFileSync(packagePath("config/slack-manifest.yaml"), "utf8");
  // Comments and example addresses would make the link longer; Socket Mode needs no addresses.
  const { redirect_urls: _, ...oauth } = parse(text).oauth_config;
  const withoutAddresses = JSON.stringify({ ...parse(text), oauth_config: oauth }, (_key, value: unknown) =>
    typeof value === "string" && value.startsWith(ORIGIN) ? undefined : value,
  );
  const manifestYaml = stringify(JSON.parse(withoutAddresses), { lineWidth: 0, indent: 1, indentSeq: false });
  // These characters need no encoding in a query.
  const query = encodeURIComponent(manifestYaml.trim())
    .replaceAll("%3A", ":")
    .replaceAll("%2C", ",")
    .replaceAll("%2F", "/");
  return `https://api.slack.com/apps?new_app=1&manifest_yaml=${query}`;
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
          url: EVENTS_URL,
          description: "Reverse stock splits: list, watch, subscribe",
          usage_hint: `[${commandNames.join(" | ")}]`,
          should_escape: true,
        },
      ],
    },
    oauth_config: {
      redirect_urls: [`${ORIGIN}/slack/oauth_redirect`],
      // An optional scope has to be in both lists: docs.slack.dev/authentication/installing-with-oauth.
      scopes: {
        bot: SCOPES.map(({ name }) => name),
        bot_optional: SCOPES.filter(({ without }) => without !== undefined).map(({ name }) => name),
      },
    },
    settings: {
      event_subscriptions: { request_url: EVENTS_URL, bot_events: EVENTS },
      interactivity: { is_enabled: true, request_url: EVENTS_URL, message_menu_options_url: EVENTS_URL },
      org_deploy_enabled: false,
      socket_mode_enabled: true,
      token_rotation_enabled: false,
    },
  };
}
