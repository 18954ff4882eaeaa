// Simulates alerts at several sizes of an installation, and prints the tables of docs/scaling.md: when the last alert is sent, how
// much of the platforms' limits, the processes and the database is used until then, and which of them binds. Deterministic.
//
//   node scripts/simulate-scale.mjs                            prints the tables
//   node scripts/simulate-scale.mjs --markdown docs/scaling.md  also writes them to the page
//
// Model: a commit of all deliveries of the changes that are detected together, then messages to the destinations, longest wait first.
// Deliveries that wait for the same destination share its messages. All Slack workspaces are alike. Discord, Slack, the processes
// and the database limit the rate of messages; the processes and the database are shared by both platforms.
import { parseArgs } from "node:util";
import { markdownRows, updateMarkdown } from "./bench/parts/report.mjs";

/** Size 1: an assumption, larger than the reverse-split bots that are known. */
const BASE = { servers: 1_000, workspaces: 100, channelsPerWorkspace: 2, watchers: 20_000, watchersOnSlack: 0.1 };
const SIZES = [1, 10, 100, 1_000];

/** `watchedBy`: share of the watchers whose watchlist contains the ticker of a change. */
const LOADS = [
  { name: "1 split", arrivals: [{ at: 0, changes: 1 }], watchedBy: 0.05 },
  {
    name: "10 splits within an hour",
    arrivals: Array.from({ length: 10 }, (_, n) => ({ at: n * 360, changes: 1 })),
    watchedBy: 0.05,
  },
  { name: "500 changes together", arrivals: [{ at: 0, changes: 500 }], watchedBy: 0.005 },
];

/** Messages per second: of a Discord token, and of a Slack workspace with the default settings. */
const RATES = { discord: 47 / 1.005, slack: 300 / 60 };

/**
 * Microseconds per delivery or message, from docs/performance.md: the commit and the CPU time of the database, and the CPU time of a
 * process, which is that of the outbox and of the platform's client at its pace.
 */
const COSTS = {
  commitPerDelivery: 22,
  databasePerDelivery: 14,
  databasePerMessage: 1_700,
  processPerMessage: 2_000,
};

/** Cores of a database server, and processes of a core each. A part of them is left for commands, polls and pages. */
const MACHINES = { databaseCores: 8, processes: 4, usable: 0.7 };

/** Installations with a Discord app of their own, database servers that they share, and processes in all. */
const PARTITIONS = [
  { apps: 1, servers: 1 },
  { apps: 10, servers: 1 },
  { apps: 10, servers: 10 },
  { apps: 100, servers: 10 },
  { apps: 1_000, servers: 100 },
];

/** Groups of channels, and of people, that are simulated together. */
const MAX_COHORTS = 1_000;
/** Length of a step: at least, and relative to the time that has passed. */
const STEP = { minSeconds: 0.1, share: 0.001 };

