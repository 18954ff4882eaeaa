import { readFile, writeFile } from "node:fs/promises";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Destination } from "../../src/domain/alert/destination.ts";
import { type FakeDiscord, startDiscord } from "../platforms/discord/server.ts";
import { type Slack, startSlack } from "../platforms/slack/server/server.ts";
import { aRule } from "./builders.ts";
import { openIn } from "./store-folder.ts";

/** A mistake in the set-up of splitwatch, and what `splitwatch doctor` prints about it. */
export interface Planted {
  /** Variables in addition to PORT=0 and settings with sample data. */
  readonly env?: Readonly<Record<string, string>>;
  /** Content of the file that SPLITWATCH_CONFIG names. */
  readonly yaml?: string;
  /** The line that names the mistake; all other lines pass, unless they are listed in `more`. */
  readonly line: string | RegExp;
  /** Lines of other checks that can't pass because of the mistake. */
  readonly more?: readonly (string | RegExp)[];
}

/** The folder of a test, and servers that end with it. */
export interface World {
  readonly folder: string;
  readonly path: (name: string) => string;
  readonly write: (name: string, text: string) => Promise<void>;
  /** Creates the store in DATA_DIR with a rule for each channel. */
  readonly store: (...channels: readonly Destination[]) => Promise<void>;
  readonly slack: () => Promise<Slack>;
  readonly discord: () => Promise<FakeDiscord>;
  /** Starts an HTTP server and returns its address. */
  readonly http: (answer: RequestListener) => Promise<string>;
  /** Starts an HTTPS server with a certificate that no authority has signed. */
  readonly https: (answer: RequestListener) => Promise<string>;
  /** Starts a server that answers the first bytes of each connection with a text. Returns its host and port. */
  readonly tcp: (text: string) => Promise<string>;
  /** Starts a proxy that replaces text in the answers of a server by text of the same length. Returns its host and port. */
  readonly rewriting: (target: URL, from: RegExp, to: string) => Promise<string>;
  /** Host and port at which nothing listens. */
  readonly unreachable: () => Promise<string>;
}

export function createWorld(folder: string): World {
  const path = (name: string): string => join(folder, name);
  return {
    folder,
    path,
    write: (name, text) => writeFile(path(name), text),
    async store(...channels) {
      const store = await openIn(path("data"));
      for (const destination of channels) await store.rules.add(aRule({ destination }));
      await store.close();
    },
    async slack() {
      const slack = await startSlack();
      onTestFinished(() => slack.stop());
      return slack;
    },
    async discord() {
      const discord = await startDiscord();
      onTestFinished(() => discord.stop());
      return discord;
    },
    http: async (answer) => `http://${await listen(createHttpServer(answer))}`,
    async https(answer) {
      const [cert, key] = await Promise.all(["localhost.crt", "localhost.key"].map(tlsFile));
      return `https://${await listen(createHttpsServer({ cert, key }, answer))}`;
    },
    tcp: (text) =>
      listen(
        createServer((socket) => {
          socket.on("error", () => socket.destroy());
          socket.once("data", () => socket.end(text));
        }),
      ),
    rewriting: (target, from, to) => listen(createServer((client) => rewrite(client, target, { from, to }))),
    async unreachable() {
      const server = createServer();
      const address = await listen(server);
      server.close();
      return address;
    },
  };
}

function rewrite(client: Socket, target: URL, { from, to }: { readonly from: RegExp; readonly to: string }): void {
  const server = connect(Number(target.port), target.hostname);
  const end = (): void => {
    client.destroy();
    server.destroy();
  };
  client.on("data", (bytes) => server.write(bytes));
  server.on("data", (bytes) => client.write(Buffer.from(bytes.toString("latin1").replace(from, to), "latin1")));
  for (const socket of [client, server]) socket.on("error", end).on("close", end);
}

/** Returns host and port. The server ends with the test. */
async function listen(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function tlsFile(name: string): Promise<Buffer> {
  return readFile(new URL(`../fixtures/tls/${name}`, import.meta.url));
}
