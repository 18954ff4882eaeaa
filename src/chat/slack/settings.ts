import { z } from "zod";
import type { EnvironmentReader, Variables } from "../../config/environment.ts";
import { DEFAULT_PORT } from "../../config/environment-settings.ts";
import { ADDRESS_EXPECTED, boolean, readAddress, readPort, wholeNumber } from "../../config/value-schemas.ts";
import { CHOSEN_SECRET_EXPECTED, type VariableDefinition } from "../../config/variables.ts";

export const SLACK_VARIABLES: readonly VariableDefinition[] = [
  {
    name: "SLACK_BOT_TOKEN",
    isSecret: true,
    isToken: true,
    comment:
      "One workspace: the bot token, with the app token for Socket Mode or the signing secret for HTTP. The bot token needs one of the two, and the app token needs the bot token. Secrets.",
  },
  { name: "SLACK_APP_TOKEN", isSecret: true, isToken: true },
  { name: "SLACK_SIGNING_SECRET", isSecret: true, isToken: true },
  {
    name: "SLACK_CLIENT_ID",
    isToken: true,
    comment:
      "Many workspaces: the app's credentials instead of the bot token, with the signing secret above (or the app token), ENCRYPTION_KEY and PUBLIC_URL. The state secret is any random text of at least 16 characters. All but the ID are secrets.",
  },
  { name: "SLACK_CLIENT_SECRET", isSecret: true, isToken: true },
  { name: "SLACK_STATE_SECRET", isSecret: true, isChosen: true, isToken: true },
  { name: "SLACK_PORT", comment: "Separate port for Slack's HTTP paths. Default: PORT." },
  {
    name: "SLACK_API_URL",
    comment: "Web API base address of a proxy.",
    example: "http://127.0.0.1:3002/api/",
  },
  {
    name: "ENCRYPTION_KEY",
    isSecret: true,
    isChosen: true,
    comment:
      "Encrypts the stored credentials of Slack workspaces: at least 16 characters (openssl rand -base64 24). Keep a copy: with another key each workspace has to install again. Secret.",
  },
];

export const slackSection = z
  .strictObject({
    restrictSubscribe: boolean()
      .prefault(false)
      .describe("true: only workspace admins can change a channel's rules. false: every member of the channel can."),
    messagesPerMinute: wholeNumber(1, 10_000)
      .prefault(300)
      .describe(
        'Maximum number of messages per minute and workspace. Slack permits "several hundred" without naming a number; beyond it messages are rejected for a while and sent later.',
      ),
  })
  .readonly();

export type SlackSection = z.infer<typeof slackSection>;

export interface SlackSettings extends SlackSection {
  readonly app: SlackApp;
}

/** A Slack app: its credentials and its transport. */
export interface SlackApp {
  readonly access: SlackAccess;
  readonly transport: SlackTransport;
  /** Separate port for Slack's requests; null for the common port. */
  readonly port: number | null;
  /** Web API address of a proxy; null for Slack's address. */
  readonly apiUrl: string | null;
}

export type SlackAccess = OneWorkspaceAccess | ManyWorkspacesAccess;

/** Bot token of a single workspace. */
export interface OneWorkspaceAccess {
  readonly kind: "one";
  readonly botToken: string;
}

/** Credentials for OAuth installations, and the key that encrypts the workspaces' tokens. */
export interface ManyWorkspacesAccess {
  readonly kind: "many";
  readonly clientId: string;
  readonly clientSecret: string;
  readonly stateSecret: string;
  readonly encryptionKey: string;
}

/** Socket Mode, or signed requests over HTTP. */
export type SlackTransport =
  | { readonly kind: "socket"; readonly appToken: string }
  | { readonly kind: "http"; readonly signingSecret: string };

/** Variables that require SLACK_CLIENT_ID. ENCRYPTION_KEY is allowed without it. */
const CLIENT_SECRETS = ["SLACK_CLIENT_SECRET", "SLACK_STATE_SECRET"] as const;

/** Reads the variables. Returns null if Slack is not configured or a variable is missing; adds a problem for each missing one. */
export function readSlackSettings(reader: EnvironmentReader, section: SlackSection): SlackSettings | null {
  const { variables, problems, read } = reader;
  const port = read("SLACK_PORT", "a port from 1 to 65535", (text) => readPort(text, 1)) ?? null;
  const apiUrl = read("SLACK_API_URL", ADDRESS_EXPECTED, readAddress) ?? null;
  const access =
    variables.SLACK_CLIENT_ID === undefined
      ? readSingle(variables, problems)
      : readMany(variables.SLACK_CLIENT_ID, variables, problems);
  const transport = readTransport(variables, problems);
  if (access === null || transport === null) return null;
  const app: SlackApp = { access, transport, port, apiUrl };
  if (receivesRequests(app) && String(port) === (variables.PORT ?? String(DEFAULT_PORT)))
    problems.push(
      `SLACK_PORT: got ${port}, which is PORT, expected another port; remove it to serve Slack's paths on PORT`,
    );
  return { app, ...section };
}

