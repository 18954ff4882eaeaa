import { z } from "zod";
import type { EnvironmentReader } from "../../config/environment.ts";
import { boolean, invalid, type SettingResult, settingOf, wholeNumber } from "../../config/value-schemas.ts";
import type { VariableDefinition } from "../../config/variables.ts";
import type { Destination } from "../../domain/alert/destination.ts";
import type { RuleFilter } from "../../domain/settings/rule.ts";
import { isLoopback } from "../../lib/loopback.ts";
import { configuredRules } from "../configured-rules.ts";

export const PLATFORM = "webhook";

const NAME = /^[a-z0-9][a-z0-9-]{0,31}$/;
const NAME_EXPECTED = "names of 1 to 32 lower-case letters, digits and hyphens";
const MAX_ENDPOINTS = 100;

/** Sizes of a key in bytes that the Standard Webhooks specification allows. */
const MIN_KEY_BYTES = 24;
const MAX_KEY_BYTES = 64;

const SECRET_PREFIX = "whsec_";
const SECRETS_EXPECTED = `pairs NAME=${SECRET_PREFIX}KEY, separated by spaces or line ends, each with a key of ${MIN_KEY_BYTES} to ${MAX_KEY_BYTES} bytes in base64`;

export const WEBHOOK_VARIABLES: readonly VariableDefinition[] = [
  {
    name: "WEBHOOK_SECRETS",
    isSecret: true,
    secretParts: (value) => pairsIn(value).map(([, secret]) => secret),
    comment:
      "Signing keys of the webhooks in webhook.endpoints, as NAME=whsec_KEY, separated by spaces. A key is 24 to 64 random bytes in base64 (openssl rand -base64 32). With two keys of one name, messages are signed with both. Secret.",
  },
];

const endpointSection = z
  .strictObject({
    url: settingOf(
      "an address such as https://crm.example.com/alerts, without user name and fragment",
      readUrl,
    ).prefault(""),
    /** Permits an http address of another machine. */
    allowHttp: boolean().prefault(false),
    rules: configuredRules(),
  })
  .check(({ value, issues }) => {
    if (value.allowHttp || value.url.protocol === "https:" || isLoopback(value.url.hostname)) return;
    const message = "an https address; set allowHttp: true to send alerts unencrypted to another machine";
    issues.push({ code: "custom", message, input: value.url.origin, path: ["url"] });
  });

export const webhookSection = z
  .strictObject({
    endpoints: settingOf<Record<string, unknown>>(`sections with ${NAME_EXPECTED}, at most ${MAX_ENDPOINTS}`, readNames)
      .pipe(z.record(z.string(), endpointSection))
      .prefault({})
      .describe(
        "Receivers by name. Each has a url and rules, with the fields of an exported rule; without rules, the default rule. Its key is in WEBHOOK_SECRETS. An http address of another machine needs allowHttp: true.",
      ),
    messagesPerMinute: wholeNumber(1, 10_000)
      .prefault(60)
      .describe("Maximum number of messages per minute and receiver."),
  })
  .readonly()
  .describe("Signed messages to other programs: see src/chat/webhook/README.md.");

export type WebhookSection = z.infer<typeof webhookSection>;

/** A configured receiver of alerts. */
export interface Endpoint {
  readonly name: string;
  readonly url: URL;
  readonly rules: readonly RuleFilter[];
  /** Signing keys, at least one. */
  readonly keys: readonly Buffer[];
}

export interface WebhookSettings {
  readonly endpoints: readonly Endpoint[];
  /** Maximum number of messages per minute and endpoint. */
  readonly messagesPerMinute: number;
}

export function destinationOf(name: string): Destination {
  return { platform: PLATFORM, kind: "channel", id: name };
}

/** Returns null without endpoints. Adds a problem for each endpoint without a key and each key without an endpoint. */
export function readWebhookSettings(
  { variables, problems, read }: EnvironmentReader,
  { endpoints, messagesPerMinute }: WebhookSection,
): WebhookSettings | null {
  // Undefined if the variable is invalid, which is a problem already.
  const keys =
    variables.WEBHOOK_SECRETS === undefined
      ? new Map<string, readonly Buffer[]>()
      : read("WEBHOOK_SECRETS", SECRETS_EXPECTED, readKeys);
  const names = Object.keys(endpoints);
  if (names.length === 0) return null;
  for (const name of names.filter((one) => keys?.has(one) === false))
    problems.push(`WEBHOOK_SECRETS: got no key for ${name}, expected ${name}=${SECRET_PREFIX}KEY`);
  for (const name of [...(keys?.keys() ?? [])].filter((one) => !names.includes(one)))
    problems.push(`WEBHOOK_SECRETS: got a key for ${name}, expected a name in webhook.endpoints (${names.join(", ")})`);
  const withKeys = Object.entries(endpoints).map(([name, { url, rules }]) => {
    return { name, url, rules, keys: keys?.get(name) ?? [] };
  });
  return { endpoints: withKeys, messagesPerMinute };
}

function readKeys(text: string): SettingResult<ReadonlyMap<string, readonly Buffer[]>> {
  const keys = new Map<string, Buffer[]>();
  for (const [name, secret] of pairsIn(text)) {
    const encoded = secret.slice(SECRET_PREFIX.length);
    const key = Buffer.from(encoded, "base64");
    const isKey = secret.startsWith(SECRET_PREFIX) && key.length >= MIN_KEY_BYTES && key.length <= MAX_KEY_BYTES;
    // Receivers would decode other forms, such as base64url or without padding, to another key or not at all.
    if (!NAME.test(name) || !isKey || key.toString("base64") !== encoded) return invalid();
    keys.set(name, [...(keys.get(name) ?? []), key]);
  }
  return { value: keys };
}

function pairsIn(text: string): readonly (readonly [name: string, secret: string])[] {
  const pairs = text.split(/\s+/).filter((pair) => pair !== "");
  return pairs.map((pair) => [pair.slice(0, Math.max(0, pair.indexOf("="))), pair.slice(pair.indexOf("=") + 1)]);
}

function readNames(value: unknown): SettingResult<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return invalid();
  const names = Object.keys(value);
  const wrong = names.find((name) => !NAME.test(name));
  if (wrong !== undefined) return invalid(`${JSON.stringify(wrong.slice(0, 80))} isn't such a name`);
  return names.length > MAX_ENDPOINTS ? invalid() : { value: { ...value } };
}

function readUrl(value: unknown): SettingResult<URL> {
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return invalid();
  return url.username + url.password + url.hash === "" ? { value: url } : invalid();
}
