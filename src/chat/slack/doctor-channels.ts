import { z } from "zod";
import type { Destination } from "../../domain/alert/destination.ts";
import { type CheckResult, fail, pass, warn } from "../../lib/check-result.ts";
import { oneLine } from "../../lib/external-text.ts";
import { capitalize } from "../../messages/format.ts";
import { inviteHint } from "./alerts/delivery-errors.ts";
import { LIMITED_PAGE_SIZE, MAX_LIMITED_PAGES } from "./alerts/search.ts";
import { CallError, describeFailure, refusalCode, type WebApi } from "./web-api.ts";
import { parseDestination } from "./workspace.ts";

const CHANNEL_ADVICE = "check the channel in Slack, or remove its rules with /splits unsubscribe";
const MAX_NAME_LENGTH = 80;

/** The bot of the token that is checked. */
export interface CheckedBot {
  readonly team_id: string;
  readonly user: string;
}

/** What Slack's answers have shown about the limits of reading a channel's history; null before they showed anything. */
type ObservedLimits = "usual" | "limited" | null;

interface ChannelState {
  readonly result: CheckResult;
  readonly limits: ObservedLimits;
}

/** Histories that are read to observe the limits: a page that shows them, or a refusal, ends it earlier. */
const MAX_PROBES = 3;

/** Checks whether alerts can be posted to the channels, and which limits apply to reading their histories. */
export async function checkChannels(
  api: WebApi,
  destinations: readonly Destination[],
  bot: CheckedBot,
): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  let limits: ObservedLimits = null;
  for (const destination of destinations.slice(0, MAX_PROBES)) {
    const state: ChannelState = await checkChannel(api, destination, bot, { limits, isProbed: limits === null });
    limits = state.limits;
    results.push(state.result);
  }
  const others = destinations
    .slice(MAX_PROBES)
    .map(async (destination) => (await checkChannel(api, destination, bot, { limits, isProbed: false })).result);
  return [limitsResult(limits), ...results, ...(await Promise.all(others))];
}

const USUAL_APPS = "apps of one workspace and Marketplace apps";
const USUAL = "about 50 requests a minute";
const LIMITED_APPS = "apps that are commercially distributed outside the Marketplace (installed since 29 May 2025)";
const LIMITED = `one request a minute with ${LIMITED_PAGE_SIZE} messages`;

function limitsResult(limits: ObservedLimits): CheckResult {
  switch (limits) {
    case "usual":
      return pass(`limits of reading histories: ${USUAL}, as for ${USUAL_APPS}`);
    case "limited":
      return warn(
        `limits of reading histories: ${LIMITED}, as for ${LIMITED_APPS}. After a lost answer, the search for an alert takes a minute for each ${LIMITED_PAGE_SIZE} messages since ten minutes before the alert, and the channel's later alerts wait; if there are more than ${MAX_LIMITED_PAGES * LIMITED_PAGE_SIZE}, the alert is sent again without a complete search, and may appear twice`,
      );
    case null:
      return pass(
        `limits of reading histories: unknown, because Slack doesn't report them and no channel that was read has more than ${LIMITED_PAGE_SIZE} messages. ${capitalize(USUAL_APPS)}: ${USUAL}; ${LIMITED_APPS}: ${LIMITED}. The limits of posting are the same for all apps`,
      );
  }
}

interface Probing {
  readonly limits: ObservedLimits;
  /** True if the history is read to observe the limits. */
  readonly isProbed: boolean;
}

async function checkChannel(
  api: WebApi,
  destination: Destination,
  bot: CheckedBot,
  probing: Probing,
): Promise<ChannelState> {
  const parts = parseDestination(destination);
  if (parts === null || parts.teamId !== bot.team_id) {
    const text = `channel ${destination.id}: the token is for another workspace; remove the channel's rules or change the token`;
    return { result: fail(text), limits: probing.limits };
  }
  const channel = parts.localId;
  let label = `channel ${channel}`;
  try {
    const info = await readInfo(api, channel);
    if (info === null) return await checkByHistory(api, channel, label, probing);
    if (info.name !== "") label = `channel #${oneLine(info.name, MAX_NAME_LENGTH)} (${channel})`;
    if (!info.is_member) return { result: notMember(label, bot), limits: probing.limits };
    const { limits } = probing.isProbed ? await readHistory(api, channel, probing.limits) : probing;
    return { result: membershipResult(label, info.is_archived), limits };
  } catch (error) {
    return { result: explainRefusal(error, label, bot), limits: probing.limits };
  }
}