/** True if Slack sends commands over HTTP, or browsers are redirected here to install the app. */
export function receivesRequests({ access, transport }: Pick<SlackApp, "access" | "transport">): boolean {
  return access.kind === "many" || transport.kind === "http";
}

function readSingle(env: Variables, problems: string[]): OneWorkspaceAccess | null {
  const { SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken } = env;
  for (const name of CLIENT_SECRETS) {
    if (env[name] !== undefined) {
      problems.push(
        `${name}: got a value although SLACK_CLIENT_ID is not set, expected both for many workspaces, or none`,
      );
    }
  }
  if (botToken !== undefined) return { kind: "one", botToken };
  if (appToken !== undefined) {
    problems.push(
      "SLACK_BOT_TOKEN: got nothing although SLACK_APP_TOKEN is set, expected the bot's token (or SLACK_CLIENT_ID for many workspaces)",
    );
  }
  return null;
}

function readMany(clientId: string, env: Variables, problems: string[]): ManyWorkspacesAccess | null {
  if (env.SLACK_BOT_TOKEN !== undefined) {
    problems.push(
      "SLACK_BOT_TOKEN: got a token although SLACK_CLIENT_ID is set too, expected only one of them: SLACK_BOT_TOKEN for one workspace, SLACK_CLIENT_ID for many",
    );
  }
  const requireVariable = (name: string, expected: string): string | null => {
    const value = env[name] ?? null;
    if (value === null) problems.push(`${name}: got nothing although SLACK_CLIENT_ID is set, expected ${expected}`);
    return value;
  };
  const clientSecret = requireVariable("SLACK_CLIENT_SECRET", "the app's client secret");
  const stateSecret = requireVariable("SLACK_STATE_SECRET", CHOSEN_SECRET_EXPECTED);
  const encryptionKey = requireVariable("ENCRYPTION_KEY", CHOSEN_SECRET_EXPECTED);
  if (clientSecret === null || stateSecret === null || encryptionKey === null) return null;
  return { kind: "many", clientId, clientSecret, stateSecret, encryptionKey };
}

/** Prefers Socket Mode if both are configured. */
function readTransport(env: Variables, problems: string[]): SlackTransport | null {
  const { SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret } = env;
  if (appToken !== undefined) return { kind: "socket", appToken };
  if (signingSecret !== undefined) return { kind: "http", signingSecret };
  const [configuredName] = (["SLACK_CLIENT_ID", "SLACK_BOT_TOKEN"] as const).filter((name) => env[name] !== undefined);
  if (configuredName !== undefined) {
    problems.push(
      `SLACK_APP_TOKEN: got nothing although ${configuredName} is set, expected the app's token for Socket Mode, or SLACK_SIGNING_SECRET for HTTP`,
    );
  }
  return null;
}

const SWAPPED = "SLACK_BOT_TOKEN and SLACK_APP_TOKEN are swapped: bot tokens begin with xoxb-";

/** Kinds of tokens by their form. A rotated token begins with xoxe. as well. */
const TOKEN_KINDS = [
  { kind: "bot", form: /^(?:xoxe\.)?xoxb-/, name: "a bot token (xoxb-)" },
  { kind: "user", form: /^(?:xoxe\.)?xoxp-/, name: "a user token (xoxp-)" },
  { kind: "refresh", form: /^xoxe-/, name: "a refresh token (xoxe-)" },
  { kind: "app", form: /^xapp-/, name: "an app-level token (xapp-)" },
] as const;

/** Kind of a Slack token by its form; undefined for any other text. */
export function tokenKind(text: string): (typeof TOKEN_KINDS)[number] | undefined {
  return TOKEN_KINDS.find(({ form }) => form.test(text));
}

/** A token that is set in the wrong variable. */
export interface TokenKindProblem {
  readonly text: string;
  /** True if the bot token is wrong, so that nothing can be sent. */
  readonly isBotToken: boolean;
}

/** Returns the problem if a token is set in the wrong variable, or null. Sends no request. */
export function tokenKindProblem({
  access,
  transport,
}: Pick<SlackApp, "access" | "transport">): TokenKindProblem | null {
  const botToken = access.kind === "one" ? tokenKind(access.botToken) : undefined;
  const appToken = transport.kind === "socket" ? tokenKind(transport.appToken) : undefined;
  if (botToken?.kind === "app" && appToken?.kind === "bot") return { text: SWAPPED, isBotToken: true };
  if (botToken !== undefined && botToken.kind !== "bot")
    return { text: `SLACK_BOT_TOKEN contains ${botToken.name}: bot tokens begin with xoxb-`, isBotToken: true };
  if (appToken !== undefined && appToken.kind !== "app")
    return { text: `SLACK_APP_TOKEN contains ${appToken.name}: app-level tokens begin with xapp-`, isBotToken: false };
  return null;
}
