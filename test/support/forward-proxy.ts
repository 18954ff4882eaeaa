import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** Proxy on this machine, through which every host is this machine. It accepts one user. */
export interface ForwardProxy {
  /** With user and password. */
  readonly address: string;
  /** Hosts and ports of the requested connections, such as `discord.test:80`. */
  readonly asked: readonly string[];
  /** Requests without the user or with another method than CONNECT. */
  readonly refused: readonly string[];
}

const CREDENTIALS = "proxy-user:proxy-password";

/** The proxy ends with the test. */
export async function startForwardProxy(): Promise<ForwardProxy> {
  const asked: string[] = [];
  const refused: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    refused.push(`${request.method} ${request.url}`);
    response.writeHead(405).end();
  });
  server.on("connection", (socket: Socket) => sockets.add(socket));
  server.on("connect", ({ url = "", headers }, client: Socket) => {
    client.on("error", () => client.destroy());
    if (headers["proxy-authorization"] !== `Basic ${btoa(CREDENTIALS)}`) {
      refused.push(url);
      client.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
      return;
    }
    asked.push(url);
    const target = connect(Number(url.split(":").at(-1)), "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      client.pipe(target).pipe(client);
    });
    sockets.add(target);
    target.on("error", () => client.destroy()).on("close", () => client.destroy());
    client.on("close", () => target.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  return { address: `http://${CREDENTIALS}@127.0.0.1:${address.port}`, asked, refused };
}
