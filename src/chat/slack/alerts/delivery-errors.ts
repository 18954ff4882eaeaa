import { MINUTE_MS } from "../../../domain/time/day.ts";
import { DeliveryError, type DeliveryFailure } from "../../../ports/chat-platform.ts";
import { StoreError } from "../../../ports/store.ts";
import { failuresByCode } from "../../failures-by-code.ts";
import { WITHHELD } from "../../withheld.ts";
import { CallError, type CallFailure, refusalCode } from "../web-api.ts";

/**
 * What each error code that Slack documents for posting a message means: docs/decisions/refusals.md. Any other code counts as
 * `unrecognized`. Rate limits and failures of Slack itself are read in `web-api.ts`.
 */
export const FAILURES_BY_CODE = {
  gone: [
    "channel_not_found",
    "is_archived",
    "user_not_found",
    "users_not_found",
    "user_disabled",
    "user_is_bot",
    "cannot_dm_bot",
    "is_inactive",
  ],
  "not-allowed": [
    "not_in_channel",
    "missing_scope",
    "restricted_action",
    "restricted_action_read_only_channel",
    "restricted_action_thread_only_channel",
    "messages_tab_disabled",
    "ekm_access_denied",
    "access_denied",
    "accesslimited",
    "app_access_restricted",
    "no_permission",
    "as_user_not_supported",
    "channel_is_limited_access",
    "invalid_user_combination",
    "method_not_supported_for_channel_type",
    "team_not_found",
    "too_many_members",
    "user_not_visible",
  ],
  "broken-credentials": [
    "invalid_auth",
    "not_authed",
    "token_revoked",
    "token_expired",
    "account_inactive",
    "is_bot",
    "not_allowed_token_type",
    "org_login_required",
    "enterprise_is_restricted",
    "team_access_not_granted",
    "two_factor_setup_required",
    "user_removed_from_team",
    "team_disabled",
  ],
  refused: [
    "agent_prompt_display_not_allowed",
    "attachment_payload_limit_exceeded",
    "cannot_reply_to_message",
    "draft_already_deleted",
    "draft_already_sent",
    "draft_has_conflict",
    "draft_not_found",
    "duplicate_channel_not_found",
    "duplicate_message_not_found",
    "invalid_arg_name",
    "invalid_arguments",
    "invalid_array_arg",
    "invalid_attachments",
    "invalid_blocks",
    "invalid_blocks_format",
    "invalid_charset",
    "invalid_form_data",
    "invalid_metadata_format",
    "invalid_metadata_schema",
    "invalid_post_type",
    "invalid_thread_ts",
    "markdown_text_conflict",
    "message_not_found",
    "metadata_must_be_sent_from_app",
    "metadata_too_large",
    "missing_file_data",
    "missing_post_type",
    "msg_blocks_too_long",
    "msg_too_long",
    "no_text",
    "not_enough_users",
    "restricted_action_non_threadable_channel",
    "restricted_action_thread_locked",
    "send_on_behalf_not_allowed",
    "slack_connect_canvas_sharing_blocked",
    "slack_connect_file_link_sharing_blocked",
    "slack_connect_lists_sharing_blocked",
    "thread_not_found",
    "too_many_attachments",
    "too_many_contact_cards",
    "too_many_users",
    "users_list_not_supplied",
  ],
  retry: [
    "deprecated_endpoint",
    "external_channel_migrating",
    "method_deprecated",
    "team_added_to_org",
    "unknown_method",
    "update_failed",
  ],
} as const satisfies Partial<Record<DeliveryFailure, readonly string[]>>;

/**
 * Codes of a channel that is archived, deleted or without the app. Slack reports its return only with the optional scopes, and a
 * report can be lost.
 */
const MAY_RETURN_CODES = new Set(["channel_not_found", "is_archived", "is_inactive", "not_in_channel"]);

/** Codes that mean that the content of a message can't be replaced any more. The conversation of a replaced app isn't found. */
const EDIT_ERRORS = new Set([
  "message_not_found",
  "channel_not_found",
  "cant_update_message",
  "edit_window_closed",
  "update_failed",
]);

const FAILURES = failuresByCode<string>(FAILURES_BY_CODE);

/** Whether Slack rejected the token. */
export function isBrokenToken(failure: CallFailure): boolean {
  return failure.kind === "refused" && FAILURES.get(failure.code) === "broken-credentials";
}

/** Whether a retry cannot succeed: the token is rejected or lacks a scope. */
export function isPermanentRefusal(failure: CallFailure): boolean {
  return isBrokenToken(failure) || (failure.kind === "refused" && failure.code === "missing_scope");
}

/** Codes with which Slack rejects the app's client id, secret or settings. They affect all workspaces. */
const APP_CREDENTIAL_CODES = new Set([
  "bad_client_secret",
  "invalid_client_id",
  "invalid_client",
  "bad_redirect_uri",
  "token_rotation_not_enabled",
]);

