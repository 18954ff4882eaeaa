import type { Slack } from "../server/server.ts";
import type { SlackTeam } from "../server/team.ts";

/** Response of the app to a browser. */
export interface Page {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

/** Browser of a user who installs the app. */
export interface Browser {
  /** Opens the install page; returns the URL of its redirect to Slack. */
  startInstall(): Promise<URL>;
  /** Opens a page of the app with its cookies. */
  open(path: string): Promise<Page>;
  /** Opens the redirect URI with this query, as Slack's redirect does. */
  redirectBack(query: Readonly<Record<string, string>>): Promise<Page>;
  /** Allows the installation on Slack's page and follows the redirect. */
  allow(asked: URL, team: SlackTeam): Promise<Page>;
  /** Installs the app from start to end. */
  install(team: SlackTeam): Promise<Page>;
  /** States and codes of all installations, which must not be stored or logged. */
  readonly secrets: readonly string[];
}

export function openBrowser(app: { readonly address: string; readonly slack: Slack }): Browser {
  const cookies = new Map<string, string>();
  const carried: string[] = [];

  async function get(path: string): Promise<Page> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(`${app.address}${path}`, {
      redirect: "manual",
      headers: cookie === "" ? {} : { cookie },
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    return { status: response.status, text: await response.text(), headers: response.headers };
  }

  const browser: Browser = {
    secrets: carried,
    async startInstall() {
      const { status, headers } = await get("/slack/install");
      if (status !== 302) throw new Error(`install page failed: status ${status}`);
      const asked = new URL(headers.get("location") ?? "");
      carried.push(asked.searchParams.get("state") ?? "no state");
      return asked;
    },
    open: get,
    redirectBack: (query) => get(`/slack/oauth_redirect?${new URLSearchParams(query).toString()}`),
    allow(asked, team) {
      const { searchParams } = asked;
      const code = app.slack.oauth.grant(team, {
        redirectUri: searchParams.get("redirect_uri"),
        scope: searchParams.get("scope") ?? "",
      });
      carried.push(code);
      return browser.redirectBack({ code, state: searchParams.get("state") ?? "" });
    },
    install: async (team) => browser.allow(await browser.startInstall(), team),
  };
  return browser;
}
