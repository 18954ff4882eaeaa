/** What a read or a check of a source of splits showed. */
export interface SourceOutcome {
  readonly name: string;
  readonly isRead: boolean;
  /** True if its host gives no answer. */
  readonly isUnreachable: boolean;
}

/** `0 of 9 split sources can be read`, with the likely cause. */
export function noSourceText(outcomes: readonly SourceOutcome[], usesProxy: boolean): string {
  const count = `0 of ${outcomes.length} split ${outcomes.length === 1 ? "source" : "sources"} can be read`;
  if (!outcomes.every(({ isUnreachable }) => isUnreachable)) return `${count}; each is listed with its reason`;
  return `${count}; no route, DNS or proxy? HTTPS_PROXY is ${usesProxy ? "set" : "not set"}`;
}
