import { isIP } from "node:net";

/** Host without the brackets that an IPv6 address has in a URL. */
export function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, "$1");
}

/** True for a host that only this machine can reach: localhost or a loopback address, also in brackets. */
export function isLoopback(host: string): boolean {
  const name = withoutBrackets(host).toLowerCase();
  // Not a name such as 127.example.com.
  return name === "localhost" || name === "::1" || (isIP(name) === 4 && name.startsWith("127."));
}
