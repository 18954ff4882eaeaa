// Commands of users at a steady rate with 1,000,000 watch entries, beside the same commands with none, and the longest time for
// which the event loop was blocked. A checkpoint of the store runs in the middle.
import { p99, startLoad } from "./parts/command-loads.mjs";

const ENTRIES = 1_000_000;
const PER_SECOND = 200;
const COMMANDS = ["watch", "show", "list"];
const GROWTH_ENTRIES = [0, 1_000, 10_000, 100_000, 1_000_000];
const GROWTH_SECONDS = 5;
const ROUNDS = 8;
const SECONDS = 3;
const MAX_RATIO = 2;
const MAX_STALL_MS = 50;
const PEER = "without watch entries";

export async function measure() {
  const [empty, full] = await Promise.all([startLoad(0, PER_SECOND), startLoad(ENTRIES, PER_SECOND)]);
  const results = { empty: [], full: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    // At the same time, so that other programs delay both alike.
    const [withoutEntries, withEntries] = await Promise.all([empty.run(SECONDS), full.run(SECONDS)]);
    results.empty.push(withoutEntries);
    results.full.push(withEntries);
  }
  await Promise.all([empty.end(), full.end()]);
  const figures = COMMANDS.map((name) => {
    const [value, peerValue] = [p99(results.full, name), p99(results.empty, name)];
    return {
      name: `${name}, p99 at 200 commands/s with 1M entries`,
      unit: "ms",
      value,
      peer: PEER,
      peerValue,
      ratio: value / peerValue,
      atMost: MAX_RATIO,
    };
  });
  const append = {
    unit: "ms",
    value: p99(results.full, "append"),
    peer: PEER,
    peerValue: p99(results.empty, "append"),
  };
  return [
    ...figures,
    { name: "bare append and fdatasync meanwhile, p99", ...append, ratio: append.value / append.peerValue },
    {
      name: "longest stall at 200 commands/s with 1M entries",
      unit: "ms",
      value: longestStall(results.full),
      atMost: MAX_STALL_MS,
    },
    {
      name: "longest stall at 200 commands/s without entries",
      unit: "ms",
      value: longestStall(results.empty),
      atMost: MAX_STALL_MS,
    },
  ];
}

/** CPU time of a command, a third of each kind, by the number of watch entries. A checkpoint and the process itself are included. */
export async function growth() {
  const points = [];
  for (const entries of GROWTH_ENTRIES) {
    const load = await startLoad(entries, PER_SECOND);
    const { timesMs, cpuMs } = await load.run(GROWTH_SECONDS);
    await load.end();
    const commands = COMMANDS.reduce((count, name) => count + timesMs[name].length, 0);
    points.push([entries, cpuMs / commands]);
  }
  const series = [{ name: "watch, show, list", points }];
  return [{ file: "commands", title: "Commands at 200/s, each", x: "watch entries", unit: "ms CPU", series }];
}

function longestStall(rounds) {
  return Math.max(...rounds.map(({ stallMs }) => stallMs));
}
