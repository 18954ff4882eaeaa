/** The oldest supported version of Node.js, as package.json states it. */
export const MIN_NODE_VERSION = "20.19";

/** Returns why splitwatch can't run on this version of Node.js, such as `18.20.4`; null if it can. */
export function nodeVersionProblem(version: string): string | null {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [minMajor = 0, minMinor = 0] = MIN_NODE_VERSION.split(".").map(Number);
  if (major > minMajor || (major === minMajor && minor >= minMinor)) return null;
  return `Node.js: got version ${version}, expected ${MIN_NODE_VERSION} or newer; install the current LTS version from https://nodejs.org`;
}
