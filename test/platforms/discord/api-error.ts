/** Error response of Discord's API. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: number;
  readonly errors: readonly string[];

  constructor(status: number, code: number, message: string, errors: readonly string[] = []) {
    super(message);
    this.status = status;
    this.code = code;
    this.errors = errors;
  }

  get body(): Readonly<Record<string, unknown>> {
    const errors = this.errors.length === 0 ? {} : { errors: { _errors: this.errors.map((message) => ({ message })) } };
    return { message: this.message, code: this.code, ...errors };
  }
}

/** Error codes that splitwatch may receive, with Discord's messages. */
export const refusals = {
  unauthorized: () => new ApiError(401, 0, "401: Unauthorized"),
  notFound: () => new ApiError(404, 0, "404: Not Found"),
  unknownChannel: () => new ApiError(404, 10_003, "Unknown Channel"),
  unknownGuild: () => new ApiError(404, 10_004, "Unknown Guild"),
  unknownMember: () => new ApiError(404, 10_007, "Unknown Member"),
  unknownMessage: () => new ApiError(404, 10_008, "Unknown Message"),
  unknownUser: () => new ApiError(404, 10_013, "Unknown User"),
  unknownWebhook: () => new ApiError(404, 10_015, "Unknown Webhook"),
  unknownInteraction: () => new ApiError(404, 10_062, "Unknown interaction"),
  acknowledgedBefore: () => new ApiError(400, 40_060, "Interaction has already been acknowledged."),
  missingAccess: () => new ApiError(403, 50_001, "Missing Access"),
  emptyMessage: () => new ApiError(400, 50_006, "Cannot send an empty message"),
  closedToUs: () => new ApiError(403, 50_007, "Cannot send messages to this user"),
  notTextChannel: () => new ApiError(400, 50_008, "Cannot send messages in a non-text channel"),
  missingPermissions: () => new ApiError(403, 50_013, "Missing Permissions"),
  invalidToken: () => new ApiError(401, 50_027, "Invalid Webhook Token"),
  invalidForm: (errors: readonly string[]) => new ApiError(400, 50_035, "Invalid Form Body", errors),
  noHistoryToAnswer: () => new ApiError(400, 160_002, "Cannot reply without permission to read message history"),
  lockedThread: () => new ApiError(403, 160_005, "This thread is locked"),
} as const;