/** Codes that Slack returns after the app was removed from the workspace. */
const REMOVAL_CODES = new Set(["token_revoked", "account_inactive"]);

/**
 * Codes after which a call is repeated with a renewed token. Slack keeps only the two latest tokens valid: if the responses
 * of renewals are lost, the token in use is an older one, which Slack has revoked.
 */
const EXPIRED_TOKEN_CODES = new Set(["token_expired", "token_revoked"]);

/** Codes that mean that the refresh token is no longer valid: the app has to be installed again. */
const FINAL_RENEWAL_CODES = new Set([
  ...REMOVAL_CODES,
  ...EXPIRED_TOKEN_CODES,
  "invalid_refresh_token",
  "refresh_token_expired",
  "invalid_grant",
  "authorization_not_found",
]);

export function isAppCredentialError(error: CallError): boolean {
  return APP_CREDENTIAL_CODES.has(refusalCode(error));
}

export function isRemovalError(error: CallError): boolean {
  return REMOVAL_CODES.has(refusalCode(error));
}

export function isExpiredTokenError(error: unknown): boolean {
  return EXPIRED_TOKEN_CODES.has(refusalCode(error));
}

export function isFinalRenewalError(error: CallError): boolean {
  return FINAL_RENEWAL_CODES.has(refusalCode(error));
}

/** An overloaded Slack posted messages 20 s after their requests. */
export const MAX_PROCESSING_MS = MINUTE_MS;

export interface ErrorContext {
  readonly botName: string;
  /** Rate-limit key to block after a 429; null to block only the destination. */
  readonly limitKey: (failure: { readonly retryAfterMs: number }) => string | null;
}

export function toDeliveryError(error: CallError, { botName, limitKey }: ErrorContext): DeliveryError {
  const { failure } = error;
  switch (failure.kind) {
    case "rate-limited": {
      const key = limitKey(failure);
      return new DeliveryError("retry", "rate limited by Slack", {
        retryAfterMs: failure.retryAfterMs,
        ...(key === null ? {} : { limitKey: key }),
        cause: error,
      });
    }
    case "withheld":
      return new DeliveryError("retry", WITHHELD, { cause: error });
    case "intercepted":
      return new DeliveryError(
        "intercepted",
        `a proxy or firewall refuses requests to Slack (status ${failure.status})`,
        {
          cause: error,
        },
      );
    case "unreachable":
      return new DeliveryError("retry", `Slack can't be reached: ${failure.detail}`, { cause: error });
    case "unknown":
      return new DeliveryError("unknown-outcome", `Slack didn't confirm the message: ${failure.detail}`, {
        isTimeout: failure.isTimeout ?? false,
        cause: error,
      });
    case "refused":
      return new DeliveryError(FAILURES.get(failure.code) ?? "unrecognized", refusalMessage(failure, botName), {
        mayReturn: MAY_RETURN_CODES.has(failure.code),
        isUneditable: EDIT_ERRORS.has(failure.code),
        cause: error,
      });
  }
}

const EXPLANATIONS: Readonly<Record<string, string>> = {
  is_archived: "the channel is archived; unarchive it in Slack",
  is_inactive: "the channel is archived or deleted",
  user_disabled: "this person no longer has an account in the workspace",
  user_not_found: "this person no longer has an account in the workspace",
  users_not_found: "this person no longer has an account in the workspace",
  restricted_action: "the workspace's settings don't allow splitwatch to post in this channel; ask an admin",
  restricted_action_read_only_channel: "this channel is read-only for splitwatch; ask an admin of the workspace",
  messages_tab_disabled: "the app doesn't accept direct messages; enable its Messages Tab under App Home",
};

/** Explanation and remedy for the destination's owner. */
function refusalMessage({ code, needed }: CallFailure & { kind: "refused" }, botName: string): string {
  const invite = inviteHint(botName);
  if (code === "not_in_channel") return `splitwatch is not in this channel; ${invite}`;
  if (code === "channel_not_found") return `the channel was deleted or is private; ${invite}`;
  if (code === "missing_scope") {
    const scope = needed === null ? "a scope" : `the scope ${needed}`;
    return `the app lacks ${scope}; add it under OAuth & Permissions, install the app again, then type /splits test`;
  }
  if (FAILURES.get(code) === "broken-credentials") return `Slack refuses the bot's token (${code})`;
  return EXPLANATIONS[code] ?? `Slack refused the message: ${code}`;
}

export function inviteHint(botName: string): string {
  return `type /invite @${botName} in the channel, then /splits test`;
}

/**
 * Returns a CallError unchanged. A StoreError becomes a call that was not sent. Any other error is a bug; its outcome is unknown,
 * because the message may have been posted.
 */
export function asCallError(error: unknown): CallError {
  if (error instanceof CallError) return error;
  // The store is used only before a call, to read the token.
  if (error instanceof StoreError) return new CallError("slack", { kind: "withheld" }, error);
  return new CallError("slack", { kind: "unknown", detail: "unexpected error in the Slack adapter" }, error);
}