/** Alerts of one app: `share` of all destinations, and of the database server. */
function simulate({ arrivals, watchedBy }, size, { apps, servers }) {
  const share = size / apps;
  const people = BASE.watchers * share;
  const slackPeople = people * BASE.watchersOnSlack;
  const workspaces = BASE.workspaces * share;
  const lanes = [
    laneOf("discord", RATES.discord, { channels: BASE.servers * share, people: people - slackPeople }),
    laneOf("slack", RATES.slack * workspaces, {
      channels: workspaces * BASE.channelsPerWorkspace,
      people: slackPeople,
    }),
  ];
  // Rates and times of the part of a server, and of the processes, that belong to one app.
  const appsPerServer = apps / servers;
  const databaseRate = (MACHINES.databaseCores * MACHINES.usable * 1e6) / COSTS.databasePerMessage / appsPerServer;
  const processRate = (MACHINES.processes * MACHINES.usable * 1e6) / COSTS.processPerMessage;
  const used = { deliveries: 0, messages: 0, commitSeconds: 0 };
  const pending = arrivals.map(({ at, changes }, n) => {
    const change = { changes, number: n, watchedBy };
    const deliveries = lanes.reduce((sum, lane) => sum + deliveriesOf(lane, change), 0);
    // Several apps commit at the same time on one server, whose cores limit them.
    const seconds =
      (deliveries / 1e6) *
      Math.max(COSTS.commitPerDelivery, (COSTS.databasePerDelivery * appsPerServer) / MACHINES.databaseCores);
    used.deliveries += deliveries;
    used.commitSeconds += seconds;
    return { ...change, readyAt: at + seconds };
  });
  let now = 0;
  let last = 0;
  for (let next = 0; next < pending.length || lanes.some(({ queue }) => queue.length > 0); ) {
    const stepSeconds = Math.max(STEP.minSeconds, now * STEP.share);
    for (; next < pending.length && pending[next].readyAt <= now; next += 1)
      for (const lane of lanes) enqueue(lane, pending[next]);
    const sent = sendStep(lanes, Math.min(databaseRate, processRate) * stepSeconds, stepSeconds);
    now += stepSeconds;
    used.messages += sent;
    if (sent > 0) last = now;
  }
  const [discord, slack] = lanes;
  const databaseSeconds = used.messages / databaseRate + used.commitSeconds;
  return {
    deliveries: used.deliveries * apps,
    messages: used.messages * apps,
    commitSeconds: Math.max(...pending.map(({ readyAt, number }) => readyAt - arrivals[number].at)),
    lastSeconds: last - arrivals.at(-1).at,
    utilization: {
      "Discord token": discord.sent / discord.rate / last,
      "Slack workspaces": slack.sent / slack.rate / last,
      processes: used.messages / processRate / last,
      database: databaseSeconds / last,
    },
  };
}

function laneOf(name, rate, { channels, people }) {
  const cohorts = [...cohortsOf(channels, true), ...cohortsOf(people, false)];
  return { name, rate, cohorts, queue: [], sent: 0 };
}

function cohortsOf(size, receivesAll) {
  const length = Math.min(MAX_COHORTS, Math.max(1, Math.round(size)));
  return Array.from({ length }, (_, number) => ({ number, size: size / length, receivesAll, waiting: 0, left: 0 }));
}

function deliveriesOf({ cohorts }, change) {
  return cohorts.reduce((sum, cohort) => sum + cohort.size * alertsOf(cohort, change), 0);
}

/** Adds a change to the cohorts that receive it. Cohorts that wait already get it with their next message. */
function enqueue({ cohorts, queue }, change) {
  for (const cohort of cohorts) {
    const alerts = alertsOf(cohort, change);
    if (alerts === 0) continue;
    if (cohort.waiting === 0 && cohort.left === 0) queue.push(cohort);
    cohort.waiting += alerts;
  }
}

/** Alerts of a destination in the cohort. Those who watch a single change differ from change to change. */
function alertsOf(cohort, { changes, number, watchedBy }) {
  if (cohort.receivesAll) return changes;
  const expected = changes * watchedBy;
  const place = (cohort.number * 0.618_033_988_75 + number * 0.414_213_562_37) % 1;
  return Math.floor(expected) + (place < expected % 1 ? 1 : 0);
}

/** Messages for alerts that are due together: docs/decisions/bursts.md. */
function messagesFor(alerts) {
  if (alerts <= 2) return alerts;
  return alerts <= 10 ? 2 : 1;
}

/** Sends at most `capacity` messages: what one platform's limit doesn't permit is left for the other. */
function sendStep(lanes, capacity, seconds) {
  const wanted = lanes.map(({ rate, queue }) => (queue.length === 0 ? 0 : rate * seconds));
  const fair = capacity / lanes.length;
  const rates = wanted.map((want, n) => Math.min(want, Math.max(fair, capacity - wanted[1 - n])));
  return lanes.reduce((sum, lane, n) => sum + sendFrom(lane, rates[n]), 0);
}

