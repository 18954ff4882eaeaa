// Requests that are built to be expensive: the known shapes, and generated ones that a seed reproduces.

const CRLF = "\r\n";
/** Node.js refuses headers above 16 KiB, the target included. */
const HEADER_BYTES = 15_700;

/** Bytes of a request. A text is sent as Latin-1. `chunkBytes`: the body is sent in chunks of this size, without its length. */
function bytesOf({ method = "GET", target, headers = [], body = "", chunkBytes }) {
  const isChunked = chunkBytes !== undefined;
  const length = isChunked ? ["Transfer-Encoding: chunked"] : [`Content-Length: ${Buffer.byteLength(body, "latin1")}`];
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...(headers.some((header) => /^host:/i.test(header)) ? [] : ["Host: localhost"]),
    "Connection: close",
    ...headers,
    ...(body === "" && !isChunked ? [] : length),
  ];
  const sent = isChunked ? `${chunked(body, chunkBytes)}0${CRLF}${CRLF}` : body;
  return Buffer.from(`${lines.join(CRLF)}${CRLF}${CRLF}${sent}`, "latin1");
}

function chunked(body, size) {
  const chunks = [];
  for (let at = 0; at < body.length; at += size) {
    const chunk = body.slice(at, at + size);
    chunks.push(`${chunk.length.toString(16)}${CRLF}${chunk}${CRLF}`);
  }
  return chunks.join("");
}

/** `text` as often as it fits in so many bytes. */
function fill(text, bytes = HEADER_BYTES) {
  return text.repeat(Math.max(1, Math.floor(bytes / text.length)));
}

const FORM = "Content-Type: application/x-www-form-urlencoded";
const JSON_TYPE = "Content-Type: application/json";

const BOUNDARY = "b";
const PART = `--${BOUNDARY}${CRLF}Content-Disposition:form-data;name="a"${CRLF}${CRLF}${CRLF}`;
const multipart = {
  method: "POST",
  target: "/login",
  headers: [`Content-Type: multipart/form-data; boundary=${BOUNDARY}`],
  body: `${fill(PART, 16_000)}--${BOUNDARY}--${CRLF}`,
};

function numbered(text, end, count) {
  let result = "";
  for (let number = 0; number < count && result.length < HEADER_BYTES; number += 1) result += `${text}${number}${end}`;
  return result;
}

