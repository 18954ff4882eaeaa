/** Agent of a host for which none is configured. */
export const DEFAULT_AGENT = "splitwatch";

/** Values of the placeholders in a configured agent. */
export interface AgentParts {
  readonly version: string;
  /** Mail or web address under which an operator of a host finds out more; null: unknown. */
  readonly contact: string | null;
}

/** Fills in a configured agent such as `splitwatchBot/{version} (+{contact})`. */
export function userAgent(template: string, { version, contact }: AgentParts): string {
  // By convention a plus sign marks a web address.
  const isWebAddress = contact !== null && /^https?:/.test(contact);
  const filled = isWebAddress ? template : template.replaceAll("+{contact}", "{contact}");
  return filled.replaceAll("{version}", version).replaceAll("{contact}", contact ?? "reverse split alerts");
}

/** Product name of an agent, which robots rules name. */
export function productOf(agent: string): string {
  return /^[^/\s]+/.exec(agent)?.[0] ?? DEFAULT_AGENT;
}