/** Without the optional scopes, only the history shows whether the bot is a member. */
async function checkByHistory(api: WebApi, channel: string, label: string, { limits }: Probing): Promise<ChannelState> {
  const history = limits === "limited" ? { limits, isRead: false } : await readHistory(api, channel, limits);
  const result = history.isRead
    ? membershipResult(label, await isRefusedAsArchived(api, channel))
    : warn(`${label}: not checked, because Slack lets this app read one history a minute`);
  return { result, limits: history.limits };
}

/** A bot that is a member of a channel can post there unless it is archived. */
function membershipResult(label: string, isArchived: boolean): CheckResult {
  return isArchived
    ? fail(`${label}: it is archived; unarchive it in Slack, then type /splits test in the channel`)
    : pass(`${label}: alerts can be posted`);
}

function notMember(label: string, { user }: CheckedBot): CheckResult {
  return fail(`${label}: splitwatch is not a member, or the channel was deleted; ${inviteHint(user)}`);
}

function explainRefusal(error: unknown, label: string, bot: CheckedBot): CheckResult {
  const code = refusalCode(error);
  if (code === "missing_scope") return pass(`${label}: not checked because a scope is missing`);
  if (code === "not_in_channel" || code === "channel_not_found") return notMember(label, bot);
  return fail(`${label}: ${explainCallError(error, "access", CHANNEL_ADVICE)}`);
}

const channelInfo = z.object({
  channel: z.object({
    name: z.string().default(""),
    is_member: z.boolean().default(true),
    is_archived: z.boolean().default(false),
  }),
});

/** Null if the app lacks the optional scope for it. */
async function readInfo(api: WebApi, channel: string): Promise<z.infer<typeof channelInfo>["channel"] | null> {
  try {
    return (await api.call("conversations.info", { channel }, channelInfo)).channel;
  } catch (error) {
    if (refusalCode(error) === "missing_scope") return null;
    throw error;
  }
}

const historyPage = z.object({ messages: z.array(z.unknown()), has_more: z.boolean().default(false) });

/** Reads one message more than limited apps get. `isRead`: false if a limit refused it. */
async function readHistory(
  api: WebApi,
  channel: string,
  before: ObservedLimits,
): Promise<{ readonly limits: ObservedLimits; readonly isRead: boolean }> {
  try {
    const args = { channel, limit: LIMITED_PAGE_SIZE + 1 };
    const { messages, has_more: hasMore } = await api.call("conversations.history", args, historyPage);
    if (messages.length > LIMITED_PAGE_SIZE) return { limits: "usual", isRead: true };
    return { limits: hasMore && messages.length === LIMITED_PAGE_SIZE ? "limited" : before, isRead: true };
  } catch (error) {
    // The first requests of an app with the usual limits aren't refused: they allow 50 requests a minute.
    if (before === null && error instanceof CallError && error.failure.kind === "rate-limited")
      return { limits: "limited", isRead: false };
    throw error;
  }
}

/** Whether a channel of the bot is archived; false for private channels, which need a further scope. */
async function isRefusedAsArchived(api: WebApi, channel: string): Promise<boolean> {
  try {
    // For a member, this changes nothing.
    await api.call("conversations.join", { channel }, z.unknown());
    return false;
  } catch (error) {
    const code = refusalCode(error);
    if (code === "") throw error;
    return code === "is_archived";
  }
}

/** Why a call failed, and what to do. Rethrows other errors. */
export function explainCallError(error: unknown, subject: string, advice: string): string {
  if (!(error instanceof CallError)) throw error;
  const failureText = describeFailure(error.failure);
  if (error.failure.kind === "refused") return `Slack refuses ${subject} (${failureText}); ${advice}`;
  if (error.failure.kind === "rate-limited")
    return "Slack limits the requests of this app; run the check again in a minute";
  return `Slack can't be reached (${failureText}); check the network and SLACK_API_URL`;
}