const OPEN_SHAPES = [
  ["a plain request", { target: "/healthz" }],
  ["Bearer and spaces", { target: "/api/overview", headers: [`Authorization: Bearer${fill(" ")}\xa0`] }],
  ["Basic and spaces", { target: "/api/overview", headers: [`Authorization: Basic${fill(" ")}\xa0`] }],
  ["apiKey repeated before #", { target: `/healthz?${fill("&apiKey=e")}#` }],
  ["apiKey repeated, /v1", { target: `/v1/splits?${fill("&apiKey=e")}` }],
  ["a parameter repeated, /v1", { target: `/v1/splits?${fill("a&")}` }],
  ["many parameters, /v1", { target: `/v1/splits?${numbered("a", "&", 3_000)}` }],
  ["undecodable parameters, /v1", { target: `/v1/splits?${fill("a=%ff&")}` }],
  ["many parameters, feed", { target: `/feeds/alerts.atom?${numbered("a", "&", 3_000)}` }],
  ["a long list, feed", { target: `/feeds/alerts.json?ticker=${fill("A,")}` }],
  ["many parameters, sign-in", { target: `/login?${fill("a&")}page=/operator` }],
  ["undecodable parameters, sign-in", { target: `/login?page=${fill("%ff+")}` }],
  ["undecodable path", { target: fill("/%ff") }],
  ["undecodable path, calendar", { target: `/calendar${fill("/%ff")}` }],
  ["path of percent signs", { target: `/${fill("%")}` }],
  ["path of slashes", { target: fill("/") }],
  ["path of segments", { target: fill("/a") }],
  ["path of dots", { target: fill("/..") }],
  ["path of letters", { target: `/calendar/${fill("a")}.ics` }],
  ["long ticker", { target: `/v1/splits/${fill("%2F")}?apiKey=e` }],
  ["long Host", { target: "/healthz", headers: [`Host: ${fill("a")}`] }],
  ["Host of dots", { target: "/healthz", headers: [`Host: ${fill("a.")}`] }],
  ["Host of brackets", { target: "/healthz", headers: [`Host: ${fill("[")}`] }],
  ["absolute address", { target: `http://localhost/${fill("a/")}` }],
  ["absolute address of hosts", { target: `http://${fill("a.")}/` }],
  ["long Cookie", { target: "/", headers: [`Cookie: splitwatch_session=${fill("a")}`] }],
  ["many cookies", { target: "/", headers: [`Cookie: ${fill("a=a;")}splitwatch_session=a`] }],
  ["repeated cookie", { target: "/", headers: [`Cookie: ${fill("splitwatch_session=%ff;")}`] }],
  ["cookie of spaces", { target: "/", headers: [`Cookie: splitwatch_session=a${fill(" ")}b`] }],
  ["quotation marks in If-None-Match", { target: "/feeds/alerts.atom", headers: [`If-None-Match: ${fill('"')}`] }],
  ["tags in If-None-Match", { target: "/calendar/all.ics", headers: [`If-None-Match: ${fill('"a",')}`] }],
  ["tags in If-None-Match, /v1", { target: "/v1/openapi.json", headers: [`If-None-Match: ${fill('"a",')}`] }],
  ["If-None-Match of blanks, /v1", { target: "/v1/openapi.json", headers: [`If-None-Match: "${fill(" ")}`] }],
  ["If-Modified-Since", { target: "/feeds/alerts.rss", headers: [`If-Modified-Since: ${fill("1 ")}`] }],
  ["members of Accept-Encoding", { target: "/assets/style.css", headers: [`Accept-Encoding: ${fill("a,")}`] }],
  ["weights of Accept-Encoding", { target: "/assets/style.css", headers: [`Accept-Encoding: br${fill(";q=0")}`] }],
  ["members of Accept-Encoding, /v1", { target: "/v1/openapi.json", headers: [`Accept-Encoding: ${fill("a,")}`] }],
  ["parameters of Accept-Encoding, /v1", { target: "/v1/openapi.json", headers: [`Accept-Encoding: a${fill(";")}`] }],
  ["chain in X-Forwarded-For", { target: "/", headers: [`X-Forwarded-For: ${fill("::1, ")}`] }],
  ["long Origin", { method: "POST", target: "/login", headers: [`Origin: http://${fill("a.")}`, FORM], body: "a" }],
  ["parts of Range", { target: "/calendar/all.ics", headers: [`Range: bytes=${fill("0-,")}`] }],
  ["short headers", { target: "/healthz", headers: Array.from({ length: 3_000 }, () => "a:") }],
  ["equal headers", { target: "/", headers: Array.from({ length: 1_800 }, () => "Cookie:a") }],
  ["long method", { method: fill("A", 100), target: "/healthz" }],
  ["sign-in form of parameters", { method: "POST", target: "/login", headers: [FORM], body: fill("a&", 16_000) }],
  ["sign-in form of numbers", { method: "POST", target: "/login", headers: [FORM], body: numbered("a", "&", 2_500) }],
  ["sign-in form of escapes", { method: "POST", target: "/login", headers: [FORM], body: fill("%ff", 16_000) }],
  [
    "sign-in form of spaces",
    { method: "POST", target: "/login", headers: [FORM], body: `token=${fill("+", 16_000)}a` },
  ],
  ["sign-in form of parts", multipart],
  [
    "sign-in form in small chunks",
    { method: "POST", target: "/login", headers: [FORM], body: fill("a", 16_000), chunkBytes: 1 },
  ],
  ["unread body in small chunks", { method: "POST", target: "/healthz", body: fill("a", 200_000), chunkBytes: 1 }],
  ["GET with a body in small chunks", { target: "/healthz", body: fill("a", 200_000), chunkBytes: 1 }],
  ["body in small chunks, /v1", { method: "POST", target: "/v1/splits", body: fill("a", 200_000), chunkBytes: 1 }],
  ["chunks with extensions", { method: "POST", target: "/login", headers: [FORM], body: "a", chunkBytes: 1 }],
  [
    "body of the page without a token",
    { method: "POST", target: "/api/command", headers: [JSON_TYPE], body: fill("[", 1_500_000) },
  ],
];

