import { type Destination, isPerson } from "../../../domain/alert/destination.ts";
import { DAY_MS, type Instant } from "../../../domain/time/day.ts";
import { type RunAsJobParts, runAsJob } from "../../../lib/jobs.ts";
import { DeliveryError } from "../../../ports/chat-platform.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Log } from "../../../ports/log.ts";
import type { Store } from "../../../ports/store.ts";
import { readPauseReasons } from "../../pause-reasons.ts";
import { asCallError, isExpiredTokenError, isRemovalError } from "../alerts/delivery-errors.ts";
import { type CallError, refusalCode, type WebApi } from "../web-api.ts";
import {
  type ConnectedWorkspace,
  destinationPrefix,
  fetchWorkspace,
  PLATFORM,
  type Removal,
  type Sender,
  type Workspaces,
} from "../workspace.ts";
import { type Credentials, type Registry, type WorkspaceEntry, wrongKeyMessage } from "./registry.ts";
import type { Tokens } from "./token-rotation.ts";

/** Pause reasons for destinations of a removed workspace. Stored reasons are recognized by the part before the semicolon. */
const REMOVED_REASON = "splitwatch was removed from this workspace; alerts resume when it is installed again";
const EXPIRED_REASON =
  "Slack has ended splitwatch's access to this workspace; alerts resume when it is installed again";
const REASON_PREFIXES = [REMOVED_REASON, EXPIRED_REASON].map((reason) => reason.split(";", 1)[0] ?? reason);

/** Retention of personal data after a workspace is removed. */
const RETENTION_MS = 30 * DAY_MS;

const LOCKED_REASON =
  "splitwatch can't decrypt its data for this workspace. Nothing is lost: its operator has to restore ENCRYPTION_KEY.";

export interface InstalledWorkspacesParts extends RunAsJobParts {
  readonly registry: Registry;
  readonly tokens: Tokens;
  readonly destinations: WorkspaceDestinations;
  readonly createApi: (token: string) => WebApi;
  /** URL of the install page; null if it is unknown. */
  readonly installUrl: string | null;
  readonly log: Log;
}

/** Self-installed workspaces (OAuth), each with its own token. */
export class InstalledWorkspaces implements Workspaces {
  readonly #parts: InstalledWorkspacesParts;
  /** The token with which each ConnectedWorkspace was created. */
  readonly #initialTokens = new WeakMap<ConnectedWorkspace, string>();
  /** One API client per workspace, so that hanging calls of one workspace don't exhaust the connections of the others. */
  readonly #clients = new Map<string, { readonly token: string; readonly api: WebApi }>();
  /** Number of workspaces whose credentials ENCRYPTION_KEY does not decrypt. */
  #lockedCount = 0;
  /** Changes of workspaces in progress. */
  readonly #changes = new Set<Promise<unknown>>();

  constructor(parts: InstalledWorkspacesParts) {
    this.#parts = parts;
  }

  async absenceReason({ teamId }: Pick<Sender, "teamId">): Promise<string> {
    const { registry, installUrl } = this.#parts;
    if ((await registry.read(teamId)).kind === "locked") return LOCKED_REASON;
    const location = installUrl === null ? "" : ` at ${installUrl}`;
    return `splitwatch is not installed in this workspace. Ask someone who can install apps to install it${location}.`;
  }

  /** Members of other workspaces in a shared channel use what they see there: every workspace can install splitwatch. */
  async find({ teamId }: Pick<Sender, "teamId">): Promise<ConnectedWorkspace | null> {
    const entry = await this.#parts.registry.read(teamId);
    return entry.kind === "installed" ? this.#connect(teamId, entry.credentials) : null;
  }

  async forDelivery(teamId: string): Promise<ConnectedWorkspace> {
    const entry = await this.#parts.registry.read(teamId);
    if (entry.kind === "installed") return this.#connect(teamId, entry.credentials);
    if (entry.kind === "locked") throw new DeliveryError("retry", wrongKeyMessage("this workspace"));
    throw new DeliveryError("not-allowed", endReasonOf(entry));
  }

