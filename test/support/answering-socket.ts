import { once } from "node:events";
import { connect, createServer, type Server } from "node:net";
import { text } from "node:stream/consumers";

/** Answers each connection to the socket with the result of `answer`. */
export async function listenOn(socket: string, answer: () => Promise<string>): Promise<Server> {
  const report = (): Promise<object> =>
    answer().then(
      (value) => ({ value }),
      (error: unknown) => ({ problem: String(error) }),
    );
  const server = createServer((connection) => {
    void report().then((result) => connection.end(JSON.stringify(result)));
  }).listen(socket);
  await once(server, "listening");
  return server;
}

/** Resolves with the answer of the socket. Rejects with its problem. */
export async function askSocket(socket: string): Promise<string> {
  const answer: unknown = JSON.parse(await text(connect(socket)));
  const { value, problem } = answer as { readonly value?: string; readonly problem?: string };
  if (value === undefined) throw new Error(problem);
  return value;
}