function sendFrom(lane, permitted) {
  let left = permitted;
  while (left > 0 && lane.queue.length > 0) {
    const [cohort] = lane.queue;
    if (cohort.left === 0) {
      // Messages contain what waits when they are composed.
      cohort.left = cohort.size * messagesFor(cohort.waiting);
      cohort.waiting = 0;
    }
    const sent = Math.min(left, cohort.left);
    left -= sent;
    cohort.left -= sent;
    if (cohort.left > 1e-9) break;
    cohort.left = 0;
    lane.queue.shift();
    if (cohort.waiting > 0) lane.queue.push(cohort);
  }
  lane.sent += permitted - left;
  return permitted - left;
}

function loadTable() {
  const headings = ["load", "size", "deliveries", "messages", "commit", "last alert after", ...RESOURCES, "binds"];
  const rows = LOADS.flatMap((load) =>
    SIZES.map((size) => {
      const { deliveries, messages, commitSeconds, lastSeconds, utilization } = simulate(load, size, PARTITIONS[0]);
      return [
        load.name,
        `${size.toLocaleString("en-US")} ×`,
        ...[deliveries, messages].map(count),
        ...[commitSeconds, lastSeconds].map(duration),
        ...RESOURCES.map((name) => `${Math.round(utilization[name] * 100)} %`),
        bindingOf(utilization),
      ];
    }),
  );
  return markdownRows([headings, ...rows]);
}

const RESOURCES = ["Discord token", "Slack workspaces", "processes", "database"];

function partitionTable() {
  const rows = LOADS.flatMap((load) =>
    SIZES.map((size) => [
      load.name,
      `${size.toLocaleString("en-US")} ×`,
      ...PARTITIONS.map((partition) => partitionCell(load, size, partition)),
    ]),
  );
  return markdownRows([
    ["load", "size", ...PARTITIONS.map(({ apps, servers }) => `${count(apps)} / ${count(servers)}`)],
    ...rows,
  ]);
}

function partitionCell(load, size, partition) {
  // Less than a workspace for each app.
  if (size * BASE.workspaces < partition.apps) return "–";
  const { lastSeconds, utilization } = simulate(load, size, partition);
  const binding = bindingOf(utilization);
  return `${duration(lastSeconds)}${binding === RESOURCES[0] ? "" : ` (${binding})`}`;
}

function bindingOf(utilization) {
  return RESOURCES.toSorted((a, b) => utilization[b] - utilization[a])[0];
}

/** Messages per second of one of each, and the apps at their limit for which it is enough. */
function capacityTable() {
  const process = (MACHINES.usable * 1e6) / COSTS.processPerMessage;
  const rates = [
    ["Discord app", RATES.discord],
    ["Slack workspace", RATES.slack],
    ["process with a core", process],
    [
      `database server with ${MACHINES.databaseCores} cores`,
      (MACHINES.databaseCores * MACHINES.usable * 1e6) / COSTS.databasePerMessage,
    ],
  ];
  return markdownRows([
    ["one", "messages per second", "is enough for Discord apps at their limit"],
    ...rates.map(([name, rate], n) => [name, rate.toFixed(1), n < 2 ? "" : String(Math.floor(rate / RATES.discord))]),
  ]);
}

function count(number) {
  if (number >= 1e9) return `${(number / 1e9).toFixed(1)} billion`;
  if (number >= 1e6) return `${(number / 1e6).toFixed(1)} million`;
  return Math.round(number).toLocaleString("en-US");
}

function duration(seconds) {
  if (seconds < 0.1) return "< 0.1 s";
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3_600).toFixed(1)} h`;
}

const { values: options } = parseArgs({ options: { markdown: { type: "string" } } });
const tables = { capacities: capacityTable(), loads: loadTable(), partitions: partitionTable() };
for (const [name, table] of Object.entries(tables)) {
  console.log(`${table}\n`);
  if (options.markdown) await updateMarkdown(options.markdown, name, table);
}
