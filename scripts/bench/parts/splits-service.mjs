// Data service whose articles behave as told. GET /set?splits=N&articles=N&salt=TEXT&behavior=NAME changes it; prints its address.
import { createHash } from "node:crypto";
import { createServer } from "node:http";

const DAY_MS = 86_400_000;
const SLOW_MS = 1_000;
const PAGE_MS = 50;
const TEXT = "The company reports results for the quarter, and will hold a call for its stockholders. ".repeat(12);

let state = { splits: "1", articles: "0", salt: "a", behavior: "prompt" };
let answers = new Map();
const today = new Date().toISOString().slice(0, 10);
const laterDay = new Date(Date.now() + 30 * DAY_MS).toISOString().slice(0, 10);

/** How the pages of articles are answered. */
const BEHAVIORS = {
  prompt: (request, response, page) => send(request, response, pageOf(page)),
  "50 ms per page": (...parts) => setTimeout(() => BEHAVIORS.prompt(...parts), PAGE_MS),
  "50 ms per page, no totals": (...parts) => setTimeout(() => BEHAVIORS.prompt(...parts), PAGE_MS),
  slow: (...parts) => setTimeout(() => BEHAVIORS.prompt(...parts), SLOW_MS),
  failing: (_request, response) => response.writeHead(500).end(),
  "rate limited": (_request, response) => response.writeHead(429, { "retry-after": "1" }).end(),
  hanging: () => undefined,
  endless: (request, response, page) => send(request, response, pageOf(0, `${state.salt}-${page}`)),
};

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, "http://127.0.0.1");
  if (pathname === "/set") {
    state = { ...state, ...Object.fromEntries(searchParams) };
    answers = new Map();
    response.end();
  } else if (pathname === "/v1/splits") send(request, response, splitList());
  else BEHAVIORS[state.behavior](request, response, Number(searchParams.get("page")));
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));

function send(request, response, { body, etag }) {
  const headers = { "content-type": "application/json", etag };
  if (request.headers["if-none-match"] === etag) response.writeHead(304, headers).end();
  else response.writeHead(200, headers).end(body);
}

function cached(name, make) {
  if (!answers.has(name)) {
    const body = Buffer.from(JSON.stringify(make()));
    answers.set(name, { body, etag: `"${createHash("sha256").update(body).digest("hex")}"` });
  }
  return answers.get(name);
}

function splitList() {
  return cached("splits", () => ({ data: Array.from({ length: Number(state.splits) }, (_, n) => splitRow(n)) }));
}

function pageOf(page, salt = state.salt) {
  const total = state.behavior.endsWith("no totals") ? {} : { total_results: Number(state.articles) };
  return cached(`${page} ${salt}`, () => ({ articles: rowsOf(page, salt), ...total }));
}

function rowsOf(page, salt) {
  const count = Math.max(0, Math.min(40, Number(state.articles) - page * 40));
  return Array.from({ length: count }, (_, n) => articleRow(page * 40 + n, salt));
}

function splitRow(n) {
  const company = `Company ${n} Holdings Inc.`;
  return { ticker: `T${n}`, exchange: "NASDAQ", company, ratio: "1:20", ex_date: laterDay, date_announced: today };
}

/** An article that is about none of the splits. */
function articleRow(n, salt) {
  const url = `https://wire.example/${salt}/${n}`;
  const content = `Other Company ${n} Corp. (NYSE: OTHR) ${TEXT}`;
  return { source: "globenewswire", heading: `Other Company ${n} Reports`, url, content, date_published: today };
}
