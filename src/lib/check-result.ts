/** Outcome of one check of `splitwatch doctor`. The text of a failed check says what to do. */
export interface CheckResult {
  readonly status: "pass" | "warn" | "fail" | "off";
  readonly text: string;
  /** Address that adds the app to a server, if the check determined it. */
  readonly inviteLink?: string;
  /** Present for a check of a source of splits. */
  readonly source?: { readonly name: string; readonly isRead: boolean; readonly isUnreachable: boolean };
}

export function pass(text: string): CheckResult {
  return { status: "pass", text };
}

export function warn(text: string): CheckResult {
  return { status: "warn", text };
}

export function fail(text: string): CheckResult {
  return { status: "fail", text };
}

/** Result for a part that is not configured and was not checked. The text says how to enable it. */
export function off(text: string): CheckResult {
  return { status: "off", text };
}

/** Prefixes each text with the name of the checked part. */
export function withPrefix(name: string, results: readonly CheckResult[]): readonly CheckResult[] {
  return results.map((result) => ({ ...result, text: `${name}: ${result.text}` }));
}
