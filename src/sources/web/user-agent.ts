/** Agent of a host for which none is configured. */
export const DEFAULT_AGENT = "splitwatch";

/** Values of the placeholders in a configured agent. */
export interface AgentParts {
  readonly version: string;
  /** Address under which an operator of a host finds out more; null: unknown. */
  readonly publicUrl: string | null;
}

/** Fills in a configured agent such as `splitwatchBot/{version} (+{contact})`. */
export function userAgent(template: string, { version, publicUrl }: AgentParts): string {
  const contact = publicUrl === null ? template.replace("+{contact}", "{contact}") : template;
  return contact.replaceAll("{version}", version).replaceAll("{contact}", publicUrl ?? "reverse split alerts");
}

/** Product name of an agent, which robots rules name. */
export function productOf(agent: string): string {
  return /^[^/\s]+/.exec(agent)?.[0] ?? DEFAULT_AGENT;
}
