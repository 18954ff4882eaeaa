// Pins what CI and the containers run: actions to the commit of their newest release, images to the digest that the registry
// serves for their version. Arguments select other versions, such as `caddy:2.11.4-alpine` or `actions/checkout@v7`.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const FILES = [".github/workflows/ci.yaml", "Dockerfile", "deploy/compose.yaml", "deploy/compose.replicas.yaml"];

/** `uses: actions/checkout@<commit> # v7.0.1` */
const ACTION = /(?<=uses: )(?<name>[\w.-]+\/[\w.-]+)@[0-9a-f]{40} # (?<version>v[\d.]+)/g;
/** `image: caddy:2.11.4-alpine@sha256:<digest>`. Images without a version are built here. */
const IMAGE = /(?<=image: |ARG NODE_IMAGE=)(?<name>[\w./-]+):(?<version>[\w.-]+)(?:@sha256:[0-9a-f]{64})?/g;

const files = new Map(FILES.map((file) => [file, readFileSync(file, "utf8")]));
const wanted = new Map(process.argv.slice(2).map((argument) => [argument.split(/[:@]/, 1)[0], argument]));

try {
  const names = [ACTION, IMAGE].flatMap((pattern) =>
    [...files.values()].flatMap((text) => [...text.matchAll(pattern)].map(({ groups }) => groups.name)),
  );
  for (const [name, argument] of wanted)
    if (!names.includes(name) || !/[:@]./.test(argument))
      throw new Error(`got ${argument}, expected NAME:VERSION or NAME@vVERSION of ${[...new Set(names)].join(", ")}`);
  const pinned = new Map();
  const pin = (name, version, read) => {
    if (!pinned.has(name)) pinned.set(name, read(name, wanted.get(name)?.slice(name.length + 1) ?? version));
    return pinned.get(name);
  };
  const updated = [...files].map(([file, text]) => {
    const withActions = text.replace(ACTION, (_, name, version) => pin(name, version.split(".")[0], pinnedAction));
    return [file, withActions.replace(IMAGE, (_, name, version) => pin(name, version, pinnedImage))];
  });
  for (const [file, text] of updated) writeFileSync(file, text);
  for (const reference of pinned.values()) console.log(reference);
} catch (error) {
  console.error(`pin: ${error.message}; nothing was changed`);
  process.exitCode = 1;
}

/** `version`: `v7` or `v7.0.1`, of which the newest release is chosen. */
function pinnedAction(name, version) {
  const lines = run("git", "ls-remote", "--tags", `https://github.com/${name}`, `${version}*`).split("\n");
  const commits = new Map();
  for (const line of lines) {
    const [, commit = "", tag = ""] = /^([0-9a-f]{40})\trefs\/tags\/(v\d+\.\d+\.\d+)(?:\^\{\})?$/.exec(line) ?? [];
    // An annotated tag has two lines; the second one names the commit.
    if (`${tag}.`.startsWith(`${version}.`)) commits.set(tag, commit);
  }
  const newest = [...commits.keys()].toSorted((a, b) => a.localeCompare(b, "en", { numeric: true })).at(-1);
  if (newest === undefined) throw new Error(`${name} has no release ${version}`);
  return `${name}@${commits.get(newest)} # ${newest}`;
}

function pinnedImage(name, version) {
  const tag = version.split("@", 1)[0];
  const { digest } = JSON.parse(
    run("docker", "buildx", "imagetools", "inspect", "--format", "{{json .Manifest}}", `${name}:${tag}`),
  );
  if (!/^sha256:[0-9a-f]{64}$/.test(digest))
    throw new Error(`got the digest ${digest} of ${name}:${tag}, expected sha256`);
  return `${name}:${tag}@${digest}`;
}

function run(command, ...args) {
  return execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}
