import type { Instant } from "../../domain/time/day.ts";
import { DeliveryError } from "../../ports/chat-platform.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { type Rejection, TokenState } from "../token-state.ts";
import { asCallError, isBrokenToken, toDeliveryError } from "./alerts/delivery-errors.ts";
import type { TokenIdentity } from "./connection/connection.ts";
import { type CallError, describeFailure, type WebApi } from "./web-api.ts";
import {
  type ConnectedWorkspace,
  fetchMembership,
  fetchWorkspace,
  PLATFORM,
  type Removal,
  type Sender,
  type Workspace,
  type Workspaces,
} from "./workspace.ts";

const REMOVED_REASON =
  "splitwatch was removed from the Slack workspace: install the app again; if SLACK_BOT_TOKEN changed, set it and restart";

const MEMBERS_ONLY =
  "Only members of the workspace that installed splitwatch can use it. In a channel shared with other workspaces, everyone sees its alerts.";

/** Asks Slack about a user whose workspace differs: a member of an Enterprise organization can belong to several of its workspaces. */
async function isMember({ teamId, homeId, userId }: Sender, connected: ConnectedWorkspace): Promise<boolean> {
  if (teamId !== connected.workspace.teamId) return false;
  if (homeId === null || homeId === teamId) return true;
  return fetchMembership(connected, userId).then(
    (membership) => membership.isMember,
    () => false,
  );
}

/** Workspace of the bot token in the environment. */
export class SingleWorkspace implements Workspaces, TokenIdentity {
  readonly tokenVariable = "SLACK_BOT_TOKEN";
  readonly #api: WebApi;
  readonly #startedAt: Instant;
  readonly #token: TokenState;
  #workspace: Workspace | null = null;
  /** Verification of a rejected token, while it is in progress. */
  #verification: Promise<void> | null = null;

  /** `wake` starts the waiting deliveries once a rejected token is accepted. */
  constructor(
    api: WebApi,
    { clock, log, wake }: { readonly clock: Clock; readonly log: Log; readonly wake: () => void },
  ) {
    this.#api = api;
    this.#startedAt = clock.now();
    this.#token = new TokenState(PLATFORM, { clock, log, wake });
  }

  get rejection(): Rejection | null {
    return this.#token.rejection;
  }

  get retryMs(): number {
    return this.#token.retryMs;
  }

  disable(problem: string): void {
    this.#token.disable(problem);
  }

  reject(reason: string): void {
    this.#token.reject(reason);
  }

  async read(): Promise<void> {
    if (this.#workspace !== null && this.#token.rejection === null) return;
    this.#token.beginTry();
    const { rejections } = this.#token;
    this.#workspace = await fetchWorkspace(this.#api);
    this.#token.accept(rejections);
  }

  /** Returns null for members of other workspaces, who see a shared channel. */
  async find(sender: Sender): Promise<ConnectedWorkspace | null> {
    if (this.#workspace === null) return null;
    const connected = { workspace: this.#workspace, api: this.#api };
    return (await isMember(sender, connected)) ? connected : null;
  }

  async absenceReason(): Promise<string> {
    if (this.#workspace !== null) return MEMBERS_ONLY;
    return "Slack hasn't confirmed the bot token for this workspace yet. Try again in a minute; if that doesn't help, install the app again.";
  }

  async forDelivery(teamId: string): Promise<ConnectedWorkspace> {
    await this.#verifyRejectedToken();
    if (this.#workspace === null) throw new DeliveryError("retry", "Slack isn't connected yet");
    if (this.#workspace.teamId !== teamId) {
      throw new DeliveryError("not-allowed", "this destination is in another Slack workspace than the bot token");
    }
    return { workspace: this.#workspace, api: this.#api };
  }

  async probe(): Promise<void> {
    if (this.retryMs === 0) await this.#verifyRejectedToken().catch(() => undefined);
  }

  async handleRemoval(teamId: string, { at }: Removal): Promise<void> {
    if (teamId !== this.#workspace?.teamId || this.#token.rejection !== null) return;
    // An event from before splitwatch's start may concern an earlier installation.
    if (at < this.#startedAt && (await this.#mayBeInstalled())) return;
    this.reject(REMOVED_REASON);
  }

  #mayBeInstalled(): Promise<boolean> {
    return fetchWorkspace(this.#api).then(
      () => true,
      (error: unknown) => !isBrokenToken(asCallError(error).failure),
    );
  }

  async handleRefusedToken({ workspace }: ConnectedWorkspace, error: CallError): Promise<DeliveryError> {
    this.reject(toDeliveryError(error, { botName: workspace.botName, limitKey: () => null }).message);
    return this.#rejectionError();
  }

  /** Tries a rejected token; simultaneous callers share one try. Rejects with a DeliveryError while Slack rejects it. */
  async #verifyRejectedToken(): Promise<void> {
    if (this.#token.rejection === null) return;
    this.#verification ??= this.#tryRejectedToken().finally(() => {
      this.#verification = null;
    });
    await this.#verification;
  }

  /** Tries the token with a request that posts nothing. */
  async #tryRejectedToken(): Promise<void> {
    if (this.#token.beginTry() > 0) throw this.#rejectionError();
    try {
      await this.read();
    } catch (error) {
      const { failure } = asCallError(error);
      if (!isBrokenToken(failure)) throw new DeliveryError("retry", describeFailure(failure), { cause: error });
      this.reject(this.#token.rejection?.reason ?? describeFailure(failure));
      throw this.#rejectionError();
    }
  }

  #rejectionError(): DeliveryError {
    const { rejection, retryMs } = this;
    return new DeliveryError("broken-credentials", rejection?.reason ?? "", { retryAfterMs: retryMs });
  }
}
