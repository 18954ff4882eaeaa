import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Slack, startSlack } from "../../../test/platforms/slack/server/server.ts";
import type { SlackTeam } from "../../../test/platforms/slack/server/team.ts";
import { silentLog } from "../../../test/support/silent-log.ts";
import type { Installation } from "../../ports/state-records.ts";
import { runSlackChecks } from "./doctor.ts";
import { createVault } from "./install/vault.ts";
import { channelDestination } from "./workspace.ts";

const KEY = "an encryption key of 32 characters";
const vault = createVault(KEY);

let slack: Slack;
let a: SlackTeam;
let b: SlackTeam;

beforeEach(async () => {
  slack = await startSlack({ channels: ["general"] });
  a = slack;
  b = slack.addTeam();
});

afterEach(() => slack.stop());

/** The team as it is stored, with a token that Slack takes now. */
async function installed(team: SlackTeam): Promise<Installation> {
  const code = slack.oauth.grant(team, { redirectUri: null, scope: [...team.scopes].join(",") });
  const { clientId, clientSecret } = slack.oauth;
  const given = slack.oauth.access({ client_id: clientId, client_secret: clientSecret, code }, "");
  const credentials = { botToken: String(given.access_token), rotation: null, botName: "splitwatch", url: null };
  return stored(team, vault.seal(team.workspace.team.id, credentials));
}

function stored({ workspace }: SlackTeam, credentials: string | null): Installation {
  return { platform: "slack", workspaceId: workspace.team.id, credentials, since: 0 };
}

async function examined(installations: readonly Installation[], encryptionKey = KEY): Promise<readonly string[]> {
  const observations = await runSlackChecks({
    app: {
      access: { kind: "many", clientId: "1.2", clientSecret: "s", stateSecret: "t", encryptionKey },
      inlet: { kind: "http", signingSecret: "g" },
      port: null,
      apiUrl: slack.apiUrl,
    },
    restrictSubscribe: false,
    channels: [a, b].map((team) => channelDestination(team.workspace.team.id, team.channel("general").id)),
    installations,
    publicUrl: "https://splitwatch.example.com",
    log: silentLog,
  });
  return observations.map(({ status, text }) => `${status === "fail" ? "FAIL" : "ok"} ${text}`);
}

describe("what doctor finds of many workspaces", () => {
  it("is well where all is well, each under its own token", async () => {
    expect(await examined([await installed(a), await installed(b)])).toEqual([
      "ok 2 workspaces have installed splitwatch, 0 have removed it; it is installed at https://splitwatch.example.com/slack/install",
      "ok commands come as signed requests to /slack/events on PORT",
      ...[a, b].flatMap((team) => {
        const { id, name } = team.workspace.team;
        return [
          `ok workspace ${id}: the token is that of the bot splitwatch in the workspace ${name}`,
          `ok workspace ${id}: the token has every scope that is used`,
          `ok workspace ${id}: channel ${team.channel("general").id}: alerts can be posted`,
        ];
      }),
    ]);
    expect(slack.violations).toEqual([]);
  });

  it("is told for the workspace that it is about", async () => {
    const both = [await installed(a), await installed(b)];
    slack.oauth.revoke(b, "token_revoked");
    const lines = (await examined(both)).filter((line) => line.startsWith("FAIL"));
    expect(lines).toEqual([
      `FAIL workspace ${b.workspace.team.id}: its token does not work (token_revoked); install splitwatch there again`,
    ]);
  });

  it("counts those that have left, and fails for none of their channels", async () => {
    const lines = await examined([await installed(a), stored(b, null)]);
    expect(lines[0]).toMatch(/^ok 1 workspaces have installed splitwatch, 1 have removed it/);
    expect(lines.filter((line) => !line.startsWith("ok"))).toEqual([]);
  });

  it("names an ENCRYPTION_KEY that is not the one", async () => {
    const lines = await examined([await installed(a)], "another key, that is long enough too");
    expect(lines).toContainEqual(expect.stringMatching(/^FAIL workspace T0SPLITS: ENCRYPTION_KEY does not open/));
  });

  it("renews no token that has ended", async () => {
    const one = await installed(a);
    slack.faults.add({ method: "auth.test", does: { kind: "error", code: "token_expired" } });
    expect(await examined([one])).toContainEqual(expect.stringMatching(/^ok workspace T0SPLITS: its token has ended/));
    expect(slack.calls.filter(({ method }) => method === "oauth.v2.access")).toEqual([]);
  });
});
