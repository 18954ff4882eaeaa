import { Hono } from "hono";

export interface OperatorStatus {
  /** Body of /readyz. */
  readiness(): Promise<{ readonly ready: boolean }>;
  metrics(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/** Health, readiness and metrics for the operator. */
export function operationRoutes(status: OperatorStatus): Hono {
  const routes = new Hono();
  routes.get("/healthz", (c) => c.json({ alive: true }, 200, NO_STORE));
  routes.get("/readyz", async (c) => {
    const readiness = await status.readiness();
    return c.json(readiness, readiness.ready ? 200 : 503, NO_STORE);
  });
  routes.get("/metrics", async (c) => {
    const { contentType, text } = await status.metrics();
    return c.body(text, 200, { ...NO_STORE, "Content-Type": contentType });
  });
  return routes;
}

const NO_STORE = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };
