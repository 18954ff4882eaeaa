import { once } from "node:events";
import http, { type ClientRequest, type RequestOptions } from "node:http";
import https from "node:https";
import { isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { Agent, buildConnector, Client, Dispatcher, ProxyAgent } from "undici";
import { withoutBrackets } from "../lib/loopback.ts";
import { proxyFor, type UsedProxy } from "../lib/proxies.ts";

/** Time in milliseconds for a connection to the proxy, and for its answer. */
const CONNECT_TIMEOUT_MS = 10_000;

/** Agent that sends requests through the proxy of their address, or directly. */
export class ProxyingAgent extends Dispatcher {
  readonly #settings: Agent.Options;
  readonly #direct: Agent;
  readonly #proxied = new Map<string, ProxyAgent>();

  constructor(settings: Agent.Options) {
    super();
    this.#settings = settings;
    this.#direct = new Agent(settings);
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const proxy = proxyFor(new URL(String(options.origin)));
    return (proxy === null ? this.#direct : this.#through(proxy)).dispatch(options, handler);
  }

  override async close(): Promise<void> {
    await Promise.all([this.#direct, ...this.#proxied.values()].map((agent) => agent.close()));
  }

  override async destroy(): Promise<void> {
    await Promise.all([this.#direct, ...this.#proxied.values()].map((agent) => agent.destroy()));
  }

  #through({ url }: UsedProxy): ProxyAgent {
    const known = this.#proxied.get(url.href);
    if (known) return known;
    const timeouts = { timeout: CONNECT_TIMEOUT_MS };
    const agent = new ProxyAgent({
      ...this.#settings,
      uri: url.href,
      proxyTunnel: true,
      proxyTls: timeouts,
      requestTls: timeouts,
    });
    this.#proxied.set(url.href, agent);
    return agent;
  }
}

interface Target {
  readonly host: string;
  readonly port: string;
  readonly isSecure: boolean;
}

/** Opens a connection to the target through the proxy. Errors name the variable of the proxy. */
async function connectThrough(proxy: UsedProxy, { host, port, isSecure }: Target): Promise<Socket> {
  const { username, password, origin } = proxy.url;
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const authorization = username === "" ? {} : { "proxy-authorization": `Basic ${btoa(credentials)}` };
  const path = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const client = new Client(origin, {
    allowH2: false,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: CONNECT_TIMEOUT_MS,
  });
  try {
    const { statusCode, socket } = await client.connect({ path, headers: { host: path, ...authorization } });
    if (statusCode !== 200) {
      socket.on("error", () => undefined).destroy();
      throw Object.assign(new Error(`the proxy answered ${statusCode}`), { code: `PROXY_${statusCode}` });
    }
    if (!isSecure) return socket as Socket;
    const servername = isIP(host) === 0 ? { servername: host } : {};
    const secured = connectTls({ socket, host, ALPNProtocols: ["http/1.1"], ...servername });
    await once(secured, "secureConnect");
    return secured;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw Object.assign(new Error(`${reason}, through ${proxy.name}`), { code: codeOf(error) });
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

/** Agent for WebSockets of undici. `onSocket` receives each connection, because closing the agent doesn't close it. */
export function createWebSocketAgent(onSocket: (socket: Socket) => void): Agent {
  const connectDirectly = buildConnector({ allowH2: false });
  return new Agent({
    connect: (options, callback) => {
      const { protocol, hostname, port } = options;
      const isSecure = protocol === "https:";
      const proxy = proxyFor(new URL(`${protocol}//${hostname}:${port}`));
      const answer: buildConnector.Callback = (...result) => {
        if (result[1]) onSocket(result[1]);
        callback(...result);
      };
      if (proxy === null) connectDirectly(options, answer);
      else
        connectThrough(proxy, {
          host: withoutBrackets(hostname),
          port: port || (isSecure ? "443" : "80"),
          isSecure,
        }).then(
          (socket) => answer(null, socket),
          (error: Error) => answer(error, null),
        );
    },
  });
}

type ConnectionCallback = (error: Error | null, socket?: Socket) => void;

let areWebSocketsProxied = false;

/** Makes WebSockets of the package `ws` use the proxies: a library that uses it passes it neither an agent nor a connection. */
export function proxyWebSockets(): void {
  if (areWebSocketsProxied) return;
  areWebSocketsProxied = true;
  for (const [module, isSecure] of [
    [http, false],
    [https, true],
  ] as const) {
    const { request } = module;
    const proxied = (options: RequestOptions, ...rest: unknown[]): ClientRequest =>
      Reflect.apply(request, module, [isWebSocket(options) ? throughProxy(options, isSecure) : options, ...rest]);
    Object.assign(module, { request: proxied });
  }
}

function isWebSocket({ headers }: RequestOptions): boolean {
  return headers !== undefined && "Upgrade" in headers && headers.Upgrade === "websocket";
}

function throughProxy(options: RequestOptions, isSecure: boolean): RequestOptions {
  const [host, port] = [options.host ?? "", String(options.port)];
  const proxy = proxyFor(new URL(`${isSecure ? "wss" : "ws"}://${isIP(host) === 6 ? `[${host}]` : host}:${port}`));
  if (proxy === null) return options;
  const createConnection = (_: unknown, answer: ConnectionCallback): undefined => {
    connectThrough(proxy, { host, port, isSecure }).then((socket) => answer(null, socket), answer);
  };
  // The types lack the callback of a connection that is opened later.
  return { ...options, createConnection: createConnection as unknown as RequestOptions["createConnection"] };
}
