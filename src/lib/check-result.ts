/** One thing that was looked at. The text of one that is not well says what to do. */
export interface Finding {
  readonly ok: boolean;
  /** It is not as it could be, and that does no harm. */
  readonly isNote?: boolean;
  readonly text: string;
}

export function well(text: string): Finding {
  return { ok: true, text };
}

export function note(text: string): Finding {
  return { ok: true, isNote: true, text };
}

export function unwell(text: string): Finding {
  return { ok: false, text };
}

/** What was looked at in a part of its own, under the name of that. */
export function under(name: string, findings: readonly Finding[]): readonly Finding[] {
  return findings.map((finding) => ({ ...finding, text: `${name}: ${finding.text}` }));
}
