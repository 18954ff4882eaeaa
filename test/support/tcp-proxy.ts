import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/**
 * What a proxy does with bytes of a client: `swallow-answer` forwards them and closes the connection when the server answers; `withhold`
 * drops them and leaves the connection open.
 */
export type ProxyDecision = "forward" | "cut" | "swallow-answer" | "withhold";

/** Proxy in front of a server on this machine, which can interrupt its connections. */
export interface TcpProxy {
  readonly port: number;
  /** Decides about the bytes of clients; by default, they are forwarded. */
  decide: (bytes: Buffer) => ProxyDecision;
  /** Closes all connections; new ones are accepted. */
  dropConnections(): void;
  close(): Promise<void>;
}

export async function startTcpProxy(serverPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const listener = createServer((client) => {
    const server = connect(serverPort, "127.0.0.1");
    const cut = (): void => {
      client.destroy();
      server.destroy();
    };
    let swallowsAnswer = false;
    client.on("data", (bytes) => {
      const decision = proxy.decide(bytes);
      if (decision === "cut") return cut();
      if (decision === "withhold") return;
      swallowsAnswer ||= decision === "swallow-answer";
      server.write(bytes);
    });
    server.on("data", (bytes) => {
      if (swallowsAnswer) return cut();
      client.write(bytes);
    });
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on("error", cut);
      socket.on("close", () => {
        sockets.delete(socket);
        cut();
      });
    }
  }).listen(0, "127.0.0.1");
  await once(listener, "listening");
  const address = listener.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  const proxy: TcpProxy = {
    port: address.port,
    decide: () => "forward",
    dropConnections() {
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      proxy.dropConnections();
      listener.close();
      await once(listener, "close");
    },
  };
  return proxy;
}
