// Three processes on one PostgreSQL database: commands of all of them together, messages without limits beside one process, and
// messages at a limit that they share. DATABASE_URL: a server to use instead of one of its own.
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { p99, startLoad } from "./parts/command-loads.mjs";
import { deliveriesOf, outboxEmpty } from "./parts/deliverer.mjs";
import { measurePairs } from "./parts/pairs.mjs";
import { openPostgres, startPostgres } from "./parts/postgres.mjs";
import { announcements } from "./parts/split-record.mjs";

const DELIVERER = fileURLToPath(new URL("parts/deliverer-process.mjs", import.meta.url));
const PROCESSES = 3;

const ENTRIES = 1_000_000;
const COMMANDS = ["watch", "show", "list"];
/** Of all processes together. */
const COMMANDS_PER_SECOND = 60;
const ROUNDS = 8;
const SECONDS = 3;

const MESSAGES = 500;
const PAIRS = 5;

/** A limit of 50 messages a second. */
const LIMIT_MS = 20;
const LIMITED_MESSAGES = 1_100;

export async function measure() {
  const server = await startPostgres();
  try {
    return [...(await measureCommands(server)), await measureMessages(server), await measureLimited(server)];
  } finally {
    await server.stop();
  }
}

/** The same commands per second from one process and from three, with 1M watch entries. */
async function measureCommands(server) {
  const url = await server.createDatabase();
  const one = await startLoad(ENTRIES, COMMANDS_PER_SECOND, url);
  const each = COMMANDS_PER_SECOND / PROCESSES;
  const three = [];
  for (let n = 0; n < PROCESSES; n += 1) three.push(await startLoad(0, each, url));
  const rounds = { one: [], three: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.one.push(await one.run(SECONDS));
    rounds.three.push(together(await Promise.all(three.map((load) => load.run(SECONDS)))));
  }
  await Promise.all([one, ...three].map((load) => load.end()));
  return COMMANDS.map((name) => {
    const [value, peerValue] = [p99(rounds.three, name), p99(rounds.one, name)];
    const ratio = value / peerValue;
    return { name: `${name} at 1M watch entries, p99`, unit: "ms", value, peer: "one process", peerValue, ratio };
  });
}

/** One round of several processes as one. */
function together(rounds) {
  const timesOf = (name) => rounds.flatMap(({ timesMs }) => timesMs[name]);
  return { timesMs: Object.fromEntries(COMMANDS.map((name) => [name, timesOf(name)])) };
}

async function measureMessages(server) {
  const one = await startSenders(server, 1, 0);
  const three = await startSenders(server, PROCESSES, 0);
  for (const senders of [one, three]) await senders.send(MESSAGES);
  const { first, second, ratio } = await measurePairs(
    PAIRS,
    () => three.send(MESSAGES),
    () => one.send(MESSAGES),
  );
  for (const senders of [one, three]) await senders.stop();
  const peers = { peer: "one process", peerValue: perSecond(second), ratio: 1 / ratio };
  return { name: "messages through the outbox", unit: "messages/s", value: perSecond(first), ...peers };
}

function perSecond(ms) {
  return (1_000 * MESSAGES) / ms;
}

async function measureLimited(server) {
  const senders = await startSenders(server, PROCESSES, LIMIT_MS);
  const value = (await senders.send(LIMITED_MESSAGES)) / 1_000;
  await senders.stop();
  const peerValue = (LIMITED_MESSAGES * LIMIT_MS) / 1_000;
  const peers = { peer: "minimum of the limit", peerValue, ratio: value / peerValue, atMost: 1.1 };
  return { name: "1,100 messages at a shared limit", unit: "s", value, ...peers };
}

async function startSender(url, everyMs) {
  const child = fork(DELIVERER, [url, String(everyMs)]);
  const ended = once(child, "exit").then(([code]) =>
    Promise.reject(new Error(`a process ended with exit code ${code}`)),
  );
  await Promise.race([once(child, "message"), ended]);
  ended.catch(() => undefined);
  return child;
}

/** Starts processes on a database of their own. `send` returns the milliseconds until they have sent an alert to as many destinations. */
async function startSenders(server, count, everyMs) {
  const url = await server.createDatabase();
  const store = await openPostgres("processes-store", url);
  const children = [];
  // One after another: they write the same bundle.
  for (let n = 0; n < count; n += 1) children.push(await startSender(url, everyMs));
  let announced = 0;
  return {
    async send(messages) {
      const start = performance.now();
      await store.snapshot.commit(deliveriesOf(announcements(++announced, 1), messages));
      await outboxEmpty(store);
      return performance.now() - start;
    },
    async stop() {
      for (const child of children) child.disconnect();
      await Promise.all(children.map((child) => once(child, "exit")));
      await store.close();
    },
  };
}
