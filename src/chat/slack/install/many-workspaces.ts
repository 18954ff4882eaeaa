import type { Hono } from "hono";
import { HOUR_MS } from "../../../domain/time/day.ts";
import { hostAndPort } from "../../../http/server.ts";
import { untilAborted } from "../../../lib/abort.ts";
import { type LedJob, leadJob } from "../../../lib/jobs.ts";
import type { Stoppable } from "../../../ports/jobs.ts";
import type { Log } from "../../../ports/log.ts";
import type { Store } from "../../../ports/store.ts";
import { ADMIN_SCOPE, SCOPES } from "../manifest.ts";
import type { ManyWorkspacesAccess, SlackApp } from "../settings.ts";
import { createWebApi, type WebApi } from "../web-api.ts";
import { fetchWorkspace } from "../workspace.ts";
import {
  createWorkspaceDestinations,
  InstalledWorkspaces,
  type WorkspaceDestinationsParts,
} from "./installed-workspaces.ts";
import { createOAuthAccess } from "./oauth-access.ts";
import { createRegistry, createVault } from "./registry.ts";
import { INSTALL_PATH, installRoutes, redirectUriOf } from "./routes.ts";
import { createInstallState } from "./state.ts";
import { RotatingTokens, type Tokens } from "./token-rotation.ts";

export interface ManyWorkspacesParts extends WorkspaceDestinationsParts {
  readonly app: Pick<SlackApp, "apiUrl" | "port">;
  readonly store: WorkspaceDestinationsParts["store"] &
    Pick<Store, "installations" | "usedTokens" | "jobs" | "mayStillSend">;
  readonly host: string;
  /** Port of splitwatch's HTTP server, used if the app has no separate port. */
  readonly serverPort: number;
  readonly publicUrl: string | null;
  readonly restrictSubscribe: boolean;
  readonly log: Log;
}

export interface ManyWorkspaces {
  readonly workspaces: InstalledWorkspaces;
  readonly routes: Hono;
  /** Problem of some or all workspaces, for the operator; null if there is none. */
  problem(): string | null;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const MAINTENANCE_INTERVAL_MS = HOUR_MS;

/** A Slack app that workspaces install through OAuth. */
export function createManyWorkspaces(client: ManyWorkspacesAccess, parts: ManyWorkspacesParts): ManyWorkspaces {
  const { app, store, clock, log, publicUrl } = parts;
  const createApi = (token?: string): WebApi =>
    createWebApi(token, { apiUrl: app.apiUrl, log, mayPost: () => store.mayStillSend() });
  const registry = createRegistry(store.installations, createVault(client.encryptionKey), clock);
  const access = createOAuthAccess({ client, redirectUri: redirectUriOf(publicUrl), api: createApi(), clock });
  const stopping = new AbortController();
  const running = { jobs: store.jobs, clock, stopping: stopping.signal };
  const tokens = new RotatingTokens({ registry, access, ...running, log });
  const workspaces = new InstalledWorkspaces({
    registry,
    tokens,
    destinations: createWorkspaceDestinations(parts),
    ...running,
    createApi,
    log,
    installUrl: publicUrl === null ? null : `${publicUrl}${INSTALL_PATH}`,
  });
  const routes = installRoutes({
    clientId: client.clientId,
    scopes: [...SCOPES.map(({ name }) => name), ...(parts.restrictSubscribe ? [ADMIN_SCOPE] : [])],
    publicUrl,
    state: createInstallState({ secret: client.stateSecret, tokens: store.usedTokens, clock }),
    access,
    lookUp: (botToken) => fetchWorkspace(createApi(botToken)),
    install: (teamId, credentials) => workspaces.install(teamId, credentials),
    log,
  });
  return {
    workspaces,
    routes,
    problem: () => workspaces.problem() ?? tokens.problem(),
    ...createLifecycle(workspaces, tokens, stopping, parts),
  };
}

/** Renews tokens and purges removed workspaces at start and then every hour, in one process. */
function createLifecycle(
  workspaces: InstalledWorkspaces,
  tokens: Tokens,
  stopping: AbortController,
  parts: ManyWorkspacesParts,
): Pick<ManyWorkspaces, "start" | "stop"> {
  const { store, clock, log } = parts;
  let job: LedJob | null = null;
  let refreshing: Promise<void> = Promise.resolve();

  async function maintain(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await workspaces.purgeRemoved().catch((error: unknown) => log.error("slack workspace cleanup failed", { error }));
      await workspaces.renewDue(signal).catch((error: unknown) => log.error("slack tokens unreadable", { error }));
      await clock.sleep(MAINTENANCE_INTERVAL_MS, signal);
    }
  }

  async function refreshHourly(): Promise<void> {
    const { signal } = stopping;
    for (;;) {
      await clock.sleep(MAINTENANCE_INTERVAL_MS, signal);
      if (signal.aborted) return;
      await workspaces.refresh().catch((error: unknown) => log.error("slack workspaces unreadable", { error }));
    }
  }

  /** Resolves after the first synchronization, unless another process maintains the workspaces. */
  async function lead(): Promise<void> {
    const synced = new AbortController();
    const start = async (): Promise<Stoppable> => {
      await workspaces.sync();
      synced.abort();
      const ending = new AbortController();
      const maintenance = maintain(ending.signal);
      return {
        stop: () => {
          ending.abort();
          return maintenance;
        },
      };
    };
    const { signal } = stopping;
    job = leadJob({ jobs: store.jobs, clock, stopping: signal }, { name: "slack maintenance", start });
    if (await job.isHeld) await Promise.race([untilAborted(synced.signal), untilAborted(signal)]);
  }

  return {
    async start() {
      const installed = await workspaces.refresh();
      log.info("slack workspaces", { installed, installAt: displayedInstallUrl(parts) });
      const problem = workspaces.problem();
      if (problem !== null) log.error("slack workspaces locked", { reason: problem });
      await lead();
      refreshing = refreshHourly();
    },
    async stop() {
      stopping.abort();
      await Promise.all([job?.giveUp(), refreshing]);
      await tokens.idle();
      await workspaces.idle();
    },
  };
}

/** URL of the install page for the log; null if the port is only known after binding. */
function displayedInstallUrl({ publicUrl, host, serverPort, app }: ManyWorkspacesParts): string | null {
  if (publicUrl !== null) return `${publicUrl}${INSTALL_PATH}`;
  const port = app.port ?? serverPort;
  return port === 0 ? null : `http://${hostAndPort(host, port)}${INSTALL_PATH}`;
}