  async handleRefusedToken(connected: ConnectedWorkspace, error: CallError): Promise<DeliveryError> {
    const { teamId } = connected.workspace;
    const isExpired = refusalCode(error) === "token_expired";
    const entry = await this.#parts.registry.read(teamId);
    if (entry.kind === "unknown" || entry.kind === "removed")
      return new DeliveryError("not-allowed", endReasonOf(entry));
    if (entry.kind === "locked" || entry.credentials.botToken !== this.#initialTokens.get(connected)) {
      return new DeliveryError("retry", "this workspace has a new token", { cause: error });
    }
    if (!isRemovalError(error) && !isExpired) {
      const reason = `Slack refuses splitwatch's token for this workspace (${refusalCode(error)}); install splitwatch again`;
      return new DeliveryError("not-allowed", reason, { cause: error });
    }
    const reason = isExpired ? EXPIRED_REASON : REMOVED_REASON;
    await this.#remove(teamId, entry.since, reason).catch((failure: unknown) =>
      this.#parts.log.error("slack removal not saved", { workspace: teamId, error: failure }),
    );
    return new DeliveryError("not-allowed", reason, { cause: error });
  }

  async handleRemoval(teamId: string, removal: Removal): Promise<void> {
    const entry = await this.#parts.registry.read(teamId);
    if (entry.kind !== "installed" && entry.kind !== "locked") return;
    if (mayBeOutdated(removal, entry) && (await this.#mayBeInstalled(teamId))) {
      this.#parts.log.info("slack uninstall ignored", { workspace: teamId });
      return;
    }
    await this.#remove(teamId, entry.since, REMOVED_REASON);
  }

  /** Stores the credentials and resumes all destinations of the workspace, regardless of the pause reason. */
  async install(teamId: string, credentials: Credentials): Promise<void> {
    const { registry, destinations, log } = this.#parts;
    await this.#change(teamId, async () => {
      await registry.install(teamId, credentials);
      await destinations.resume(teamId, () => true);
    });
    await this.refresh();
    log.info("slack workspace installed", { workspace: teamId });
  }

  /** Problem to report to the operator, or null. */
  problem(): string | null {
    return this.#lockedCount === 0 ? null : wrongKeyMessage(`${this.#lockedCount} Slack workspaces`);
  }

  /** Reads the workspaces, which other processes may have changed. Returns the number of installed ones. */
  async refresh(): Promise<number> {
    const entries = (await this.#parts.registry.all()).map(({ entry }) => entry);
    this.#lockedCount = entries.filter(({ kind }) => kind === "locked").length;
    return entries.filter(({ kind }) => kind !== "removed").length;
  }

  /** Completes pauses and resumes that a crash interrupted. */
  async sync(): Promise<void> {
    const { registry, destinations } = this.#parts;
    for (const { teamId } of await registry.all()) {
      await this.#change(teamId, async () => {
        const entry = await registry.read(teamId);
        if (entry.kind === "removed") await destinations.pause(teamId, endReasonOf(entry), isRemovalReason);
        if (entry.kind === "installed") await destinations.resume(teamId, isRemovalReason);
      });
    }
  }

  /** Deletes the personal data of workspaces that were removed more than RETENTION_MS ago. */
  async purgeRemoved(): Promise<void> {
    const { registry, destinations, clock, log } = this.#parts;
    const isObsolete = (entry: WorkspaceEntry): boolean =>
      entry.kind === "removed" && clock.now() - entry.since >= RETENTION_MS;
    for (const { teamId, entry } of await registry.all()) {
      if (!isObsolete(entry)) continue;
      await this.#change(teamId, async () => {
        if (!isObsolete(await registry.read(teamId))) return;
        await destinations.purgePeople(teamId);
        await registry.delete(teamId);
        log.info("slack workspace purged", { workspace: teamId });
      });
    }
  }

  /**
   * Renews due tokens one after another. If a crash prevented a new token from being stored, the renewal at startup sends the
   * same refresh token again, which Slack accepts for a short grace period.
   */
  async renewDue(stopping: AbortSignal): Promise<void> {
    const { registry, tokens } = this.#parts;
    for (const { teamId, entry } of await registry.all()) {
      if (stopping.aborted) return;
      if (entry.kind !== "installed") continue;
      await tokens.current(teamId).catch(() => undefined);
      await tokens.idle();
    }
  }

  /** Resolves when no change is being stored. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#changes);
  }

  /** Changes a workspace while no other process changes it: one that is removed and installed again ends as installed. */
  async #change<T>(teamId: string, work: () => Promise<T>): Promise<T> {
    const change = runAsJob(this.#parts, `slack workspace ${teamId}`, work);
    this.#changes.add(change);
    try {
      return await change;
    } finally {
      this.#changes.delete(change);
    }
  }

  #connect(teamId: string, { botToken, botName, url }: Credentials): ConnectedWorkspace {
    const connected: ConnectedWorkspace = { workspace: { teamId, botName, url }, api: this.#apiOf(teamId) };
    this.#initialTokens.set(connected, botToken);
    return connected;
  }

  /** Uses the current token. Slack rejects a call with an expired token without executing it; it is repeated with a new token. */
  #apiOf(teamId: string): WebApi {
    const { tokens } = this.#parts;
    return {
      call: async (method, args, schema) => {
        const token = await tokens.current(teamId);
        try {
          return await this.#client(teamId, token).call(method, args, schema);
        } catch (error) {
          if (!isExpiredTokenError(error)) throw error;
          const newToken = await tokens.renewExpired(teamId, token).catch((failure: unknown) => {
            // The original refusal of the token is more specific than a refused renewal.
            throw refusalCode(failure) === "" ? failure : error;
          });
          return this.#client(teamId, newToken).call(method, args, schema);
        }
      },
    };
  }

  #client(teamId: string, token: string): WebApi {
    const cached = this.#clients.get(teamId);
    if (cached?.token === token) return cached.api;
    const api = this.#parts.createApi(token);
    this.#clients.set(teamId, { token, api });
    return api;
  }

  /** Returns false only if Slack confirms the removal. */
  async #mayBeInstalled(teamId: string): Promise<boolean> {
    const connected = await this.find({ teamId });
    if (connected === null) return true;
    return fetchWorkspace(connected.api).then(
      () => true,
      (error: unknown) => !isRemovalError(asCallError(error)),
    );
  }

  /** Deletes the credentials first, then pauses the destinations. */
  async #remove(teamId: string, since: Instant, reason: string): Promise<void> {
    const { registry, destinations, log } = this.#parts;
    const wasInstalled = await this.#change(teamId, async () => {
      if (!(await registry.remove(teamId, since, reason))) return false;
      this.#clients.delete(teamId);
      await destinations.pause(teamId, reason, (current) => current === reason);
      return true;
    });
    if (!wasInstalled) return;
    log.warn("slack workspace uninstalled", { workspace: teamId, reason });
    await this.refresh();
  }
}

