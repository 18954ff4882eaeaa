import { DeliveryError } from "../../ports/chat-platform.ts";
import type { Identity } from "./connection.ts";
import { toDeliveryError } from "./errors.ts";
import type { CallError, WebApi } from "./web-api.ts";
import { readWorkspace, type Workspace } from "./workspace.ts";
import type { Presence, Workspaces } from "./workspaces.ts";

/** The one workspace that a bot's token in the environment is for. */
export class OneWorkspace implements Workspaces, Identity {
  readonly variable = "SLACK_BOT_TOKEN";
  readonly #api: WebApi;
  #known: Workspace | null = null;
  #refusal: string | null = null;

  constructor(api: WebApi) {
    this.#api = api;
  }

  get refusal(): string | null {
    return this.#refusal;
  }

  refuse(reason: string): void {
    this.#refusal = reason;
  }

  async read(): Promise<void> {
    this.#known ??= await readWorkspace(this.#api);
  }

  /** People of other workspaces ask too, in channels that are shared with theirs. */
  async find(): Promise<Presence | null> {
    return this.#known === null ? null : { workspace: this.#known, api: this.#api };
  }

  async reach(teamId: string): Promise<Presence> {
    if (this.#refusal !== null) throw new DeliveryError("broken-credentials", this.#refusal);
    if (this.#known === null) throw new DeliveryError("retry", "Slack is not connected yet");
    if (this.#known.teamId !== teamId) {
      throw new DeliveryError("not-allowed", "this belongs to another Slack workspace than the bot's token is for");
    }
    return { workspace: this.#known, api: this.#api };
  }

  async tokenRefused({ workspace }: Presence, error: CallError): Promise<DeliveryError> {
    const failure = toDeliveryError(error, { botName: workspace.botName, limitKey: () => null });
    this.refuse(failure.message);
    return failure;
  }
}