/** On the page without a token. */
const LOCAL_SHAPES = [
  ["Host of brackets, this machine", { target: "/", headers: [`Host: ${fill("[")}`] }],
  ["Host of brackets and a port, this machine", { target: "/", headers: [`Host: [${fill("]")}:1`] }],
  ["Host of colons, this machine", { target: "/", headers: [`Host: ${fill(":")}`] }],
];

function slackShapes(now) {
  const slackHeaders = [`X-Slack-Request-Timestamp: ${now}`, `X-Slack-Signature: v0=${"0".repeat(64)}`];
  return [
    ["Slack: many parameters", { target: `/slack/oauth_redirect?${fill("a&")}` }],
    ["Slack: undecodable parameters", { target: `/slack/oauth_redirect?state=${fill("%ff+")}` }],
    ["Slack: long state", { target: `/slack/oauth_redirect?state=${fill("a.")}` }],
    ["Slack: cookies", { target: "/slack/install", headers: [`Cookie: ${fill("splitwatch_install=%ff;")}`] }],
    ["Slack: unsigned body", { method: "POST", target: "/slack/events", headers: [FORM], body: fill("a&", 500_000) }],
    [
      "Slack: wrongly signed body",
      { method: "POST", target: "/slack/events", headers: [FORM, ...slackHeaders], body: fill("a&", 500_000) },
    ],
    [
      "Slack: wrongly signed body in small chunks",
      {
        method: "POST",
        target: "/slack/events",
        headers: [FORM, ...slackHeaders],
        body: fill("a", 500_000),
        chunkBytes: 1,
      },
    ],
    [
      "Slack: unsigned body in small chunks",
      { method: "POST", target: "/slack/events", headers: [FORM], body: fill("a", 200_000), chunkBytes: 1 },
    ],
    [
      "Slack: long signature",
      {
        method: "POST",
        target: "/slack/events",
        headers: [`X-Slack-Signature: v0=${fill("0")}`, `X-Slack-Request-Timestamp: ${now}`],
        body: "{}",
      },
    ],
    [
      "Slack: long time stamp",
      { method: "POST", target: "/slack/events", headers: [`X-Slack-Request-Timestamp: ${fill("1")}`], body: "{}" },
    ],
  ];
}

function bodyShapes(bearer) {
  const post = (target, body) => ({ method: "POST", target, headers: [bearer, JSON_TYPE], body });
  return [
    ["a plain command", post("/api/command", JSON.stringify({ name: "a", line: "list" }))],
    ["nested body", post("/api/complete", fill("[", 16_000))],
    ["body of keys", post("/api/complete", `{${numbered('"a', '":1,', 1_500)}"a":1}`)],
    [
      "body of 99 long keys",
      post("/api/complete", `{${Array.from({ length: 98 }, (_, n) => `"${n}${"k".repeat(150)}":1`).join()}}`),
    ],
    ["body of backslashes", post("/api/complete", `{"line":"${fill("\\\\", 15_900)}"}`)],
    ["body of quotation marks", post("/api/complete", `{"line":"${fill('\\"', 15_900)}"}`)],
    ["body of spaces", post("/api/complete", `${fill(" ", 15_900)}1`)],
    ["body in small chunks", { ...post("/api/complete", JSON.stringify({ line: fill("a", 15_000) })), chunkBytes: 1 }],
    [
      "large body in small chunks",
      { ...post("/api/command", JSON.stringify({ line: fill("a", 1_500_000) })), chunkBytes: 1 },
    ],
    ["large nested body", post("/api/command", fill("[", 1_500_000))],
    ["large body of brackets in a text", post("/api/command", `{"line":"${fill("[", 1_500_000)}"}`)],
    ["large body of quotation marks", post("/api/command", `{"line":"${fill('\\"', 1_500_000)}"}`)],
    ["large body of spaces", post("/api/command", `${fill(" ", 1_500_000)}1`)],
    [
      "large file",
      post(
        "/api/command",
        JSON.stringify({ name: "a", line: "import", file: { name: "a.txt", base64: fill("QUFB", 1_300_000) } }),
      ),
    ],
    [
      "large file of no base64",
      post(
        "/api/command",
        JSON.stringify({ name: "a", line: "import", file: { name: "a.txt", base64: `${fill("QUFB", 1_300_000)}!` } }),
      ),
    ],
    [
      "large file of lines",
      post(
        "/api/command",
        JSON.stringify({
          name: "a",
          line: "import",
          file: { name: "a.csv", base64: Buffer.from(fill("A,\n", 990_000)).toString("base64") },
        }),
      ),
    ],
    [
      "file with a long name",
      post(
        "/api/command",
        JSON.stringify({ name: "a", line: "import", file: { name: fill("a.", 16_000), base64: "" } }),
      ),
    ],
    ["long line", post("/api/command", JSON.stringify({ name: "a", line: fill("a ", 15_900) }))],
    ["long name", post("/api/command", JSON.stringify({ name: fill("a ", 15_900), line: "list" }))],
    ["spaces before a line", post("/api/command", JSON.stringify({ name: "a", line: `/splits${fill(" ", 15_800)}x` }))],
    ["shared long line", post("/api/share", JSON.stringify({ name: "a", line: `list ${fill("a ", 15_800)}` }))],
  ];
}

