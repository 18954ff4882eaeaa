/** `127.0.0.1:8080`, `[::1]:8080` */
export function hostAndPort(host: string, port: number): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** The address under which this machine reaches what listens at `address`: one that stands for all of its own is none to connect to. */
export function connectableAddress(address: string): string {
  return address.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
}