/** Checks if the event may concern an earlier installation, or a token that rotation has replaced. */
function mayBeOutdated({ kind, at }: Removal, entry: WorkspaceEntry & { readonly since: Instant }): boolean {
  const isRotated = entry.kind === "installed" && entry.credentials.rotation !== null;
  return at < entry.since || (kind === "revoked" && isRotated);
}

function endReasonOf(entry: WorkspaceEntry & { readonly kind: "unknown" | "removed" }): string {
  return entry.kind === "removed" && entry.reason !== null ? entry.reason : REMOVED_REASON;
}

function isRemovalReason(reason: string | null): boolean {
  return reason !== null && REASON_PREFIXES.some((prefix) => reason.startsWith(prefix));
}

export interface WorkspaceDestinationsParts {
  readonly store: Pick<Store, "pauses" | "destinations" | "purgePerson">;
  readonly clock: Clock;
  /** Starts the deliveries of resumed destinations. */
  readonly wake: () => void;
}

/** Pauses, resumes and purges the channels and people of a removed or reinstalled workspace. */
export interface WorkspaceDestinations {
  /** Pauses each destination unless `keepsReason` accepts its current pause reason. */
  pause(teamId: string, reason: string, keepsReason: (current: string) => boolean): Promise<void>;
  resume(teamId: string, canResume: (reason: string | null) => boolean): Promise<void>;
  /** Deletes all data of the workspace's people. Rules of its channels are kept. */
  purgePeople(teamId: string): Promise<void>;
}

export function createWorkspaceDestinations({ store, clock, wake }: WorkspaceDestinationsParts): WorkspaceDestinations {
  /** The workspace's destinations, each with the reason of its pause; null if it isn't paused. */
  async function destinations(teamId: string): Promise<readonly (readonly [Destination, string | null])[]> {
    const prefix = destinationPrefix(teamId);
    const all = await store.destinations(PLATFORM, prefix);
    const reasonOf = await readPauseReasons(store, PLATFORM, prefix);
    return all.map((destination) => [destination, reasonOf(destination)]);
  }

  return {
    async pause(teamId, reason, keepsReason) {
      for (const [destination, current] of await destinations(teamId))
        if (current === null || !keepsReason(current))
          await store.pauses.pause(destination, reason, clock.now(), "gone");
    },
    async resume(teamId, canResume) {
      for (const [destination, current] of await destinations(teamId)) {
        // Also resumes destinations that aren't paused: if a request from before the installation is still refused, the destination
        // is then due again immediately.
        if (canResume(current)) await store.pauses.resume(destination);
      }
      wake();
    },
    async purgePeople(teamId) {
      for (const destination of await store.destinations(PLATFORM, destinationPrefix(teamId)))
        if (isPerson(destination)) await store.purgePerson(destination);
    },
  };
}
