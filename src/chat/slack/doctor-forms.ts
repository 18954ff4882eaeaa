import { type CheckResult, fail, warn } from "../../lib/check-result.ts";
import { isLoopback } from "../../lib/loopback.ts";
import { receivesRequests, type SlackApp, tokenKind } from "./settings.ts";

interface Credential {
  readonly variable: string;
  readonly value: string;
  readonly form: RegExp;
  readonly expected: string;
}

const HEX_FORM = /^[0-9a-f]{32}$/;
const PLACE = "copy it from Basic Information, App Credentials";

/** Checks credentials that no request can verify by the form in which Slack issues them. Results name no value. */
export function checkCredentialForms({ access, transport }: SlackApp): readonly CheckResult[] {
  const credentials: readonly Credential[] = [
    ...(transport.kind === "http" ? [hexSecret("SLACK_SIGNING_SECRET", transport.signingSecret)] : []),
    ...(access.kind === "many"
      ? [
          {
            variable: "SLACK_CLIENT_ID",
            value: access.clientId,
            form: /^\d+\.\d+$/,
            expected: "two numbers with a dot between them",
          },
          hexSecret("SLACK_CLIENT_SECRET", access.clientSecret),
        ]
      : []),
  ];
  return credentials
    .filter(({ value, form }) => !form.test(value))
    .map(({ variable, value, expected }) =>
      fail(`${variable}: got ${describeValue(value)}, expected ${expected}; ${PLACE}`),
    );
}

function hexSecret(variable: string, value: string): Credential {
  return { variable, value, form: HEX_FORM, expected: "32 hexadecimal digits" };
}

function describeValue(value: string): string {
  return tokenKind(value)?.name ?? (HEX_FORM.test(value) ? "a secret" : `${value.length} other characters`);
}

/** Checks whether Slack, or browsers that it redirects, can reach PUBLIC_URL. */
export function checkPublicUrl(app: SlackApp, publicUrl: string | null): readonly CheckResult[] {
  if (publicUrl === null || !receivesRequests(app)) return [];
  const { protocol, hostname } = new URL(publicUrl);
  const isLocal = isLoopback(hostname);
  if (!isLocal && protocol === "https:") return [];
  const got = `PUBLIC_URL: got ${publicUrl}${isLocal ? ", which only this machine can reach" : ""}`;
  return app.access.kind === "many"
    ? [
        fail(
          `${got}, expected a public https address: Slack redirects the browsers of people who install the app there`,
        ),
      ]
    : [warn(`${got}, expected a public https address if it is the one to which Slack sends commands`)];
}
