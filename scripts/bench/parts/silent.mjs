/** Log and metrics that keep nothing. */
const ignore = () => undefined;

export const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };

export const metrics = {
  countPoll: ignore,
  countEvent: ignore,
  countDelivery: ignore,
  observeDeliveryMs: ignore,
  countCommand: ignore,
};
