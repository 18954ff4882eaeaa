import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";

const root = join(import.meta.dirname, "../..");

/** Imports that the rules forbid, by the file that contains them, and some that they allow. */
const PROBES: Readonly<Record<string, { readonly forbidden: readonly string[]; readonly allowed: readonly string[] }>> =
  {
    "src/domain/split/probe.ts": {
      forbidden: ["node:fs", "pg", "../../ports/log.ts", "../../lib/mutex.ts"],
      allowed: ["zod", "jsonc-parser", "../time/day.ts", "../../lib/json.ts"],
    },
    "src/domain/diff/probe.ts": {
      forbidden: ["jsonc-parser", "../../catalog/catalog.ts"],
      allowed: ["zod", "../split/split.ts", "../../extraction/extract.ts"],
    },
    "src/extraction/languages/probe.ts": {
      forbidden: ["@hono/node-server", "../../sources/index.ts", "../../lib/rate-limiter.ts"],
      allowed: ["zod", "../extract.ts", "../../domain/time/day.ts"],
    },
    "src/messages/probe.ts": { forbidden: ["../chat/index.ts"], allowed: ["../catalog/catalog.ts"] },
    "src/pipeline/probe.ts": { forbidden: ["undici", "../store/index.ts"], allowed: ["../ports/store.ts"] },
    "src/chat/slack/probe.ts": {
      forbidden: ["../discord/index.ts", "../../pipeline/poll.ts"],
      allowed: ["@slack/bolt", "../posting-sender.ts", "../../http/client.ts"],
    },
    "src/store/collections/probe.ts": { forbidden: ["../../chat/index.ts"], allowed: ["kysely"] },
    "src/http/probe.ts": { forbidden: ["../domain/time/day.ts"], allowed: ["undici", "../lib/json.ts"] },
    "src/lib/probe.ts": { forbidden: ["../domain/split/ratio.ts"], allowed: ["../domain/time/day.ts"] },
    "src/lib/probe.test.ts": { forbidden: [], allowed: ["../domain/split/ratio.ts"] },
  };

it("finds each import against the direction of the folders, and no other", () => {
  const folder = mkdtempSync(join(tmpdir(), "splitwatch-imports-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(join(root, "oxlint.config.mjs"), join(folder, "oxlint.config.mjs"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  for (const [file, { forbidden, allowed }] of Object.entries(PROBES)) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    writeFileSync(
      join(folder, file),
      [...forbidden, ...allowed].map((name) => `import ${JSON.stringify(name)};\n`).join(""),
    );
  }
  expect(restrictedImports(folder)).toEqual(
    Object.entries(PROBES)
      .flatMap(([file, { forbidden }]) => forbidden.map((name) => `${file}: ${name}`))
      .toSorted(),
  );
});

/** Lines such as `src/lib/probe.ts: ../domain/split/ratio.ts`. */
function restrictedImports(folder: string): readonly string[] {
  const oxlint = join(root, "node_modules/.bin/oxlint");
  const args = ["-c", "oxlint.config.mjs", "-A", "all", "-D", "no-restricted-imports", "--format", "json", "src"];
  const { diagnostics } = JSON.parse(outputOf(() => execFileSync(oxlint, args, { cwd: folder, encoding: "utf8" }))) as {
    readonly diagnostics: readonly { readonly message: string; readonly filename: string }[];
  };
  return diagnostics.map(({ message, filename }) => `${filename}: ${/'([^']+)'/.exec(message)?.[1]}`).toSorted();
}

/** The output of a command, also of one that fails. */
function outputOf(run: () => string): string {
  try {
    return run();
  } catch (error) {
    return (error as { readonly stdout: string }).stdout;
  }
}
