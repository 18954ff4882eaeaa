import type { Environment, Variable } from "../../config/environment.ts";

/** A Slack app: whose tokens it has, and how what people ask for comes in. */
export interface SlackApp {
  readonly access: SlackAccess;
  readonly inlet: SlackInlet;
  /** A port of its own for Slack's requests; null: they come to the common one. */
  readonly port: number | null;
  /** Null: Slack's own. */
  readonly apiUrl: string | null;
}

export type SlackAccess = OneWorkspaceAccess | ManyWorkspacesAccess;

/** The bot's token of its one workspace. */
export interface OneWorkspaceAccess {
  readonly kind: "one";
  readonly botToken: string;
}

/** With what an app asks workspaces to take it in, and keeps what they give. */
export interface ManyWorkspacesAccess {
  readonly kind: "many";
  readonly clientId: string;
  readonly clientSecret: string;
  readonly stateSecret: string;
  readonly encryptionKey: string;
}

/** Socket Mode, or signed requests over HTTP. */
export type SlackInlet =
  | { readonly kind: "socket"; readonly appToken: string }
  | { readonly kind: "http"; readonly signingSecret: string };

const SHORTEST_KEY = 16;

/** What belongs to SLACK_CLIENT_ID alone. ENCRYPTION_KEY may stay where there is no app any more. */
const CLIENT_SECRETS = ["SLACK_CLIENT_SECRET", "SLACK_STATE_SECRET"] as const satisfies readonly Variable[];

/** Null: no Slack, or a set of variables that is not complete, each of whose gaps becomes a line of `problems`. */
export function readSlackApp(
  env: Environment,
  reached: { readonly port: number | undefined; readonly apiUrl: string | undefined },
  problems: string[],
): SlackApp | null {
  const access =
    env.SLACK_CLIENT_ID === undefined ? readOne(env, problems) : readMany(env.SLACK_CLIENT_ID, env, problems);
  const inlet = readInlet(env, problems);
  if (access === null || inlet === null) return null;
  return { access, inlet, port: reached.port ?? null, apiUrl: reached.apiUrl ?? null };
}

function readOne(env: Environment, problems: string[]): OneWorkspaceAccess | null {
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

function readMany(clientId: string, env: Environment, problems: string[]): ManyWorkspacesAccess | null {
  if (env.SLACK_BOT_TOKEN !== undefined) {
    problems.push(
      "SLACK_BOT_TOKEN: got a token although SLACK_CLIENT_ID is set too, expected one of the two: the one is for one workspace, the other for many",
    );
  }
  const needed = (name: Variable, expected: string): string | null => {
    const value = env[name] ?? null;
    if (value === null) problems.push(`${name}: got nothing although SLACK_CLIENT_ID is set, expected ${expected}`);
    return value;
  };
  const clientSecret = needed("SLACK_CLIENT_SECRET", "the app's client secret");
  const stateSecret = needed("SLACK_STATE_SECRET", "any long random text (openssl rand -base64 32)");
  const encryptionKey = needed("ENCRYPTION_KEY", KEY_EXPECTED);
  if (encryptionKey !== null && encryptionKey.length < SHORTEST_KEY) {
    problems.push(`ENCRYPTION_KEY: got ${encryptionKey.length} characters, expected ${KEY_EXPECTED}`);
  }
  if (clientSecret === null || stateSecret === null || encryptionKey === null) return null;
  return { kind: "many", clientId, clientSecret, stateSecret, encryptionKey };
}

const KEY_EXPECTED = `at least ${SHORTEST_KEY} characters (openssl rand -base64 32)`;

/** Socket Mode comes first where both are set. */
function readInlet(env: Environment, problems: string[]): SlackInlet | null {
  const { SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret } = env;
  if (appToken !== undefined) return { kind: "socket", appToken };
  if (signingSecret !== undefined) return { kind: "http", signingSecret };
  const [owner] = (["SLACK_CLIENT_ID", "SLACK_BOT_TOKEN"] as const).filter((name) => env[name] !== undefined);
  if (owner !== undefined) {
    problems.push(
      `SLACK_APP_TOKEN: got nothing although ${owner} is set, expected the app's token for Socket Mode, or SLACK_SIGNING_SECRET for HTTP`,
    );
  }
  return null;
}
