// What takes the time of a start, of the command that takes most CPU time, and of a large commit.
import { format, markdownRows } from "../parts/report.mjs";
import { profileBusiestCommand, profileLargeCommit } from "./in-process.mjs";
import { profileStarts } from "./start.mjs";

const SHOWN_PARTS = 8;

export async function profile() {
  const { cpuMs, profile: command } = await profileBusiestCommand();
  const profiles = [...(await profileStarts()), command, await profileLargeCommit()];
  const sections = profiles.map(sectionOf);
  sections.splice(2, 0, commandTable(cpuMs));
  const markdown = sections.join("\n\n");
  console.log(markdown);
  return { profiles, commandCpuMs: cpuMs, markdown };
}

function sectionOf({ name, ms, shares }) {
  const shown = shares
    .slice(0, SHOWN_PARTS)
    .map(({ part, share, hottest, hottestShare }) => [
      part,
      percent(share),
      hottest === "" || hottest.startsWith("(") ? "" : `\`${hottest}\` ${percent(hottestShare)}`,
    ]);
  const rest = shares.slice(SHOWN_PARTS).reduce((sum, { share }) => sum + share, 0);
  const rows = [["part", "share", "its hottest function"], ...shown, ["everything else", percent(rest), ""]];
  return `**${name}** (${format(ms)} ms)\n\n${markdownRows(rows)}`;
}

function commandTable(cpuMs) {
  const rows = Object.entries(cpuMs).map(([name, ms]) => [`\`${name}\``, `${format(ms)} ms`]);
  const half = Math.ceil(rows.length / 2);
  const paired = rows.slice(0, half).map((row, n) => [...row, ...(rows[half + n] ?? ["", ""])]);
  const table = markdownRows([["command", "CPU", "command", "CPU"], ...paired]);
  return `**CPU time of each command** with 1M watch entries, 500 splits and 8,000 releases\n\n${table}`;
}

function percent(share) {
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
}
