// Bare node:http server that copies the answers of another server: status, headers and bytes. Arguments: the address of that
// server, and its requests as JSON: [{ path, headers }].
import { createServer } from "node:http";
import { get } from "./http-load.mjs";

const [origin, requests] = process.argv.slice(2);
/** Headers that node:http adds to each answer. */
const CONNECTION_HEADERS = new Set(["connection", "date", "keep-alive"]);

const answers = new Map();
for (const { path, headers } of JSON.parse(requests)) {
  const answer = await get(origin + path, headers);
  const own = Object.entries(answer.headers).filter(([name]) => !CONNECTION_HEADERS.has(name));
  answers.set(nameOf(path, headers), { ...answer, headers: Object.fromEntries(own) });
}

const server = createServer((incoming, outgoing) => {
  const { status, headers, body } = answers.get(nameOf(incoming.url, incoming.headers));
  outgoing.writeHead(status, headers);
  outgoing.end(body);
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));

function nameOf(path, headers) {
  return `${path} ${headers["accept-encoding"]} ${headers["if-none-match"]}`;
}
