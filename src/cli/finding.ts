/** One thing that was looked at. The text of one that is not well says what to do. */
export interface Finding {
  readonly ok: boolean;
  readonly text: string;
}

export function well(text: string): Finding {
  return { ok: true, text };
}

export function unwell(text: string): Finding {
  return { ok: false, text };
}
