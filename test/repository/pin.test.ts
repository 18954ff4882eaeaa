import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const FILES = [".github/workflows/ci.yaml", "Dockerfile", "deploy/compose.yaml", "deploy/compose.replicas.yaml"];
const DIGEST = `sha256:${"ab".repeat(32)}`;

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "splitwatch-pin-"));
  for (const file of FILES) cpSync(join(root, file), join(folder, file));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const git = (repository: string, ...args: readonly string[]): string =>
  execFileSync("git", ["-C", repository, "-c", "user.name=a", "-c", "user.email=a@example.com", ...args], {
    encoding: "utf8",
  }).trim();

/** Creates a repository with these tags, each on a commit of its own; returns the commits. */
function release(name: string, tags: readonly string[]): ReadonlyMap<string, string> {
  const repository = join(folder, "hosted", name);
  mkdirSync(repository, { recursive: true });
  git(repository, "init", "--quiet");
  return new Map(
    tags.map((tag, index) => {
      git(repository, "commit", "--quiet", "--allow-empty", "--message", tag);
      git(repository, ...(index % 2 === 0 ? ["tag", tag] : ["tag", "--annotate", "--message", tag, tag]));
      return [tag, git(repository, "rev-parse", "HEAD")];
    }),
  );
}

/** Runs the command with a registry that answers with this digest. */
function pin(args: readonly string[] = [], digest = DIGEST): ReturnType<typeof spawnSync> {
  const docker = join(folder, "bin/docker");
  mkdirSync(join(folder, "bin"), { recursive: true });
  writeFileSync(docker, `#!/bin/sh\necho "$*" >> ${folder}/asked\necho '{"mediaType": "x", "digest": "${digest}"}'\n`);
  chmodSync(docker, 0o755);
  return spawnSync(process.execPath, [join(root, "scripts/pin.mjs"), ...args], {
    cwd: folder,
    encoding: "utf8",
    env: {
      PATH: [join(folder, "bin"), process.env.PATH].join(delimiter),
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: `url.${join(folder, "hosted")}/.insteadOf`,
      GIT_CONFIG_VALUE_0: "https://github.com/",
    },
  });
}

const text = (file: string): string => readFileSync(join(folder, file), "utf8");
const contents = (): readonly string[] => FILES.map(text);

describe("npm run pin", () => {
  it("moves actions to the newest release of their major version, and adds the digests of images", () => {
    const checkout = release("actions/checkout", ["v7.0.9", "v7.0.10", "v7.9.0-beta", "v8.0.0", "v6.0.0"]);
    const node = release("actions/setup-node", ["v7", "v7.3.1"]);
    expect(pin()).toMatchObject({ status: 0, stderr: "" });
    expect(text(".github/workflows/ci.yaml")).toContain(`actions/checkout@${checkout.get("v7.0.10")} # v7.0.10\n`);
    expect(text(".github/workflows/ci.yaml")).toContain(`actions/setup-node@${node.get("v7.3.1")} # v7.3.1\n`);
    expect(text("deploy/compose.yaml")).toMatch(new RegExp(`image: caddy:[\\d.]+-alpine@${DIGEST}$`, "m"));
    expect(text("deploy/compose.yaml")).toMatch(/image: splitwatch$/m);
    expect(text("deploy/compose.replicas.yaml")).toMatch(new RegExp(`image: postgres:[\\w.-]+@${DIGEST}$`, "m"));
    expect(text("Dockerfile")).toMatch(new RegExp(`^ARG NODE_IMAGE=node:[\\w.-]+@${DIGEST}$`, "m"));
    const first = contents();
    expect(pin()).toMatchObject({ status: 0 });
    expect(contents()).toEqual(first);
    expect(text("asked")).not.toContain("sha256");
  });

  it("selects the versions of its arguments", () => {
    const checkout = release("actions/checkout", ["v7.0.1", "v8.1.0"]);
    release("actions/setup-node", ["v7.0.0"]);
    expect(pin(["caddy:2.99.0-alpine", "actions/checkout@v8"])).toMatchObject({ status: 0 });
    expect(text("deploy/compose.yaml")).toContain(`image: caddy:2.99.0-alpine@${DIGEST}\n`);
    expect(text(".github/workflows/ci.yaml")).not.toContain("# v7.0.1");
    expect(text(".github/workflows/ci.yaml")).toContain(`actions/checkout@${checkout.get("v8.1.0")} # v8.1.0\n`);
  });

  it.each([
    ["an argument that is used nowhere", ["mysql:9"], DIGEST, /^pin: got mysql:9, expected NAME:VERSION or .*caddy/],
    ["an argument without a version", ["caddy"], DIGEST, /^pin: got caddy, expected NAME:VERSION/],
    ["a release that doesn't exist", ["actions/checkout@v9"], DIGEST, /^pin: actions\/checkout has no release v9; /],
    ["an answer without a digest", [], "none", /^pin: got the digest none of [\w:.-]+, expected sha256; nothing was/],
  ])("changes nothing for %s", (_, args, digest, problem) => {
    release("actions/checkout", ["v7.0.2"]);
    release("actions/setup-node", ["v7.0.2"]);
    const before = contents();
    const { status, stderr } = pin(args, digest);
    expect(status).toBe(1);
    expect(stderr).toMatch(problem);
    expect(contents()).toEqual(before);
  });
});