function authenticatedReads({ bearer, apiKey }) {
  return [
    ["address of a release", { target: `/api/releases?url=${fill("https://")}`, headers: [bearer] }],
    ["escaped address of a release", { target: `/api/releases?url=${fill("%41")}`, headers: [bearer] }],
    ["many parameters, page", { target: `/api/messages?${numbered("a", "&", 3_000)}`, headers: [bearer] }],
    ["repeated parameter, page", { target: `/api/messages?${fill("name=a&")}`, headers: [bearer] }],
    ["long ticker, page", { target: `/api/splits/${fill("A.")}`, headers: [bearer] }],
    ["undecodable ticker, page", { target: `/api/splits/${fill("%ff")}`, headers: [bearer] }],
    ["long Last-Event-ID", { target: "/api/messages", headers: [bearer, `Last-Event-ID: ${fill("1")}`] }],
    ["long id", { target: `/api/messages/${fill("a")}`, headers: [bearer] }],
    ["long cursor", { target: `/api/operator/messages?after=${fill("a")}`, headers: [bearer] }],
    [
      "Content-Type of spaces",
      {
        method: "POST",
        target: "/api/command",
        headers: [bearer, `Content-Type: application/json${fill(" ")}x`],
        body: "{}",
      },
    ],
    ["many exchanges, /v1", { target: `/v1/splits?apiKey=${apiKey}&exchange=${fill("A,")}` }],
    ["many wires, /v1", { target: `/v1/articles?apiKey=${apiKey}&sources=${fill("newsfile,")}` }],
    ["a parameter repeated with a key, /v1", { target: `/v1/splits?${fill("a&")}apiKey=${apiKey}` }],
    ["a long number, /v1", { target: `/v1/articles?apiKey=${apiKey}&page=${fill("1")}` }],
    ["a long day, /v1", { target: `/v1/articles?apiKey=${apiKey}&from=${fill("1-")}` }],
    ["a long ticker with a key, /v1", { target: `/v1/splits/${fill("%2F")}?apiKey=${apiKey}` }],
  ];
}

/**
 * Known shapes: `{ name, listener, isAuthenticated, bytes }`. Listeners are the `page` with a token, the `open page` without one, and
 * `slack`. `bearer`: header with the token; `apiKey`: a valid key; `now`: seconds
 * since 1970.
 */
export function knownShapes(parts) {
  return [
    ...shapesOf("page", false, OPEN_SHAPES),
    ...shapesOf("slack", false, slackShapes(parts.now)),
    ...shapesOf("open page", false, LOCAL_SHAPES),
    ...shapesOf("page", true, [...bodyShapes(parts.bearer), ...authenticatedReads(parts)]),
  ];
}

