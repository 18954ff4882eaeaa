import type { Slack } from "../server/server.ts";
import type { SlackTeam } from "../server/team.ts";

/** What the app answered to a browser. */
export interface Page {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

/** Somebody's browser, on the way through an installation. */
export interface Browser {
  /** Follows the link to the app; gives where it was sent. */
  begin(): Promise<URL>;
  /** Opens a page of the app, with the cookies that it set. */
  open(path: string): Promise<Page>;
  /** Slack sends it back with what stands in `query`. */
  sentBack(query: Readonly<Record<string, string>>): Promise<Page>;
  /** Somebody presses "Allow" on the page that `begin` led to. */
  allow(asked: URL, team: SlackTeam): Promise<Page>;
  /** All of it. */
  install(team: SlackTeam): Promise<Page>;
  /** What must never be written anywhere: states and codes that it carried. */
  readonly carried: readonly string[];
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
    carried,
    async begin() {
      const { status, headers } = await get("/slack/install");
      if (status !== 302) throw new Error(`/slack/install was answered with status ${status}`);
      const asked = new URL(headers.get("location") ?? "");
      carried.push(asked.searchParams.get("state") ?? "no state");
      return asked;
    },
    open: get,
    sentBack: (query) => get(`/slack/oauth_redirect?${new URLSearchParams(query).toString()}`),
    allow(asked, team) {
      const { searchParams } = asked;
      const code = app.slack.oauth.grant(team, {
        redirectUri: searchParams.get("redirect_uri"),
        scope: searchParams.get("scope") ?? "",
      });
      carried.push(code);
      return browser.sentBack({ code, state: searchParams.get("state") ?? "" });
    },
    install: async (team) => browser.allow(await browser.begin(), team),
  };
  return browser;
}
