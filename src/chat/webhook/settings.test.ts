import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type Config, ConfigError, readConfig } from "../../config/index.ts";
import { DEFAULT_FILTER } from "../../domain/settings/rule.ts";
import { createRedactor } from "../../lib/redact.ts";
import { webhook } from "./index.ts";
import type { WebhookSettings } from "./settings.ts";

const folder = mkdtempSync(join(tmpdir(), "splitwatch-webhook-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SECRET = `whsec_${Buffer.alloc(32, "k").toString("base64")}`;
const OTHER_SECRET = `whsec_${Buffer.alloc(24, "o").toString("base64")}`;
const CRM = "webhook: { endpoints: { crm: { url: https://crm.example.com/alerts } } }";

function read(yaml: string, secrets?: string): Config {
  writeFileSync(join(folder, "my.yaml"), yaml);
  const env = { SPLITWATCH_CONFIG: "my.yaml", ...(secrets !== undefined && { WEBHOOK_SECRETS: secrets }) };
  return readConfig({ env, folder, isTerminal: false });
}

function settingsOf(yaml: string, secrets?: string): WebhookSettings | undefined {
  const configured = read(yaml, secrets).platforms.find(({ definition }) => definition.name === "webhook");
  return configured?.settings as WebhookSettings | undefined;
}

function problemsOf(yaml: string, secrets?: string): readonly string[] {
  try {
    read(yaml, secrets);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

function endpoint(fields: string): string {
  return `webhook: { endpoints: { crm: { ${fields} } } }`;
}

describe("the settings of webhooks", () => {
  it("configure nothing without endpoints", () => {
    expect(settingsOf("")).toBeUndefined();
    expect(settingsOf("webhook: { messagesPerMinute: 5 }")).toBeUndefined();
  });

  it("give an endpoint its address, its keys and the default rule", () => {
    const settings = settingsOf(CRM, `crm=${SECRET}\ncrm=${OTHER_SECRET}\n`);
    expect(settings).toEqual({
      endpoints: [
        {
          name: "crm",
          url: new URL("https://crm.example.com/alerts"),
          rules: [DEFAULT_FILTER],
          keys: [Buffer.alloc(32, "k"), Buffer.alloc(24, "o")],
        },
      ],
      messagesPerMinute: 60,
    });
  });

  it("contain rules with the fields of an exported rule", () => {
    const yaml = `webhook: { endpoints: { crm: { url: https://a.example, rules: [ { exchanges: [nyse], minRatio: 20 }, { tickers: [acme], events: [changed] } ] } } }`;
    const settings = settingsOf(yaml, `crm=${SECRET}`);
    expect(settings?.endpoints[0]?.rules).toEqual([
      { ...DEFAULT_FILTER, exchanges: ["NYSE"], minRatio: 20 },
      { ...DEFAULT_FILTER, tickers: ["ACME"], events: ["changed"] },
    ]);
    expect(settings && webhook.rules?.(settings)).toMatchObject([
      { number: 1, destination: { platform: "webhook", kind: "channel", id: "crm" }, minRatio: 20 },
      { number: 2, destination: { platform: "webhook", kind: "channel", id: "crm" }, tickers: ["ACME"] },
    ]);
  });

  it("contain rules with tickers in any spelling", () => {
    const tickers = "tickers: [harl-a, BFX/B, 'TSX:OAKR', mapl.v], excludeTickers: ['NYSE:HARL.B']";
    const settings = settingsOf(
      `webhook: { endpoints: { crm: { url: https://a.example, rules: [ { ${tickers} } ] } } }`,
      `crm=${SECRET}`,
    );
    expect(settings?.endpoints[0]?.rules).toMatchObject([
      { tickers: ["HARL.A", "BFX.B", "OAKR.TO", "MAPL.V"], excludeTickers: ["HARL.B"] },
    ]);
  });

  it("have keys that every output masks, also one by one", () => {
    const { secrets, credentialPatterns } = read(CRM, `crm=${SECRET}`);
    expect(createRedactor(secrets, credentialPatterns)(`a ${SECRET} b crm=${SECRET}`)).not.toContain(SECRET);
  });

  const keys = `crm=${SECRET}`;

  it.each([
    ["no key", CRM, undefined, /^WEBHOOK_SECRETS: got no key for crm, expected crm=whsec_KEY$/],
    [
      "a key of another name",
      CRM,
      `${keys} crn=${SECRET}`,
      /^WEBHOOK_SECRETS: got a key for crn, expected a name in webhook\.endpoints \(crm\)$/,
    ],
    ["a key without a name", CRM, SECRET, /^WEBHOOK_SECRETS: got an invalid value, expected pairs NAME=whsec_KEY/],
    ["a key in base64url", CRM, `crm=whsec_${"_-".repeat(16)}`, /^WEBHOOK_SECRETS: got an invalid value/],
    [
      "a key with an underscore",
      CRM,
      `crm=${SECRET.replace("a2tr", "a_tr")}`,
      /^WEBHOOK_SECRETS: got an invalid value/,
    ],
    ["a key without padding", CRM, `crm=${SECRET.replace("=", "")}`, /^WEBHOOK_SECRETS: got an invalid value/],
    ["a short key", CRM, "crm=whsec_c2hvcnQ=", /^WEBHOOK_SECRETS: got an invalid value/],
    ["a key of another kind", CRM, `crm=${"k".repeat(40)}`, /^WEBHOOK_SECRETS: got an invalid value/],
    ["no address", endpoint("rules: [{}]"), keys, /^webhook\.endpoints\.crm\.url: got nothing, expected an address/],
    ["another protocol", endpoint("url: ftp://a.example"), keys, /^webhook\.endpoints\.crm\.url: got "ftp/],
    [
      "a password",
      endpoint("url: https://u:p@a.example"),
      keys,
      /^webhook\.endpoints\.crm\.url: got "https:\/\/\*\*\*@a/,
    ],
    [
      "http",
      endpoint("url: http://a.example"),
      keys,
      /^webhook\.endpoints\.crm\.url: .*expected an https address; set allowHttp: true/,
    ],
    [
      "a name with capitals",
      "webhook: { endpoints: { CRM: { url: https://a.example } } }",
      keys,
      /"CRM" isn't such a name/,
    ],
    ["an unknown key", endpoint("url: https://a.example, to: x"), keys, /^webhook\.endpoints\.crm\.to: unknown key/],
    [
      "an unknown rule field",
      endpoint("url: https://a.example, rules: [{ exchange: NYSE }]"),
      keys,
      /^webhook\.endpoints\.crm\.rules\.0\.exchange: unknown key/,
    ],
    [
      "an unknown exchange",
      endpoint("url: https://a.example, rules: [{ exchanges: [NASDQ] }]"),
      keys,
      /^webhook\.endpoints\.crm\.rules\.0\.exchanges: got \["NASDQ"\], expected an exchange such as NASDAQ/,
    ],
    [
      "rules that aren't a list",
      endpoint("url: https://a.example, rules: all"),
      keys,
      /^webhook\.endpoints\.crm\.rules: got "all", expected a list of 1 to 25 rules/,
    ],
    [
      "a rule that matches nothing",
      endpoint("url: https://a.example, rules: [{ events: [] }]"),
      keys,
      /^webhook\.endpoints\.crm\.rules\.0: got .*, expected at least one event/,
    ],
  ] as const)("reject %s", (_, yaml, secrets, expected) => {
    const problems = problemsOf(yaml, secrets);
    expect(problems).toContainEqual(expect.stringMatching(expected));
    expect(problems.join("\n")).not.toContain(SECRET);
  });

  it.each(["http://127.0.0.1:3000/x", "http://localhost/x", "http://[::1]:1/x"])("accept %s", (url) => {
    expect(settingsOf(endpoint(`url: "${url}"`), keys)?.endpoints[0]?.url.href).toBe(url);
  });

  it("accept http to another machine if it is allowed", () => {
    const yaml = endpoint("url: http://receiver:3000/x, allowHttp: true");
    expect(settingsOf(yaml, keys)?.endpoints[0]?.url.host).toBe("receiver:3000");
  });
});
