type Exec = (this: RegExp, text: string) => RegExpExecArray | null;

/** Runs work and returns the regular expressions that it applied to a text of more than `maxLength` characters. */
export async function patternsBeyond(maxLength: number, work: () => Promise<unknown>): Promise<readonly string[]> {
  const exec: Exec = Reflect.get(RegExp.prototype, "exec");
  const found = new Set<string>();
  // Every use of a pattern calls `exec` if it is replaced: test, match, replace, search and split.
  replaceExec(function execAndMeasure(text) {
    if (text.length > maxLength) found.add(String(this));
    return exec.call(this, text);
  });
  try {
    await work();
  } finally {
    replaceExec(exec);
  }
  return [...found];
}

function replaceExec(value: Exec): void {
  const patterns: object = RegExp.prototype;
  Object.defineProperty(patterns, "exec", { value, writable: true, configurable: true });
}
