import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { ConfigError, hasExternalChat, readConfig } from "../config/index.ts";
import { wholeNumber } from "../config/value-schemas.ts";
import { off, pass } from "../lib/check-result.ts";
import { createRedactor } from "../lib/redact.ts";
import { PLATFORMS } from "./index.ts";
import type { PlatformDefinition } from "./platform-definition.ts";

const here = new URL("./", import.meta.url);
const folders = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

describe("the registry of chat platforms", () => {
  it("names every folder and nothing else", () => {
    expect(PLATFORMS.map(({ name }) => name).toSorted()).toEqual(folders.toSorted());
  });

  it.each(folders)("has the contract suite and a README for %s", (folder) => {
    expect(existsSync(new URL(`${folder}/contract.test.ts`, here))).toBe(true);
    expect(existsSync(new URL(`${folder}/README.md`, here))).toBe(true);
  });

  it("is the only file outside the folders that names a platform", () => {
    const external = PLATFORMS.filter(({ isExternal }) => isExternal).map(({ name }) => name);
    const named = new RegExp(external.join("|"), "i");
    const parts = [
      "app",
      "chat",
      "commands",
      "config",
      "cli",
      "domain",
      "http",
      "lib",
      "messages",
      "pipeline",
      "ports",
      "store",
    ];
    const files = parts.flatMap((part) => sourceFiles(new URL(`../${part}/`, here)));
    const naming = files.filter(({ text }) => named.test(text)).map(({ path }) => path);
    expect(naming.filter((path) => !external.some((name) => path.includes(`/chat/${name}/`)))).toEqual([
      expect.stringMatching(/\/chat\/index\.ts$/),
    ]);
  });
});

interface CarrierSettings {
  readonly token: string;
  readonly pigeons: number;
}

const carrier: PlatformDefinition<CarrierSettings, { readonly pigeons: number }> = {
  name: "carrier",
  label: "Carrier pigeons",
  isExternal: true,
  variables: [{ name: "CARRIER_TOKEN", isSecret: true, isToken: true, comment: "The token. Secret." }],
  section: z.strictObject({ pigeons: wholeNumber(1, 9).prefault(3) }),
  startupHint: "CARRIER_TOKEN to send pigeons",
  credentialPattern: /\bpigeon-\d+/g,
  readSettings: ({ variables: { CARRIER_TOKEN: token } }, { pigeons }) =>
    token === undefined ? null : { token, pigeons },
  connect: () => Promise.reject(new Error("not needed")),
  check: ({ pigeons }, { server }) => Promise.resolve([pass(`${pigeons} pigeons at ${server.publicUrl}`)]),
};

describe("a platform that is added as one definition", () => {
  const folder = mkdtempSync(join(tmpdir(), "splitwatch-platform-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const read = (env: Readonly<Record<string, string>>, yaml = "") => {
    writeFileSync(join(folder, "my.yaml"), yaml);
    return readConfig(
      { env: { SPLITWATCH_CONFIG: "my.yaml", ...env }, folder, isTerminal: false },
      {
        platforms: [...PLATFORMS, carrier],
      },
    );
  };

  it("gets its settings from its variables and its section", () => {
    const [plain, changed] = ["", "carrier: { pigeons: 5 }"].map((yaml) => read({ CARRIER_TOKEN: "t" }, yaml));
    expect(plain?.platforms.at(-1)?.settings).toEqual({ token: "t", pigeons: 3 });
    expect(changed?.platforms.at(-1)?.settings).toEqual({ token: "t", pigeons: 5 });
  });

  it("is absent while it is not configured", () => {
    expect(read({}).platforms.map(({ definition }) => definition.name)).toEqual(["web"]);
    expect(hasExternalChat(read({}))).toBe(false);
    expect(hasExternalChat(read({ CARRIER_TOKEN: "t" }))).toBe(true);
  });

  it("reports the problems of its variables and its section together", () => {
    const problems = problemsOf(() => read({ CARRIER_TOKEN: "t t" }, "carrier: { pigeons: 0, speed: 1 }"));
    expect(problems).toEqual([
      "CARRIER_TOKEN: got an invalid value, expected ASCII characters without spaces",
      "carrier.pigeons: got 0, expected a whole number from 1 to 9",
      "carrier.speed: unknown key",
    ]);
  });

  it("has its secrets masked", () => {
    const { secrets, credentialPatterns } = read({ CARRIER_TOKEN: "hush" });
    expect(createRedactor(secrets, credentialPatterns)("hush pigeon-7")).toBe("*** ***");
  });

  it("is checked by doctor, or reported as not configured", async () => {
    const { checkPlatforms } = await import("../cli/doctor.ts");
    const check = (env: Readonly<Record<string, string>>) => checkPlatforms(read(env), [...PLATFORMS, carrier]);
    const configured = await check({ CARRIER_TOKEN: "t", PUBLIC_URL: "https://a.example" });
    expect(configured.at(-1)).toEqual(pass("carrier: 3 pigeons at https://a.example"));
    expect((await check({})).at(-1)).toEqual(off("carrier: not configured; set CARRIER_TOKEN to send pigeons"));
  });
});

function problemsOf(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error instanceof ConfigError ? error.problems : error;
  }
}

function sourceFiles(folder: URL): readonly { readonly path: string; readonly text: string }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && !entry.name.endsWith(".test.ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, text: readFileSync(path, "utf8") }));
}
