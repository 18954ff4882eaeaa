import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aSplitRow } from "../../support/upstream.ts";
import { SlackBench } from "./bench.ts";
import { ACME, BRAVO } from "./rows.ts";
import { shownText } from "./users/message-text.ts";

let bench: SlackBench;

afterEach(() => bench.close());

const FIVE_MINUTES_MS = 5 * 60_000;

/** Body of a request that would set a rule. */
function aSubscription(): string {
  return new URLSearchParams({
    command: "/splits",
    text: "subscribe",
    channel_id: bench.slack.channel("general").id,
    user_id: bench.slack.user("ada").id,
    user_name: "ada",
    team_id: bench.slack.workspace.team.id,
    response_url: `${bench.slack.apiUrl.replace("/api/", "/response/")}none`,
    trigger_id: "forged.1",
  }).toString();
}

function rules(): Promise<string> {
  return bench.slack.user("ada").answerTo("subscriptions", { channel: "general", via: "http" });
}

describe("signed requests", () => {
  beforeEach(async () => {
    bench = await SlackBench.open({ via: "http", splits: [ACME, BRAVO] });
  });

  it.each([
    ["a wrong secret", { secret: "another" }, 0],
    ["an old timestamp", {}, -FIVE_MINUTES_MS - 5_000],
    ["a timestamp of tomorrow", {}, 24 * 60 * 60_000],
    ["a timestamp that is not a number", {}, Number.NaN],
  ])("with %s are refused without effect", async (_, wrong, awayMs) => {
    const at = bench.clock.now() + awayMs;
    const { status } = await bench.slack.sendSigned({ body: aSubscription(), at, ...wrong });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(await rules()).not.toMatch(/Rule 1/);
  });

  it("without a signature are refused in every encoding", async () => {
    for (const body of [aSubscription(), "{}", "", "payload=%7B%7D", "\u0000"]) {
      const response = await fetch(`${bench.address}/slack/events`, { method: "POST", body });
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.status).toBeLessThan(500);
    }
    expect(await rules()).not.toMatch(/Rule 1/);
  });

  it.each([
    ["a button", { type: "block_actions", actions: [{ action_id: "run", type: "button" }], container: {} }],
    ["a button without actions", { type: "block_actions", actions: [] }],
    ["a form", { type: "view_submission", view: { callback_id: "rule", state: { values: {} } } }],
    ["a list of options", { type: "block_suggestion", action_id: "home_setting", value: "x" }],
    ["nothing known", { type: "something_else" }],
  ])("of %s without a user are answered with 400, or with 404 if nothing handles them", async (_, payload) => {
    const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
    const { status } = await bench.slack.sendSigned({ body, at: bench.clock.now() });
    expect(status).toBe(payload.type === "something_else" ? 404 : 400);
    expect(await rules()).not.toMatch(/Rule 1/);
  });

  it("with an invented signature are refused", async () => {
    const body = aSubscription();
    const timestamp = String(Math.floor(bench.clock.now() / 1_000));
    const response = await fetch(`${bench.address}/slack/events`, {
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        "x-slack-request-timestamp": timestamp,
        "x-slack-signature": "v0=0000",
      },
      body,
    });
    expect(response.status).toBe(401);
    expect(await rules()).not.toMatch(/Rule 1/);
  });

  it("that are signed but meaningless do no harm", async () => {
    for (const body of ["payload=not-json", "payload=%7B%7D", "command=/other&text=x", "a=b", "[]"])
      expect((await bench.slack.sendSigned({ body })).status).toBeLessThan(500);
    for (const body of ["{}", "[]", "null", '"x"', "{", '{"type":"event_callback"}'])
      expect((await bench.slack.sendSigned({ body, contentType: "application/json" })).status).toBeLessThan(500);
    expect(await rules()).toMatch(/No rule|no rules/i);
  });

  it("for URL verification are answered with the challenge", async () => {
    const body = JSON.stringify({ type: "url_verification", token: "x", challenge: "3eZbrw1aB10F" });
    const { status, text } = await bench.slack.sendSigned({ body, contentType: "application/json" });
    expect(status).toBe(200);
    expect(text).toContain("3eZbrw1aB10F");
  });

  it("with a body of many megabytes are refused", async () => {
    const body = `text=${"x".repeat(12_000_000)}`;
    const outcome = await bench.slack.sendSigned({ body, secret: "another" }).then(
      ({ status }) => status,
      () => 413,
    );
    expect(outcome).toBeGreaterThanOrEqual(400);
    expect(await rules()).toMatch(/No rule|no rules/i);
  });
});

describe.each(["socket", "http"] as const)("a repeated request over %s", (via) => {
  beforeEach(async () => {
    bench = await SlackBench.open({ via, splits: [ACME, BRAVO] });
  });

  it("is acknowledged and has no second effect", async () => {
    const { slack } = bench;
    const ada = slack.user("ada");
    const where = { channel: "general", via };
    const { interaction } = await ada.slash("test", where);
    await bench.until("the test card is posted", () => slack.messages("general").length === 1);
    const seen = ada.visibleMessages("general").length;
    await ada.repeat(interaction, via);
    await ada.repeat({ ...interaction, envelopeId: "another-envelope" }, via);
    await ada.slash("help", where);
    await bench.allDelivered();
    expect(slack.messages("general")).toHaveLength(1);
    expect(ada.visibleMessages("general")).toHaveLength(seen + 1);
  });

  it("of a button press shares once", async () => {
    const { slack } = bench;
    const ada = slack.user("ada");
    const { messages } = await ada.slash("show ACME", { channel: "general", via });
    const [answer] = messages;
    if (!answer) throw new Error("there is no answer");
    const { interaction } = await ada.press(answer, "Share", via);
    await bench.until("it is shared", () => slack.messages("general").length > 0);
    await ada.repeat(interaction, via);
    await ada.slash("help", { channel: "general", via });
    expect(slack.messages("general")).toHaveLength(1);
  });

  it("runs again if it was typed again", async () => {
    const { slack } = bench;
    const ada = slack.user("ada");
    await ada.slash("subscribe tickers:ACME", { channel: "general", via });
    const { messages } = await ada.slash("subscribe tickers:BRVO", { channel: "general", via });
    expect(messages.map(shownText).join()).toMatch(/Rule 2 is set/);
    await bench.list(ACME, { ...BRAVO, ratio: "1:9" }, aSplitRow({ ticker: "ELSE" }));
    expect(slack.messages("general")).toHaveLength(1);
  });
});

describe("a command while Slack is slow or unavailable", () => {
  it("is acknowledged in time, and answered when Slack accepts the answer", async () => {
    bench = await SlackBench.open({ splits: [ACME] });
    const { slack } = bench;
    slack.faults.add({ effect: { kind: "latency", ms: 400 } });
    const { ackMs, messages } = await slack.user("ada").slash("subscribe", { channel: "general" });
    expect(ackMs).toBeLessThan(3_000);
    expect(messages.map(shownText).join()).toMatch(/Rule 1 is set/);
  });

  it("works after a requested reconnect and after a lost connection", async () => {
    bench = await SlackBench.open({ splits: [ACME] });
    const { slack } = bench;
    for (const disturb of [
      () => slack.socket.requestDisconnect("warning"),
      () => slack.socket.requestDisconnect("refresh_requested"),
      () => slack.socket.drop(),
    ]) {
      disturb();
      const { ackMs, messages } = await slack.user("ada").slash("show ACME", { channel: "general" });
      expect(ackMs).not.toBeNull();
      expect(messages.map(shownText).join()).toContain("ACME 1-for-20");
    }
  });
});
