import { BlockList, isIP } from "node:net";
import { withoutBrackets } from "./loopback.ts";

/** Values of the variables; undefined if they are not set. */
export type ProxyVariables = Partial<Readonly<Record<"HTTPS_PROXY" | "HTTP_PROXY" | "NO_PROXY", string | undefined>>>;

/** The proxy for an address. */
export interface UsedProxy {
  /** Address of the proxy, which may contain a user and a password. */
  readonly url: URL;
  /** For messages: the variable and the address without credentials, such as `HTTPS_PROXY (proxy.example:3128)`. */
  readonly name: string;
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

let variables: ProxyVariables = {};

/** Sets the proxies of all later connections of this process. */
export function useProxies(values: ProxyVariables): void {
  variables = values;
}

/** Parses a proxy's address, such as `http://proxy.example:3128` or `proxy.example:3128`. Returns null if it is invalid. */
export function parseProxy(text: string): URL | null {
  const address = text.includes("://") ? text : `http://${text}`;
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  return url.protocol in DEFAULT_PORTS && url.hostname !== "" ? url : null;
}

/** Returns the proxy for an http, https, ws or wss address; null for a direct connection. HTTPS_PROXY defaults to HTTP_PROXY. */
export function proxyFor(target: URL): UsedProxy | null {
  const isSecure = target.protocol === "https:" || target.protocol === "wss:";
  const variable = isSecure && isSet(variables.HTTPS_PROXY) ? "HTTPS_PROXY" : "HTTP_PROXY";
  const url = parseProxy(variables[variable] ?? "");
  if (url === null || !isSet(variables[variable]) || isExcluded(target, isSecure ? "443" : "80")) return null;
  return { url, name: `${variable} (${url.hostname}:${url.port || DEFAULT_PORTS[url.protocol]})` };
}

function isSet(text: string | undefined): boolean {
  return text !== undefined && text !== "";
}

/** Whether NO_PROXY contains the host, one of its domains, or a network of its address. */
function isExcluded({ hostname, port }: URL, defaultPort: string): boolean {
  const host = withoutBrackets(hostname).toLowerCase();
  const entries = (variables.NO_PROXY ?? "").toLowerCase().split(/[,\s]+/);
  return entries.some((entry) => {
    if (entry === "*") return true;
    if (entry.includes("/")) return isInNetwork(host, entry);
    const [, name = entry, entryPort] = /^([^:]+|\[[^\]]+\]):(\d{1,5})$/.exec(entry) ?? [];
    if (entryPort !== undefined && entryPort !== (port || defaultPort)) return false;
    const domain = withoutBrackets(name.replace(/^\*?\./, ""));
    return domain !== "" && (host === domain || host.endsWith(`.${domain}`));
  });
}

/** `network`: an address and the length of its prefix, such as 10.0.0.0/8. */
function isInNetwork(host: string, network: string): boolean {
  const [address = "", prefix] = network.split("/");
  if (isIP(host) === 0 || isIP(host) !== isIP(address)) return false;
  const family = isIP(host) === 4 ? "ipv4" : "ipv6";
  const list = new BlockList();
  try {
    list.addSubnet(address, Number(prefix), family);
  } catch {
    return false;
  }
  return list.check(host, family);
}
