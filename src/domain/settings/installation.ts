import type { Instant } from "../time/day.ts";

/** One workspace of a platform that took splitwatch in by itself. */
export interface Installation {
  readonly platform: string;
  /** The platform's id of it; opaque. */
  readonly workspaceId: string;
  /** Encrypted, and read by the platform alone. Null: the workspace has left. */
  readonly credentials: string | null;
  /** When it took splitwatch in, or left. */
  readonly since: Instant;
}
