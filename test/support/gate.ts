export interface Gate {
  /** Resolves when the gate is opened. */
  readonly opened: Promise<void>;
  open(): void;
}

/** Holds something up until the test lets it go, or lets the test wait until something has happened. */
export function gate(): Gate {
  const waiting: { open?: () => void } = {};
  const opened = new Promise<void>((resolve) => {
    waiting.open = resolve;
  });
  return { opened, open: () => waiting.open?.() };
}
