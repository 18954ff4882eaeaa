/** Minimum interval between two requests. The host accepts intervals of 0.6 to 1 s if the client identifies itself. */
export const PACE_MS = 800;
