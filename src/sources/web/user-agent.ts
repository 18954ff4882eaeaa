/** User agent for hosts without a configured one. */
export const DEFAULT_AGENT = "splitwatch";

/** Values of the placeholders in a configured agent. */
export interface UserAgentParts {
  readonly version: string;
  /** Mail or web address that the operators of hosts can contact; null: unknown. */
  readonly contact: string | null;
}

/** Fills in a configured agent such as `splitwatchBot/{version} (+{contact})`. */
export function userAgent(template: string, { version, contact }: UserAgentParts): string {
  // By convention a plus sign marks a web address.
  const isWebAddress = contact !== null && /^https?:/.test(contact);
  const filled = isWebAddress ? template : template.replaceAll("+{contact}", "{contact}");
  return filled.replaceAll("{version}", version).replaceAll("{contact}", contact ?? "reverse split alerts");
}

/** Product name of an agent, by which robots rules select it. */
export function productOf(agent: string): string {
  return /^[^/\s]+/.exec(agent)?.[0] ?? DEFAULT_AGENT;
}
