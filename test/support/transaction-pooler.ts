import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** Pooler in front of a PostgreSQL server on this machine that pools by transaction, as PgBouncer with `pool_mode = transaction`. */
export interface TransactionPooler {
  readonly port: number;
  close(): Promise<void>;
}

/** Idle server connection that the next transaction gets. */
export type PoolOrder = "last used" | "longest idle";

/** A connection to the server, which logs in with the messages of the client that opens it. */
interface ServerConnection {
  readonly socket: Socket;
  /** The client of the current transaction; null while the connection is idle. */
  client: Socket | null;
}

export async function startTransactionPooler(serverPort: number, order: PoolOrder): Promise<TransactionPooler> {
  const sockets = new Set<Socket>();
  const idle: ServerConnection[] = [];

  function open(client: Socket): ServerConnection {
    const connection: ServerConnection = { socket: track(connect(serverPort, "127.0.0.1")), client };
    const split = messageSplitter();
    connection.socket.on("data", (bytes) => {
      for (const message of split(bytes)) {
        connection.client?.write(message);
        if (!endsTransaction(message)) continue;
        connection.client = null;
        idle.push(connection);
      }
    });
    return connection;
  }

  function track(socket: Socket): Socket {
    sockets.add(socket);
    return socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket));
  }

  const listener = createServer((client) => {
    let connection: ServerConnection | undefined = open(track(client));
    let isLoggedIn = false;
    client.on("data", (bytes) => {
      isLoggedIn ||= connection?.client !== client;
      if (isLoggedIn && bytes[0] === TERMINATE) return;
      if (connection?.client !== client) connection = order === "last used" ? idle.pop() : idle.shift();
      if (connection === undefined) throw new Error("the pool has no idle connection");
      connection.client = client;
      connection.socket.write(bytes);
    });
    client.on("close", () => {
      if (connection?.client === client) connection.socket.destroy();
    });
  }).listen(0, "127.0.0.1");
  await once(listener, "listening");
  const address = listener.address();
  if (address === null || typeof address === "string") throw new Error("the pooler has no port");
  return {
    port: address.port,
    async close() {
      for (const socket of sockets) socket.destroy();
      listener.close();
      await once(listener, "close");
    },
  };
}

const TERMINATE = "X".charCodeAt(0);
const READY_FOR_QUERY = "Z".charCodeAt(0);
const IDLE = "I".charCodeAt(0);
/** A message: its type, its length without the type, and its content. */
const HEADER_BYTES = 5;

/** Returns a function that collects bytes of the server and returns the messages that are complete. */
function messageSplitter(): (bytes: Buffer) => readonly Buffer[] {
  let rest = Buffer.alloc(0);
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    const messages: Buffer[] = [];
    while (rest.length >= HEADER_BYTES && rest.length > rest.readUInt32BE(1)) {
      const end = rest.readUInt32BE(1) + 1;
      messages.push(rest.subarray(0, end));
      rest = rest.subarray(end);
    }
    return messages;
  };
}

function endsTransaction(message: Buffer): boolean {
  return message[0] === READY_FOR_QUERY && message[HEADER_BYTES] === IDLE;
}
