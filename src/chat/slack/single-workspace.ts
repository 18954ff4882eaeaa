import type { Instant } from "../../domain/time/day.ts";
import { DeliveryError } from "../../ports/chat-platform.ts";
import type { Log } from "../../ports/log.ts";
import { asCallError, isBrokenToken, toDeliveryError } from "./alerts/delivery-errors.ts";
import type { TokenIdentity } from "./connection/connection.ts";
import type { CallError, WebApi } from "./web-api.ts";
import { type ConnectedWorkspace, fetchWorkspace, type Removal, type Workspace, type Workspaces } from "./workspace.ts";

const REMOVED_REASON =
  "splitwatch was removed from the Slack workspace: install the app again, set the new SLACK_BOT_TOKEN and restart";

/** Workspace of the bot token in the environment. */
export class SingleWorkspace implements Workspaces, TokenIdentity {
  readonly tokenVariable = "SLACK_BOT_TOKEN";
  readonly #api: WebApi;
  readonly #startedAt: Instant;
  readonly #log: Log;
  #workspace: Workspace | null = null;
  #refusal: string | null = null;

  constructor(api: WebApi, { startedAt, log }: { readonly startedAt: Instant; readonly log: Log }) {
    this.#api = api;
    this.#startedAt = startedAt;
    this.#log = log;
  }

  get refusal(): string | null {
    return this.#refusal;
  }

  refuse(reason: string): void {
    this.#refusal = reason;
  }

  async read(): Promise<void> {
    this.#workspace ??= await fetchWorkspace(this.#api);
  }

  /** Ignores the team id: in shared channels, members of other workspaces run commands too. */
  async find(): Promise<ConnectedWorkspace | null> {
    return this.#workspace === null ? null : { workspace: this.#workspace, api: this.#api };
  }

  async absenceReason(): Promise<string> {
    return "Slack hasn't confirmed the bot token for this workspace yet. Try again in a minute; if that doesn't help, install the app again.";
  }

  async forDelivery(teamId: string): Promise<ConnectedWorkspace> {
    if (this.#refusal !== null) throw new DeliveryError("broken-credentials", this.#refusal);
    if (this.#workspace === null) throw new DeliveryError("retry", "Slack isn't connected yet");
    if (this.#workspace.teamId !== teamId) {
      throw new DeliveryError("not-allowed", "this destination is in another Slack workspace than the bot token");
    }
    return { workspace: this.#workspace, api: this.#api };
  }

  async handleRemoval(teamId: string, { at }: Removal): Promise<void> {
    if (teamId !== this.#workspace?.teamId || this.#refusal !== null) return;
    // An event from before the start may concern an earlier installation.
    if (at < this.#startedAt && (await this.#mayBeInstalled())) return;
    this.refuse(REMOVED_REASON);
    this.#log.error("slack credentials rejected", { reason: REMOVED_REASON });
  }

  #mayBeInstalled(): Promise<boolean> {
    return fetchWorkspace(this.#api).then(
      () => true,
      (error: unknown) => !isBrokenToken(asCallError(error).failure),
    );
  }

  async handleRefusedToken({ workspace }: ConnectedWorkspace, error: CallError): Promise<DeliveryError> {
    const failure = toDeliveryError(error, { botName: workspace.botName, limitKey: () => null });
    this.refuse(failure.message);
    return failure;
  }
}
