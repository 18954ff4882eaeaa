import type { Instant } from "../../domain/time/day.ts";
import { DeliveryError } from "../../ports/chat-platform.ts";
import type { Log } from "../../ports/log.ts";
import { asCallError, isBrokenToken, toDeliveryError } from "./alerts/delivery-errors.ts";
import type { TokenIdentity } from "./connection/connection.ts";
import type { CallError, WebApi } from "./web-api.ts";
import { fetchWorkspace, type Workspace } from "./workspace.ts";
import type { ConnectedWorkspace, Removal, Workspaces } from "./workspaces.ts";

const REMOVED =
  "splitwatch was removed from the Slack workspace: install the app again, set its new SLACK_BOT_TOKEN and start again";

/** The one workspace that a bot's token in the environment is for. */
export class SingleWorkspace implements Workspaces, TokenIdentity {
  readonly variable = "SLACK_BOT_TOKEN";
  readonly #api: WebApi;
  readonly #startedAt: Instant;
  readonly #log: Log;
  #known: Workspace | null = null;
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
    this.#known ??= await fetchWorkspace(this.#api);
  }

  /** People of other workspaces ask too, in channels that are shared with theirs. */
  async find(): Promise<ConnectedWorkspace | null> {
    return this.#known === null ? null : { workspace: this.#known, api: this.#api };
  }

  async absenceReason(): Promise<string> {
    return "Slack has not confirmed its token for this workspace. Try again in a minute; if it stays so, install the app again.";
  }

  async forDelivery(teamId: string): Promise<ConnectedWorkspace> {
    if (this.#refusal !== null) throw new DeliveryError("broken-credentials", this.#refusal);
    if (this.#known === null) throw new DeliveryError("retry", "Slack is not connected yet");
    if (this.#known.teamId !== teamId) {
      throw new DeliveryError("not-allowed", "this belongs to another Slack workspace than the bot's token is for");
    }
    return { workspace: this.#known, api: this.#api };
  }

  async handleRemoval(teamId: string, { at }: Removal): Promise<void> {
    if (teamId !== this.#known?.teamId || this.#refusal !== null) return;
    // One from before the start may be about an earlier installation.
    if (at < this.#startedAt && (await this.#mayBeThere())) return;
    this.refuse(REMOVED);
    this.#log.error("slack credentials rejected", { reason: REMOVED });
  }

  #mayBeThere(): Promise<boolean> {
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
