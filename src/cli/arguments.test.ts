import { describe, expect, it } from "vitest";
import { parseArguments } from "./arguments.ts";

const SUBCOMMANDS =
  "expected start, service, init, doctor, extract, read, sources, rebuild, coverage, keys, backup, restore, migrate or help";
const ACTIONS = "expected add, list or revoke";
const NAME = "expected 1 to 64 letters, digits, dots, hyphens or underscores";
const FLAGS = "expected --help or --version; everything else is set by environment variables and the settings file";

describe("parseArguments", () => {
  it.each([
    ["", { kind: "start" }],
    ["start", { kind: "start" }],
    ["service", { kind: "service" }],
    ["doctor", { kind: "doctor" }],
    ["extract", { kind: "extract", file: null, json: false }],
    ["extract --json", { kind: "extract", file: null, json: true }],
    ["extract -", { kind: "extract", file: "-", json: false }],
    ["extract news.jsonl", { kind: "extract", file: "news.jsonl", json: false }],
    ["extract --json news.txt", { kind: "extract", file: "news.txt", json: true }],
    ["read nasdaq notice.html", aRead({ files: ["notice.html"] })],
    ["read nasdaq - --json", aRead({ files: ["-"], json: true })],
    [
      "read --at 2026-03-09 nasdaq a b --url=https://www.example.com/a?id=1 --type text/html",
      aRead({ files: ["a", "b"], at: "2026-03-09", url: "https://www.example.com/a?id=1", type: "text/html" }),
    ],
    ["sources record captures", { kind: "record", folder: "captures" }],
    ["coverage --month 2026-03", { kind: "coverage", month: "2026-03", file: null, json: false }],
    ["coverage --json --month=2026-03", { kind: "coverage", month: "2026-03", file: null, json: true }],
    [
      "coverage --month 2026-03 --file calendar.json",
      { kind: "coverage", month: "2026-03", file: "calendar.json", json: false },
    ],
    ["keys add alerts-2", { kind: "keys-add", name: "alerts-2" }],
    ["keys list", { kind: "keys-list" }],
    ["keys revoke alerts-2", { kind: "keys-revoke", name: "alerts-2" }],
    ["backup today.jsonl", { kind: "backup", file: "today.jsonl" }],
    ["backup -", { kind: "backup", file: "-" }],
    ["restore today.jsonl", { kind: "restore", file: "today.jsonl" }],
    ["help", { kind: "help" }],
    ["help keys", { kind: "help" }],
    ["--help", { kind: "help" }],
    ["keys -h", { kind: "help" }],
    ["--version", { kind: "version" }],
    ["-v", { kind: "version" }],
  ])("parses %j", (text, request) => {
    expect(parseArguments(words(text))).toEqual({ request });
  });

  it.each([
    ["strat", [`subcommand: got "strat", ${SUBCOMMANDS}; did you mean start?`]],
    ["bakup x", [`subcommand: got "bakup", ${SUBCOMMANDS}; did you mean backup?`]],
    ["backup", ['FILE: got nothing, expected the name of a file, as in "backup FILE"']],
    ["restore", ['FILE: got nothing, expected the name of a file, as in "restore FILE"']],
    ["backup a b", ['backup a: got the extra word "b", expected none']],
    [
      "restore -",
      ["FILE: got -, expected the name of a file: a backup is read twice, but standard input can be read only once"],
    ],
    ["start now please", ["now", "please"].map((word) => `start: got the extra word "${word}", expected none`)],
    ["extract a b", ['extract a: got the extra word "b", expected none']],
    ["doctor x", ['doctor: got the extra word "x", expected none']],
    ["read", ['SOURCE: got nothing, expected the name of a source, as in "read nasdaq notice.html"']],
    ["read nasdaq", ['FILE: got nothing, expected captured documents or -, as in "read nasdaq FILE"']],
    [
      "read nasdaq --at= --url= --type",
      [
        'FILE: got nothing, expected captured documents or -, as in "read nasdaq FILE"',
        ...["at", "url", "type"].map((name) => `--${name}: got nothing, expected a value`),
      ],
    ],
    ["sources", ["sources: got nothing, expected record"]],
    ["sources recrod x", ['sources: got "recrod", expected record; did you mean record?']],
    ["sources record", ['DIR: got nothing, expected the name of a folder, as in "sources record DIR"']],
    ["sources record a b", ['sources record a: got the extra word "b", expected none']],
    ["extract --at 2026", ['option: got "--at", which only read has, as in "read nasdaq notice.html --at 2026-03-09"']],
    [
      "doctor --url=x",
      [
        'option: got "--url", which only read has, as in "read nasdaq notice.html --url https://www.example.com/notice"',
      ],
    ],
    ["doctor --type=x", ['option: got "--type", which only read has, as in "read nasdaq notice --type text/html"']],
    ["keys", [`keys: got nothing, ${ACTIONS}`]],
    ["keys ad", [`keys: got "ad", ${ACTIONS}; did you mean add?`]],
    ["keys add", ['NAME: got nothing, expected the name of a key, as in "keys add NAME"']],
    ["keys revoke", ['NAME: got nothing, expected the name of a key, as in "keys revoke NAME"']],
    ["keys add a/b", [`NAME: got "a/b", ${NAME}`]],
    ["keys add a b", ['keys add a: got the extra word "b", expected none']],
    ["keys list x", ['keys list: got the extra word "x", expected none']],
    [
      "--versoin",
      ['option: got "--versoin", expected --help or --version; did you mean --version?'].map(withOtherSettings),
    ],
    ["--port=80", [`option: got "--port", ${FLAGS}`]],
    [
      "extract --jsn",
      [`option: got "--jsn", expected --json, --help or --version; did you mean --json?`].map(withOtherSettings),
    ],
    [
      "coverage --month=2026-03 --all",
      ['option: got "--all", expected --file, --json, --month, --help or --version'].map(withOtherSettings),
    ],
    ["doctor --json", ['option: got "--json", which only extract, read and coverage have, as in "extract --json"']],
    ["doctor --month=2026-03", ['option: got "--month", which only coverage has, as in "coverage --month 2026-03"']],
    [
      "coverage --month 2026-03 --file",
      ['--file: got nothing, expected the name of a file, as in "coverage --month 2026-03 --file calendar.json"'],
    ],
    [
      "doctor --file=x",
      ['option: got "--file", which only coverage has, as in "coverage --month 2026-03 --file calendar.json"'],
    ],
    ["coverage", ['--month: got nothing, expected a month as in "coverage --month 2026-03"']],
    ["coverage --month", ['--month: got nothing, expected a month as in "coverage --month 2026-03"']],
    ["coverage 2026-03", ['--month: got nothing, expected a month as in "coverage --month 2026-03"']],
    ["coverage --month 2026-13", ['--month: got "2026-13", expected a month as in "coverage --month 2026-03"']],
    ["coverage --month 2026-03 x", ['coverage: got the extra word "x", expected none']],
    ["-x", [`option: got "-x", ${FLAGS}`]],
    ["--version start", ['--version: got the extra word "start", expected none']],
  ])("reports the problems of %j", (text, problems) => {
    expect(parseArguments(words(text))).toEqual({ problems });
  });

  it("reports all problems together", () => {
    expect(parseArguments(words("keys add a/b c --force -y"))).toEqual({
      problems: [
        `option: got "--force", ${FLAGS}`,
        `option: got "-y", ${FLAGS}`,
        `NAME: got "a/b", ${NAME}`,
        'keys add a/b: got the extra word "c", expected none',
      ],
    });
  });
});

function aRead(changes: Readonly<Record<string, unknown>>): object {
  return { kind: "read", source: "nasdaq", at: null, url: null, type: null, json: false, ...changes };
}

function words(text: string): string[] {
  return text.split(" ").filter((word) => word !== "");
}

function withOtherSettings(problem: string): string {
  return `${problem}; everything else is set by environment variables and the settings file`;
}
