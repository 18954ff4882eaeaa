import { BlockList, isIP } from "node:net";

/** Loopback, private, link-local, multicast and reserved networks. */
const NOT_PUBLIC_IPV4 = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const;
const NOT_PUBLIC = blockList([
  ...NOT_PUBLIC_IPV4,
  // Azure's services for a virtual machine, reachable only from that machine.
  ["168.63.129.16", 32],
  // The same networks behind NAT64, local-use NAT64, and 6to4 and Teredo, which embed arbitrary IPv4 addresses.
  ...NOT_PUBLIC_IPV4.map(([network, bits]) => [`64:ff9b::${network}`, 96 + bits] as const),
  ["64:ff9b:1::", 48],
  ["2002::", 16],
  ["2001::", 32],
  ["::", 96],
  ["fc00::", 7],
  ["fe80::", 9],
  ["ff00::", 8],
]);
const LOOPBACK = blockList([
  ["127.0.0.0", 8],
  ["::1", 128],
]);

/** Protects against feeds and redirects that point into the local network (server-side request forgery). */
export interface AddressRule {
  /** Reason to reject an address before its name is resolved; null: it is allowed. */
  readonly problemOf: (url: URL) => string | null;
  /** Whether a connection to the resolved address is allowed. */
  readonly mayConnect: (host: string, address: string) => boolean;
}

/** Creates a rule. Configured hosts may have any address. If one is a loopback address, other hosts may also be on loopback. */
export function createAddressRule(configured: readonly string[]): AddressRule {
  const addresses = configured.filter((address) => URL.canParse(address));
  const configuredHosts = new Set(addresses.map((address) => hostOf(new URL(address))));
  const allowsLoopback = [...configuredHosts].some((host) => host === "localhost" || isIn(LOOPBACK, host));
  const mayConnect = (host: string, address: string): boolean =>
    configuredHosts.has(host) || !isIn(NOT_PUBLIC, address) || (allowsLoopback && isIn(LOOPBACK, address));
  return {
    mayConnect,
    problemOf: (url) => {
      const host = hostOf(url);
      if (url.protocol !== "http:" && url.protocol !== "https:") return `${url.protocol} is not http: or https:`;
      return isIP(host) === 0 || mayConnect(host, host) ? null : `${host} is not a public address`;
    },
  };
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}

function isIn(list: BlockList, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 4 ? "ipv4" : "ipv6");
}

function blockList(networks: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [network, bits] of networks) list.addSubnet(network, bits, isIP(network) === 4 ? "ipv4" : "ipv6");
  return list;
}
