import { DeliveryError, type DeliveryFailure } from "../../../ports/chat-platform.ts";
import { CallError, type CallFailure, refusalCode } from "../web-api.ts";

/** What Slack's codes mean for a delivery. A code that is not here is tried again: its text stands in the status. */
const FAILURES: Readonly<Record<string, DeliveryFailure>> = {
  ...all("gone", [
    "channel_not_found",
    "is_archived",
    "user_not_found",
    "users_not_found",
    "user_disabled",
    "user_is_bot",
    "cannot_dm_bot",
  ]),
  ...all("not-allowed", [
    "not_in_channel",
    "missing_scope",
    "restricted_action",
    "restricted_action_read_only_channel",
    "restricted_action_thread_only_channel",
    "restricted_action_non_threadable_channel",
    "restricted_action_thread_locked",
    "messages_tab_disabled",
    "ekm_access_denied",
    "access_denied",
    "no_permission",
    "as_user_not_supported",
  ]),
  ...all("broken-credentials", [
    "invalid_auth",
    "not_authed",
    "token_revoked",
    "token_expired",
    "account_inactive",
    "not_allowed_token_type",
    "org_login_required",
    "enterprise_is_restricted",
    "team_access_not_granted",
    "two_factor_setup_required",
    "user_removed_from_team",
    "team_disabled",
  ]),
  ...all("malformed", [
    "msg_too_long",
    "msg_blocks_too_long",
    "invalid_blocks",
    "invalid_blocks_format",
    "no_text",
    "too_many_attachments",
    "invalid_arguments",
    "invalid_arg_name",
    "invalid_array_arg",
    "invalid_charset",
    "invalid_form_data",
    "metadata_too_large",
    "invalid_metadata_format",
    "invalid_metadata_schema",
  ]),
};

function all(failure: DeliveryFailure, codes: readonly string[]): Record<string, DeliveryFailure> {
  return Object.fromEntries(codes.map((code) => [code, failure]));
}

/** The token itself is of no use: nothing is to be had from Slack with it. */
export function isBrokenToken(failure: CallFailure): boolean {
  return failure.kind === "refused" && FAILURES[failure.code] === "broken-credentials";
}

/** No use in trying again: the token is of no use, or not for what it is there for. */
export function isPermanentRefusal(failure: CallFailure): boolean {
  return isBrokenToken(failure) || (failure.kind === "refused" && failure.code === "missing_scope");
}

/** Slack refuses the app's own credentials: no workspace can do anything about that. */
const APP_REFUSED = new Set([
  "bad_client_secret",
  "invalid_client_id",
  "invalid_client",
  "bad_redirect_uri",
  "token_rotation_not_enabled",
]);

/** The workspace has removed splitwatch. */
const LEFT = new Set(["token_revoked", "account_inactive"]);

/**
 * Another token may be had. Slack keeps two tokens that are renewed, and revokes those before them: also one that is still
 * in use here, where the answers with its successors were lost.
 */
const TOKEN_ENDED = new Set(["token_expired", "token_revoked"]);

/** No other token is given for a refresh token: the workspace has to install splitwatch again. */
const NOT_RENEWED = new Set([
  ...LEFT,
  ...TOKEN_ENDED,
  "invalid_refresh_token",
  "refresh_token_expired",
  "invalid_grant",
  "authorization_not_found",
]);

export function isAppCredentialError(error: CallError): boolean {
  return APP_REFUSED.has(refusalCode(error));
}

export function isRemovalError(error: CallError): boolean {
  return LEFT.has(refusalCode(error));
}

export function isExpiredTokenError(error: unknown): boolean {
  return TOKEN_ENDED.has(refusalCode(error));
}

export function isFinalRenewalError(error: CallError): boolean {
  return NOT_RENEWED.has(refusalCode(error));
}

export interface ErrorContext {
  readonly botName: string;
  /** Names what a rate limit holds for; null: this destination alone. */
  readonly limitKey: (failure: { readonly retryAfterMs: number }) => string | null;
}

export function toDeliveryError(error: CallError, { botName, limitKey }: ErrorContext): DeliveryError {
  const { failure } = error;
  switch (failure.kind) {
    case "rate-limited": {
      const key = limitKey(failure);
      return new DeliveryError("retry", "Slack asks to send less", {
        retryAfterMs: failure.retryAfterMs,
        ...(key === null ? {} : { limitKey: key }),
        cause: error,
      });
    }
    case "unreached":
      return new DeliveryError("retry", `Slack cannot be reached: ${failure.detail}`, { cause: error });
    case "unknown":
      return new DeliveryError("unknown-outcome", `it is not known whether Slack has it: ${failure.detail}`, {
        cause: error,
      });
    case "refused":
      return new DeliveryError(FAILURES[failure.code] ?? "retry", refusalMessage(failure, botName), {
        cause: error,
      });
  }
}

const WORDS: Readonly<Record<string, string>> = {
  is_archived: "the channel is archived",
  user_disabled: "this person has no account in the workspace any more",
  user_not_found: "this person has no account in the workspace any more",
  users_not_found: "this person has no account in the workspace any more",
  restricted_action: "the workspace's settings do not let splitwatch post in this channel; ask an admin",
  restricted_action_read_only_channel: "this channel is read-only for splitwatch; ask an admin of the workspace",
  messages_tab_disabled: "the app takes no direct messages; switch on its Messages Tab under App Home",
};

/** For the destination's owner: what is wrong, and what helps. */
function refusalMessage({ code, needed }: CallFailure & { kind: "refused" }, botName: string): string {
  const invite = inviteHint(botName);
  if (code === "not_in_channel") return `splitwatch is not in this channel; ${invite}`;
  if (code === "channel_not_found") return `Slack shows splitwatch no such channel: it is gone, or private; ${invite}`;
  if (code === "missing_scope") {
    const scope = needed ?? "it needs";
    return `the app lacks the scope ${scope}; add it under OAuth & Permissions, install the app again, then type /splits test`;
  }
  if (FAILURES[code] === "broken-credentials") return `Slack refuses the bot's token (${code})`;
  return WORDS[code] ?? `Slack answered ${code}`;
}

export function inviteHint(botName: string): string {
  return `type /invite @${botName} there, then /splits test`;
}

/** A CallError as it is, anything else as a bug of ours: the message may be out. */
export function asCallError(error: unknown): CallError {
  if (error instanceof CallError) return error;
  return new CallError("slack", { kind: "unknown", detail: "the adapter failed unexpectedly" }, error);
}
