import type { Page } from "./html.ts";

/** What whoever installs splitwatch is shown. `beginAgain`: the address where an installation begins. */

export function redirectPage(address: string): Page {
  return {
    status: 302,
    title: "Add splitwatch to a Slack workspace",
    lines: ["Slack asks which workspace, and what splitwatch may do there."],
    link: { text: "Go on to Slack", address },
  };
}

export function invalidStatePage(beginAgain: string): Page {
  return {
    status: 400,
    title: "This cannot be gone on with",
    lines: [
      "It was not begun in this browser, was begun more than ten minutes ago, or is over already. Nothing was installed by it.",
    ],
    link: again(beginAgain),
  };
}

export function deniedPage(beginAgain: string): Page {
  return {
    status: 403,
    title: NOT_INSTALLED,
    lines: [
      "You did not allow it, and nothing has changed. Should somebody else decide: they can begin with the link below.",
    ],
    link: again(beginAgain),
  };
}

export function missingCodePage(beginAgain: string): Page {
  return { status: 400, title: NOT_INSTALLED, lines: ["Slack gave no code."], link: again(beginAgain) };
}

export function rejectedCodePage(reason: string, beginAgain: string): Page {
  return {
    status: 400,
    title: NOT_INSTALLED,
    lines: [`Slack did not accept the code that it had given (${reason}).`],
    link: again(beginAgain),
  };
}

export function unreachablePage(beginAgain: string): Page {
  return { status: 502, title: NOT_INSTALLED, lines: ["Slack cannot be reached just now."], link: again(beginAgain) };
}

export function orgWidePage(beginAgain: string): Page {
  return {
    status: 400,
    title: NOT_INSTALLED,
    lines: [
      "It was to be installed for a whole organization, which splitwatch cannot do.",
      "Choose one workspace; each of several can install it by itself.",
    ],
    link: again(beginAgain),
  };
}

export function missingBotPage(beginAgain: string): Page {
  return {
    status: 400,
    title: NOT_INSTALLED,
    lines: ["Slack gave no token for the bot: the app needs a bot user, and its scopes have to be asked for."],
    link: again(beginAgain),
  };
}

/** `workspace`: its name; empty where Slack does not say. */
export function installedPage(workspace: string): Page {
  return {
    status: 200,
    title: `splitwatch is in ${workspace === "" ? "your workspace" : workspace}`,
    lines: [
      "In a channel type /splits subscribe to hear of reverse splits there. Public channels are joined by themselves; in a private one type /invite @splitwatch first.",
      "For yourself type /splits watch and tickers. /splits help shows the rest.",
      "This page can be closed.",
    ],
  };
}

export const FAILED_PAGE: Page = {
  status: 500,
  title: "splitwatch could not be installed",
  lines: ["Something is wrong on splitwatch's side. Whoever runs it finds the reason in its log."],
};

const NOT_INSTALLED = "splitwatch was not installed";

function again(address: string): Page["link"] & object {
  return { text: "Begin again", address };
}