const PIECES = [
  " ",
  "\t",
  "a",
  "a&",
  "a=",
  "&apiKey=e",
  "%ff",
  "%25",
  "%",
  "+",
  "/",
  "//",
  "/..",
  "\\",
  '"',
  '\\"',
  "W/",
  ",",
  ";",
  ";q=0.1",
  "=",
  ":",
  "::1,",
  ".",
  "-",
  "0",
  "1 ",
  "[",
  "]",
  "(",
  "{",
  "#",
  "?",
  "\xa0",
  "\xe9",
  "Bearer ",
  "splitwatch_session=",
  "gzip,",
  "https://",
];
const HEADERS = [
  "Authorization",
  "Cookie",
  "Host",
  "Origin",
  "Accept-Encoding",
  "Accept",
  "If-None-Match",
  "If-Modified-Since",
  "Range",
  "Content-Type",
  "X-Forwarded-For",
  "X-Forwarded-Proto",
  "Forwarded",
  "Last-Event-ID",
  "Sec-Fetch-Site",
  "User-Agent",
  "X-Slack-Signature",
  "X-Slack-Request-Timestamp",
  "Expect",
  "TE",
];
const ROUTES = [
  "/",
  "/operator",
  "/assets/style.css",
  "/login",
  "/logout",
  "/api/command",
  "/api/complete",
  "/api/share",
  "/api/messages",
  "/api/overview",
  "/api/start",
  "/api/releases",
  "/api/splits/ACME",
  "/api/operator/queues",
  "/v1/splits",
  "/v1/splits/ACME",
  "/v1/articles",
  "/v1/openapi.json",
  "/healthz",
  "/readyz",
  "/metrics",
  "/calendar/all.ics",
  "/calendar/upcoming.svg",
  "/calendar/0.ics",
  "/feeds/alerts.atom",
  "/feeds/alerts.json",
  "/slack/install",
  "/slack/oauth_redirect",
  "/slack/events",
  "/no/such/path",
];

/** Generated shapes: a random route, and a part of the request filled with a random text. `random`: numbers from 0 to 1. */
export function generatedShapes(count, random, { bearer }) {
  const below = (end) => Math.floor(random() * end);
  const pick = (list) => list[below(list.length)];
  const filling = (bytes) =>
    `${pick(PIECES)}${fill(pick([pick(PIECES), pick(PIECES) + pick(PIECES)]), bytes)}${pick(PIECES)}`;
  return Array.from({ length: count }, (_, number) => {
    const route = pick(ROUTES);
    const hasToken = route.startsWith("/api/") && below(2) === 0;
    const method = pick(["GET", "GET", "GET", "HEAD", "POST", "POST", "PUT"]);
    const part = pick(Object.keys(FILLED_PARTS));
    const request = { method, target: route, headers: hasToken ? [bearer] : [] };
    Object.assign(request, FILLED_PARTS[part](request, { pick, filling }));
    const listener = route.startsWith("/slack/") ? "slack" : pick(["page", "page", "open page"]);
    const isAuthenticated = hasToken || (listener === "open page" && !OPEN_ROUTE.test(route));
    const name = `generated ${number}: ${request.method} ${route}, ${part}`;
    return { name, listener, isAuthenticated, bytes: bytesOf(request) };
  });
}

/** Routes that need no credentials. On the page without a token, each request of this machine counts as authenticated. */
const OPEN_ROUTE = /^\/(?:v1|healthz|readyz|metrics|calendar|feeds|no)/;

/** Changes of a request, by the part that they fill. */
const FILLED_PARTS = {
  path: ({ target }, { pick, filling }) => ({ target: target + encoded(`/${filling(pick([900, 4_000, 15_000]))}`) }),
  query: ({ target }, { pick, filling }) => ({ target: target + encoded(`?${filling(pick([1_000, 4_000, 15_000]))}`) }),
  header: ({ headers }, { pick, filling }) => ({
    headers: [...headers, `${pick(HEADERS)}: ${filling(pick([3_900, 15_000]))}`],
  }),
  headers: ({ headers }, { pick, filling }) => ({
    headers: [...headers, ...Array.from({ length: 3 }, () => `${pick(HEADERS)}: ${filling(3_900)}`)],
  }),
  body: ({ headers }, { pick, filling }) => ({
    method: "POST",
    headers: [...headers, pick([FORM, JSON_TYPE])],
    body: filling(15_000),
    chunkBytes: pick([undefined, undefined, undefined, 1, 3, 100]),
  }),
};

/** Bytes that end a target would make it another request. */
function encoded(target) {
  return target.replaceAll(/[ \t]/g, "+");
}

function shapesOf(listener, isAuthenticated, shapes) {
  return shapes.map(([name, request]) => ({ name, listener, isAuthenticated, bytes: bytesOf(request) }));
}
