import type { Instant } from "../../domain/time/day.ts";
import type { DeliveryError } from "../../ports/chat-platform.ts";
import type { CallError, WebApi } from "./web-api.ts";
import type { Workspace } from "./workspace.ts";

/** splitwatch in one workspace: what it is called there, and the Web API under its token. */
export interface ConnectedWorkspace {
  readonly workspace: Workspace;
  readonly api: WebApi;
}

/** Where splitwatch is, each workspace with its own token. */
export interface Workspaces {
  /** For whoever asks from there; null: there is no token to answer with. */
  find(teamId: string): Promise<ConnectedWorkspace | null>;
  /** Said to whoever asks from where `find` knows of no token. */
  absenceReason(teamId: string): Promise<string>;
  /** For alerts; throws a DeliveryError where none can be sent there now. */
  forDelivery(teamId: string): Promise<ConnectedWorkspace>;
  /** Slack has refused the workspace's token itself: what that means for what was to be sent there. */
  handleRefusedToken(presence: ConnectedWorkspace, error: CallError): Promise<DeliveryError>;
  /** Slack tells that a workspace has left. */
  handleRemoval(teamId: string, leaving: Removal): Promise<void>;
}

/** What Slack tells of a workspace that left: that the app is uninstalled there, or that the bot's tokens are revoked. */
export interface Removal {
  readonly kind: "uninstalled" | "revoked";
  readonly at: Instant;
}
