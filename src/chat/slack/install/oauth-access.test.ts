import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../../test/support/manual-clock.ts";
import type { WebApi } from "../web-api.ts";
import { createOAuthAccess, type OAuthGrant } from "./oauth-access.ts";

const HOUR_MS = 60 * 60_000;
const ANSWER = { access_token: "xoxb-1", token_type: "bot", team: { id: "T1", name: "One" } };

/** Redeems a code that Slack answers with `answer`; returns the grant and the request. */
async function redeem(
  answer: object,
  redirectUri: string | null = null,
): Promise<{ grant: OAuthGrant; request: unknown; redeemedAt: number }> {
  const clock = new ManualClock();
  let request: unknown;
  const api: WebApi = {
    async call(method, args, shape) {
      request = { method, ...args };
      return shape.parse(answer);
    },
  };
  const access = createOAuthAccess({ client: { clientId: "1.2", clientSecret: "s" }, redirectUri, api, clock });
  return { grant: await access.redeem("a-code"), request, redeemedAt: clock.now() };
}

describe("the grant for an authorization code", () => {
  it("is requested with the app's credentials and the original redirect URI", async () => {
    const plain = { method: "oauth.v2.access", client_id: "1.2", client_secret: "s", code: "a-code" };
    expect((await redeem(ANSWER)).request).toEqual(plain);
    const redirectUri = "https://x.example/slack/oauth_redirect";
    expect((await redeem(ANSWER, redirectUri)).request).toEqual({ ...plain, redirect_uri: redirectUri });
  });

  it("has no expiry without token rotation", async () => {
    expect((await redeem(ANSWER)).grant).toEqual({
      botToken: "xoxb-1",
      rotation: null,
      team: { id: "T1", name: "One" },
      isOrgWide: false,
    });
  });

  it("is renewed two hours before it expires with token rotation", async () => {
    const { grant, redeemedAt } = await redeem({ ...ANSWER, refresh_token: "xoxe-1", expires_in: 43_200 });
    expect(grant.rotation).toMatchObject({ refreshToken: "xoxe-1", renewAt: redeemedAt + 10 * HOUR_MS });
    expect(grant.rotation?.endsAt).toBeGreaterThan(redeemedAt + 11.9 * HOUR_MS);
    expect(grant.rotation?.endsAt).toBeLessThan(redeemedAt + 12 * HOUR_MS - 60_000);
  });

  it.each<[string, object]>([
    ["only a person's token", { access_token: "xoxp-1", token_type: "user", team: null }],
    ["no token", { team: { id: "T1" } }],
  ])("has no bot token for %s", async (_, answer) => {
    expect((await redeem(answer)).grant.botToken).toBeNull();
  });
});
