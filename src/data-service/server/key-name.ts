import { KEY_NAME } from "../../ports/state-records.ts";

/** What is wrong with the name of a key; null when it can be used. */
export function keyNameProblem(name: string): string | null {
  if (KEY_NAME.test(name)) return null;
  return `NAME: got ${JSON.stringify(name)}, expected 1 to 64 letters, digits, dots, hyphens or underscores`;
}
