import { BlockList, isIP } from "node:net";

/** Addresses of no use to a stranger: this machine, its network, multicast, reserved ones. */
const NOT_PUBLIC_4 = [
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
  ...NOT_PUBLIC_4,
  // A network without IPv4 reaches it by these.
  ...NOT_PUBLIC_4.map(([network, bits]) => [`64:ff9b::${network}`, 96 + bits] as const),
  ["::", 96],
  ["fc00::", 7],
  ["fe80::", 9],
  ["ff00::", 8],
]);
const THIS_MACHINE = blockList([
  ["127.0.0.0", 8],
  ["::1", 128],
]);

/** Keeps a feed from leading us to a machine that only we can reach. */
export interface AddressRule {
  /** What is wrong with an address that a feed or a redirect leads to; null: nothing that can be seen before its name is looked up. */
  readonly problemOf: (url: URL) => string | null;
  readonly mayConnect: (host: string, address: string) => boolean;
}

/** Hosts that the operator has named himself may be anywhere; so may others on this machine where a named one is on it. */
export function addressRule(feeds: readonly string[]): AddressRule {
  const named = new Set(feeds.filter((feed) => URL.canParse(feed)).map((feed) => hostOf(new URL(feed))));
  const thisMachineNamed = [...named].some((host) => host === "localhost" || isIn(THIS_MACHINE, host));
  const mayConnect = (host: string, address: string): boolean =>
    named.has(host) || !isIn(NOT_PUBLIC, address) || (thisMachineNamed && isIn(THIS_MACHINE, address));
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
