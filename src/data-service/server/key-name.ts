/** What a key may be called. */
export const KEY_NAME = /^[A-Za-z0-9._-]{1,64}$/;

/** What is wrong with the name of a key; null when it can be used. */
export function keyNameProblem(name: string): string | null {
  if (KEY_NAME.test(name)) return null;
  return `NAME: got ${JSON.stringify(name)}, expected 1 to 64 letters, digits, dots, hyphens or underscores`;
}
