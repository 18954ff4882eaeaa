/** `127.0.0.1:8080`, `[::1]:8080` */
export function hostAndPort(host: string, port: number): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Address to connect to for a server that listens at `address`: wildcard addresses become loopback ones. */
export function connectableAddress(address: string): string {
  return address.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
}
