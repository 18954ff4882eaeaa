import { escapeMarkup } from "../../../lib/markup.ts";

/** A page without external resources, shown during an installation. */
export interface InstallPage {
  readonly status: number;
  readonly title: string;
  readonly lines: readonly string[];
  readonly link?: { readonly text: string; readonly url: string };
}

export function redirectPage(url: string): InstallPage {
  return {
    status: 302,
    title: "Add splitwatch to a Slack workspace",
    lines: ["On the next page, Slack asks for the workspace and lists the permissions."],
    link: { text: "Continue to Slack", url },
  };
}

export const FAILED_PAGE: InstallPage = {
  status: 500,
  title: "splitwatch could not be installed",
  lines: ["Something went wrong in splitwatch. Its operator can find the reason in the log."],
};

/** `workspace`: name of the workspace; "" if Slack does not report it. */
export function installedPage(workspace: string): InstallPage {
  return {
    status: 200,
    title: `splitwatch is installed in ${workspace === "" ? "your workspace" : workspace}`,
    lines: [
      "To get alerts in a channel, type /splits subscribe there. splitwatch joins public channels; in a private channel, type /invite @splitwatch first.",
      "To get alerts yourself, type /splits watch and tickers. /splits help lists all commands.",
      "You can close this page.",
    ],
  };
}

/** Pages for installations that did not succeed. `startUrl`: URL of the install page. */
export const refusalPages = {
  invalidState: (startUrl: string) =>
    notInstalled(400, startUrl, [
      "This installation was started in another browser, was started more than ten minutes ago, or is already complete.",
    ]),
  denied: (startUrl: string) =>
    notInstalled(403, startUrl, [
      "You didn't allow the installation, so nothing has changed. To ask someone else to decide, send them the link below.",
    ]),
  missingCode: (startUrl: string) => notInstalled(400, startUrl, ["Slack sent no authorization code."]),
  rejectedCode: (startUrl: string, reason: string) =>
    notInstalled(400, startUrl, [`Slack rejected the authorization code (${reason}).`]),
  unreachable: (startUrl: string) => notInstalled(502, startUrl, ["Slack can't be reached right now."]),
  orgWide: (startUrl: string) =>
    notInstalled(400, startUrl, [
      "Organization-wide installation isn't supported.",
      "Select one workspace. You can install splitwatch in each workspace separately.",
    ]),
  missingBot: (startUrl: string) =>
    notInstalled(400, startUrl, ["Slack sent no bot token. The app needs a bot user and bot scopes."]),
} as const;

function notInstalled(status: number, startUrl: string, lines: readonly string[]): InstallPage {
  return { status, title: "splitwatch was not installed", lines, link: { text: "Start again", url: startUrl } };
}

export function pageResponse(page: InstallPage, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(toHtml(page), {
    status: page.status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-robots-tag": "noindex",
      ...headers,
    },
  });
}

function toHtml({ title, lines, link }: InstallPage): string {
  const paragraphs = lines.map((line) => `<p>${escapeMarkup(line)}</p>`);
  const linkParagraphs =
    link === undefined ? [] : [`<p><a href="${escapeMarkup(link.url)}">${escapeMarkup(link.text)}</a></p>`];
  return [
    "<!doctype html>",
    '<html lang="en">',
    '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<title>${escapeMarkup(title)}</title></head>`,
    "<body>",
    `<h1>${escapeMarkup(title)}</h1>`,
    ...paragraphs,
    ...linkParagraphs,
    "</body>",
    "</html>",
    "",
  ].join("\n");
}
