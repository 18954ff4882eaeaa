import type { FaultEffect } from "../platforms/slack/server/faults.ts";
import { OUTSIDE_MARKETPLACE, SLACK_LIMITS } from "../platforms/slack/server/limits.ts";
import { startSlack } from "../platforms/slack/server/server.ts";
import { partsOf } from "../platforms/slack/server/shapes.ts";
import type { SlackChannel } from "../platforms/slack/server/workspace.ts";
import { shownText } from "../platforms/slack/users/message-text.ts";
import {
  type Chat,
  type Command,
  DESTINATIONS,
  type DestinationName,
  isRefusal,
  type RefusalKind,
  type RequestFault,
  type StartChat,
} from "./chat.ts";
import type { ChatRequest } from "./requests.ts";

const CHANNELS = ["everything", "nasdaq"];
const PEOPLE = ["ada", "bird"];

function isPerson(name: DestinationName): boolean {
  return DESTINATIONS[name] === "person";
}

const REQUESTS: Readonly<Record<string, ChatRequest["request"]>> = {
  "chat.postMessage": "send",
  "conversations.history": "search",
  "conversations.replies": "search",
};

/** Outcomes of calls that may have taken effect. */
const UNANSWERED = /^(?:|reset|hang|5\d\d|stored, then .*)$/;

const REFUSED_CODE = "invalid_blocks";
const UNRECOGNIZED_CODE = "a_code_that_is_not_documented";

/** Share of the schedules with an app that is distributed outside the Marketplace. */
const OUTSIDE_SHARE = 0.4;

/** Slack with its limits, in the schedule's time. Commands come through Socket Mode. */
export const startSlackChat: StartChat = async ({ clock, random }) => {
  const slack = await startSlack({
    channels: CHANNELS,
    people: PEOPLE,
    limits: SLACK_LIMITS,
    ...(random.chance(OUTSIDE_SHARE) && { readLimit: OUTSIDE_MARKETPLACE }),
    now: () => clock.now(),
    random,
  });
  const channelOf = (name: DestinationName): SlackChannel =>
    isPerson(name) ? slack.workspace.directChannel(slack.user(name).id) : slack.channel(name);
  /** Ends of the faults that keep the app from writing to people. */
  const closed = new Map<DestinationName, () => void>();
  let endLatency: (() => void) | null = null;

  const chat: Chat = {
    host: "slack.test",
    env: { ...slack.env("socket"), SLACK_API_URL: slack.apiUrl.replace("127.0.0.1", "slack.test") },
    isConnected: () => slack.socket.connections > 0,
    received: (name) =>
      (isPerson(name) ? slack.directMessages(name) : slack.messages(name)).map((message) => ({
        at: Number(message.ts) * 1_000,
        text: shownText({ ...message, ...message.original }),
      })),
    requests(name) {
      const { id } = channelOf(name);
      return slack.calls
        .filter(({ method, args }) => REQUESTS[method] && slack.workspace.findChannel(String(args.channel))?.id === id)
        .map(({ method, at, args, outcome }) => ({
          request: REQUESTS[method] ?? "search",
          at,
          text: shownText(partsOf(args)),
          outcome: outcomeOf(outcome, REQUESTS[method]),
        }));
    },
    async command(name, command) {
      const user = slack.user(isPerson(name) ? name : "ada");
      const { ackMs, interaction } = await user.slash(lineOf(command), isPerson(name) ? {} : { channel: name });
      // Other messages may be late answers to commands before.
      const { posted } = interaction.url;
      return ackMs === null || posted.length === 0 ? null : posted.map(shownText).join("\n");
    },
    addFault(fault, { request, to, times }) {
      const method = request === "send" ? "chat.postMessage" : "conversations.history";
      slack.faults.add({ method, channel: channelOf(to).id, times, effect: effectOf(fault) });
    },
    refuse(name, ticker, { code, refusesText }) {
      return slack.faults.add({
        method: "chat.postMessage",
        channel: channelOf(name).id,
        contains: new RegExp(`\\b${ticker}\\b`),
        hasBlocks: !refusesText,
        effect: refusalOf(code),
      });
    },
    setLatency(ms) {
      endLatency?.();
      endLatency = ms === 0 ? null : slack.faults.add({ effect: { kind: "latency", ms } });
    },
    interrupt(chance) {
      const reasons = ["warning", "refresh_requested"] as const;
      if (chance.chance(0.5)) slack.socket.drop();
      else slack.socket.requestDisconnect(chance.pick(reasons));
    },
    setWritable(name, isWritable) {
      const channel = channelOf(name);
      if (!isPerson(name)) {
        channel.archived = !isWritable;
        return;
      }
      closed.get(name)?.();
      closed.delete(name);
      const effect = { kind: "error", code: "messages_tab_disabled" } as const;
      if (!isWritable) closed.set(name, slack.faults.add({ method: "chat.postMessage", channel: channel.id, effect }));
    },
    dropConnections: () => slack.dropConnections(),
    failedRequests: () => slack.calls.filter(({ outcome }) => outcome !== "ok").length,
    violations: () => slack.violations,
    stop: () => slack.stop(),
  };
  return chat;
};

/** `watch K1 K2`, `subscribe exchange:NASDAQ`. */
function lineOf({ name, options = {}, confirm }: Command): string {
  const given = Object.entries(options).map(([key, value]) => (key === "tickers" ? value : `${key}:${value}`));
  return [name, ...given, ...(confirm === undefined ? [] : ["confirm:yes"])].join(" ");
}

function refusalOf(kind: RefusalKind | "intercepted"): FaultEffect {
  if (kind === "intercepted") return { kind: "status", status: 403 };
  return { kind: "error", code: kind === "refused" ? REFUSED_CODE : UNRECOGNIZED_CODE };
}

function outcomeOf(outcome: string, request: ChatRequest["request"] | undefined): ChatRequest["outcome"] {
  if (outcome === "ok") return "ok";
  if (UNANSWERED.test(outcome)) return "unanswered";
  if (outcome === "403") return "intercepted";
  if (outcome === REFUSED_CODE || outcome === UNRECOGNIZED_CODE) return "refused";
  // A second channel with a limit blocks the workspace.
  return outcome === "invalid_auth" || (outcome === "429" && request === "send") ? "stopped" : "hindered";
}

function effectOf(fault: RequestFault): FaultEffect {
  if (isRefusal(fault)) return refusalOf(fault.kind);
  switch (fault.kind) {
    case "reset":
    case "hang":
      return { kind: fault.kind };
    case "503":
      return { kind: "status", status: 503 };
    case "unauthorized":
      return { kind: "error", code: "invalid_auth" };
    case "stored-reset":
      return { kind: "stored-then", end: "reset" };
    case "stored-hang":
      return { kind: "stored-then", end: "hang" };
    case "stored-500":
      return { kind: "stored-then", end: "500" };
    case "stored-late":
      return { kind: "stored-later", ms: fault.ms };
    case "limited":
    case "limited-globally":
      return { kind: "rate-limited", retryAfter: fault.seconds };
  }
}
