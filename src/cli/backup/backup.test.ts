import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { array, assert, asyncProperty, nat } from "fast-check";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { announced, commitOne, T0 } from "../../../test/contract/store-builders.ts";
import { ALICE, BOB, ticker } from "../../../test/support/builders.ts";
import { expectContinued, fillStore } from "../../../test/support/full-state.ts";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { emptyDatabase } from "../../../test/support/postgres.ts";
import { anInvocation } from "../../../test/support/recorded-invocation.ts";
import { repetitions } from "../../../test/support/soak.ts";
import { channel, openIn, readAll, readFiles, STORY, withFlipped } from "../../../test/support/store-folder.ts";
import { addKey, listKeys, revokeKey } from "../../data-service/server/api-keys.ts";
import { STATE_SCHEMAS } from "../../ports/state-records.ts";
import { apiKeysIn } from "../../store/engines/sqlite/api-keys.ts";
import { backup } from "./backup.ts";
import { BackupSummary } from "./backup-format.ts";
import { restore } from "./restore.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "splitwatch-backup-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

interface RunResult {
  readonly code: number;
  readonly printed: readonly string[];
  readonly problems: readonly string[];
}

function data(name = "data"): string {
  return join(folder, name);
}

async function runBackup(file = "backup.jsonl", dir = data()): Promise<RunResult> {
  const invocation = anInvocation(folder, { DATA_DIR: dir });
  const code = await backup(file, invocation, new ManualClock("2026-03-10T14:00:00Z"));
  return { code, printed: invocation.printed, problems: invocation.problems };
}

async function runRestore(file = "backup.jsonl", dir = data("restored")): Promise<RunResult> {
  const invocation = anInvocation(folder, { DATA_DIR: dir });
  return { code: await restore(file, invocation), printed: invocation.printed, problems: invocation.problems };
}

/** Backs up or restores a database. */
async function runOn(command: typeof backup | typeof restore, file: string, url: string): Promise<RunResult> {
  const invocation = anInvocation(folder, { DATABASE_URL: url, DATA_DIR: data("unused") });
  return { code: await command(file, invocation), printed: invocation.printed, problems: invocation.problems };
}

async function linesOf(file = "backup.jsonl"): Promise<readonly string[]> {
  return (await readFile(join(folder, file), "utf8")).trimEnd().split("\n");
}

async function kindsIn(file?: string): Promise<ReadonlySet<string>> {
  const records = (await linesOf(file)).slice(1, -1).map((line) => JSON.parse(line) as { kind: string });
  return new Set(records.map(({ kind }) => kind));
}

/** A DATA_DIR with records of every kind, and with API keys. */
async function fillFolder(dir = data()): Promise<void> {
  const store = await openIn(dir);
  await fillStore(store);
  await store.close();
  await addKey(apiKeysIn(dir), "others", T0);
  await addKey(apiKeysIn(dir), "gone", T0);
  await revokeKey(apiKeysIn(dir), "gone", T0 + 1);
}

/** Hashes of the files under DATA_DIR. The index of the log, which readers change, has none. */
async function fileHashes(): Promise<readonly string[]> {
  const files = [...(await readFiles(data()))].map(([name, bytes]) =>
    name.endsWith("-shm") ? name : `${name} ${createHash("sha256").update(bytes).digest("hex")}`,
  );
  return files.toSorted();
}

/** Expects a restore of these bytes to fail without creating a folder. Returns the problem. */
async function restoreProblem(bytes: Buffer | string): Promise<string> {
  await writeFile(join(folder, "wrong.jsonl"), bytes);
  const { code, problems } = await runRestore("wrong.jsonl");
  expect({ code, problems: problems.length }).toEqual({ code: 1, problems: 1 });
  expect((await readdir(folder)).includes("restored")).toBe(false);
  return problems[0]?.replace(`splitwatch: ${join(folder, "wrong.jsonl")}`, "FILE") ?? "";
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

describe("a restored backup", () => {
  it("contains every kind of record unchanged", async () => {
    await fillFolder();

    const result = await runBackup();
    expect(result).toMatchObject({ code: 0, problems: [] });
    const kinds = Object.keys(STATE_SCHEMAS).filter((kind) => kind !== "forgetting");
    expect(await kindsIn()).toEqual(new Set(kinds));
    expect(await runRestore()).toMatchObject({ code: 0, problems: [] });

    await runBackup("again.jsonl", data("restored"));
    expect(await linesOf("again.jsonl")).toEqual(await linesOf());
    expect(await listKeys(apiKeysIn(data("restored")))).toEqual(await listKeys(apiKeysIn(data())));
    const [before, after] = [await openIn(data()), await openIn(data("restored"))];
    expect(await readAll(after)).toEqual(await readAll(before));
    await Promise.all([before.close(), after.close()]);
  });

  it("contains no sessions of the web page: after a restore, everyone signs in again", async () => {
    await fillFolder();
    const before = await openIn(data());
    await before.sessions.start({ id: "s1", until: T0 + 60_000 }, T0, 10);
    await before.close();
    await runBackup();
    await runRestore();

    const [original, restored] = [await openIn(data()), await openIn(data("restored"))];
    expect([await original.sessions.isOpen("s1", T0), await restored.sessions.isOpen("s1", T0)]).toEqual([true, false]);
    await Promise.all([original.close(), restored.close()]);
  });

  it("continues where the original state stopped", async () => {
    await fillFolder();
    const before = await openIn(data());
    const token = await before.calendars.tokenOf(ALICE);
    await before.close();
    await runBackup();
    vi.useFakeTimers({ toFake: ["Date"], now: new ManualClock().now() });
    onTestFinished(() => void vi.useRealTimers());
    expect(await runRestore()).toMatchObject({ code: 0 });

    const store = await openIn(data("restored"));
    await expectContinued(store, token);
    await store.close();
  });

  it("equals the original after any sequence of operations", { timeout: 120_000 }, async () => {
    const steps = array(nat(STORY.length - 1), { maxLength: 25 });
    let round = 0;
    await assert(
      asyncProperty(steps, async (indexes) => {
        round += 1;
        const [dir, copy] = [data(`d${round}`), data(`r${round}`)];
        const store = await openIn(dir);
        // A step may fail if an earlier step made it impossible.
        for (const index of indexes) await STORY[index]?.(store).catch(() => undefined);
        await store.close();

        expect(await runBackup(`a${round}`, dir)).toMatchObject({ code: 0 });
        expect(await runRestore(`a${round}`, copy)).toMatchObject({ code: 0 });
        await runBackup(`b${round}`, copy);
        expect(await linesOf(`b${round}`)).toEqual(await linesOf(`a${round}`));
      }),
      { numRuns: 15 },
    );
  });

  it("moves the state to PostgreSQL and back", async () => {
    await fillFolder();
    const url = await emptyDatabase();
    expect((await runOn(backup, "none.jsonl", url)).problems).toEqual([
      expect.stringMatching(/^splitwatch: DATABASE_URL: got .*, which contains no splitwatch data/),
    ]);
    await runBackup();
    expect(await runOn(restore, "backup.jsonl", url)).toMatchObject({ code: 0, problems: [] });
    expect(await runOn(restore, "backup.jsonl", url)).toMatchObject({
      code: 1,
      problems: [expect.stringMatching(/^splitwatch: DATABASE_URL: got .* already holds a state/)],
    });
    expect(await runOn(backup, "moved.jsonl", url)).toMatchObject({ code: 0, problems: [] });
    expect(await runRestore("moved.jsonl")).toMatchObject({ code: 0, problems: [] });

    await runBackup("again.jsonl", data("restored"));
    const [before, after] = [await linesOf(), await linesOf("again.jsonl")];
    const sizes = [before, after].map((lines) =>
      lines
        .slice(1, -1)
        .map((line) => `${line.length}`)
        .toSorted(),
    );
    expect(sizes[1]).toEqual(sizes[0]);
    expect(await readdir(folder)).not.toContain("unused");
  });

  it("has no data of a person who was purged", async () => {
    const store = await openIn(data());
    await store.watchlists.add(BOB, [ticker("ACME")]);
    await commitOne(store, announced("s1"), BOB);
    await store.purgePerson(BOB);

    await runBackup("purged.jsonl");
    expect(await readFile(join(folder, "purged.jsonl"), "utf8")).not.toContain("bob");
    await store.close();
  });

  it("has no data of a person whose purge was pending in the backup", async () => {
    const purge = { kind: "forgetting", value: { person: ALICE, tests: [] } };
    await writeFile(join(folder, "pending.jsonl"), await manipulated((records) => [...records, purge]));
    expect((await fullBackupLines()).join("")).toContain('"alice"');

    expect(await runRestore("pending.jsonl")).toMatchObject({ code: 0, problems: [] });
    await runBackup("purged.jsonl", data("restored"));
    expect((await linesOf("purged.jsonl")).join("")).not.toContain('"alice"');
  });
});

describe("backup", () => {
  it("works while another process uses the folder, and changes nothing in it", async () => {
    const store = await openIn(data());
    await fillStore(store);
    const before = await fileHashes();

    expect(await runBackup()).toMatchObject({ code: 0, problems: [] });
    expect(await fileHashes()).toEqual(before);
    await store.close();
    expect(await runRestore()).toMatchObject({ code: 0 });
  });

  it("prints a summary, and writes one file that only its owner can read", async () => {
    await fillFolder();
    const { printed } = await runBackup();

    const tail = JSON.parse((await linesOf()).at(-1) ?? "") as { sha256: string };
    expect(printed).toEqual([
      `Backed up ${data()} to ${join(folder, "backup.jsonl")}`,
      expect.stringMatching(/^\d+ records: 1 snapshot, 2 split, 1 past-split, /),
      `SHA-256 ${tail.sha256}`,
    ]);
    expect((await stat(join(folder, "backup.jsonl"))).mode & 0o777).toBe(0o600);
    expect((await readdir(folder)).toSorted()).toEqual(["backup.jsonl", "data"]);
  });

  it("writes to standard output for -, and its summary to standard error", async () => {
    await fillFolder();
    const { code, printed, problems } = await runBackup("-");

    expect({ code, summary: problems[0] }).toEqual({ code: 0, summary: `Backed up ${data()} to standard output` });
    await writeFile(join(folder, "piped.jsonl"), textOf(printed));
    expect(await runRestore("piped.jsonl")).toMatchObject({ code: 0 });
  });

  it.each([
    ["backup.jsonl", /^splitwatch: FILE: got .*backup\.jsonl, which already exists, expected a new name/],
    ["nowhere/backup.jsonl", /^splitwatch: FILE: got .*which cannot be written: there is no folder .*nowhere$/],
    [".", /which already exists/],
  ])("does not write into %j", async (file, problem) => {
    await fillFolder();
    await writeFile(join(folder, "backup.jsonl"), "an older backup");

    const { code, problems } = await runBackup(file);
    expect({ code, problem: problems[0] }).toEqual({ code: 2, problem: expect.stringMatching(problem) });
    expect(await readFile(join(folder, "backup.jsonl"), "utf8")).toBe("an older backup");
    expect((await readdir(folder)).toSorted()).toEqual(["backup.jsonl", "data"]);
  });

  it("does not overwrite a link, even a dangling one", async () => {
    await fillFolder();
    await symlink(join(folder, "nowhere"), join(folder, "link"));

    expect(await runBackup("link")).toMatchObject({ code: 2 });
    expect(await readlink(join(folder, "link"))).toBe(join(folder, "nowhere"));
  });

  it("contains the empty state of an installation that has polled nothing yet", async () => {
    await (await openIn(data())).close();
    expect(await runBackup()).toMatchObject({ code: 0, problems: [] });
    expect(await runRestore()).toMatchObject({ code: 0, problems: [] });
    await runBackup("again.jsonl", data("restored"));
    expect(await linesOf("again.jsonl")).toEqual(await linesOf());
  });

  it("rejects a folder without a state", async () => {
    const { code, problems } = await runBackup();

    expect({ code, problems }).toEqual({
      code: 2,
      problems: [
        `splitwatch: DATA_DIR: got ${data()}, which contains no splitwatch data, expected the DATA_DIR of an installation`,
      ],
    });
    expect(await readdir(folder)).toEqual([]);
  });

  it("rejects a damaged state", async () => {
    await fillFolder();
    const path = join(data(), "splitwatch.db");
    const bytes = await readFile(path);
    await writeFile(path, bytes.fill(0, bytes.length / 2));

    const { code, problems } = await runBackup();
    expect({ code, problem: problems[0] }).toEqual({
      code: 1,
      problem: expect.stringContaining(`${path} is damaged. No file was changed.`),
    });
    expect(await readdir(folder)).toEqual(["data"]);
  });

  it("stops when the process is stopped and removes its file", async () => {
    await fillFolder();
    const invocation = anInvocation(folder, { DATA_DIR: data() });
    invocation.stop({ kind: "signal", signal: "SIGTERM" });

    expect(await backup("backup.jsonl", invocation)).toBe(143);
    expect(await readdir(folder)).toEqual(["data"]);
  });
});

type Json = Readonly<Record<string, unknown>>;

interface BackupRecord {
  readonly kind: string;
  readonly value: Json;
}

let fullBackup: Promise<readonly string[]> | null = null;

/** Lines of a backup with every kind of record, which is made once. */
function fullBackupLines(): Promise<readonly string[]> {
  fullBackup ??= fillFolder()
    .then(() => runBackup())
    .then(() => linesOf());
  return fullBackup;
}

/** A backup of the full state with changed records, and the counts and checksum of these records. */
async function manipulated(change: (records: readonly BackupRecord[]) => readonly BackupRecord[]): Promise<string> {
  const [head = "", ...lines] = (await fullBackupLines()).slice(0, -1);
  const summary = new BackupSummary();
  summary.add(head);
  const records = change(lines.map((line) => JSON.parse(line) as BackupRecord));
  for (const record of records) summary.add(JSON.stringify(record), record.kind);
  return textOf([head, ...records.map((record) => JSON.stringify(record)), JSON.stringify(summary.tail)]);
}

/** Changes the first record of the kind. */
function changed(kind: string, value: Json): (records: readonly BackupRecord[]) => readonly BackupRecord[] {
  return (records) => {
    const first = records.find((record) => record.kind === kind);
    return records.map((record) => (record === first ? { kind, value: { ...record.value, ...value } } : record));
  };
}

describe("a manipulated backup with a valid checksum", () => {
  it.each<[string, string, Json, RegExp]>([
    ["a text as a number", "split", { revision: "1" }, /split\.revision: Invalid input: expected number/],
    ["a negative number", "split", { revision: -1 }, /split\.revision: Too small/],
    ["a number that no database stores", "rule-number", { last: 2 ** 31 - 1 }, /rule-number\.last: Too big/],
    ["a fraction as a number", "snapshot", { nextSplit: 0.5 }, /snapshot\.nextSplit: Invalid input: expected int/],
    [
      "a ratio of half a share",
      "past-split",
      { ratio: { newShares: 0.5, oldShares: 20 } },
      /newShares: .*expected int/,
    ],
    [
      "a ratio to zero",
      "past-split",
      { ratio: { newShares: 1, oldShares: 0 } },
      /past-split\.ratio\.oldShares: Too small/,
    ],
    ["a time that is no date", "event", { at: 1e17 }, /event\.at: Too big/],
    [
      "quiet hours that no clock shows",
      "destination-settings",
      { settings: { quiet: { from: 0, to: 1_440 } } },
      /settings\.quiet\.to: Too big/,
    ],
    ["a channel as a person", "watchlist", { person: channel("c1") }, /watchlist\.person\.kind: Invalid input/],
    ["an unknown kind of destination", "pause", { to: { ...channel("c1"), kind: "x" } }, /pause\.to\.kind: Invalid/],
    ["a delivery of no event", "delivery", { eventId: "none" }, /delivery .*: its event none is not among the records/],
    [
      "a delivery of an attempt at another destination",
      "attempt",
      { to: channel("c2") },
      /attempt m-\w+: its delivery .* is not among those for web:channel:c2/,
    ],
    [
      "terminal codes in an id",
      "delivery",
      { eventId: "\u001b[2J\u202Ex" },
      /^FILE line \d+: delivery [^\p{Cc}\p{Bidi_Control}]*$/u,
    ],
    ["a long id", "delivery", { eventId: "x".repeat(1_000_000) }, /^FILE line \d+: delivery .{100,4000}$/],
  ])("with %s is rejected", async (_, kind, value, problem) => {
    expect(await restoreProblem(await manipulated(changed(kind, value)))).toMatch(problem);
  });

  it("with two records for the same thing is rejected", async () => {
    const kinds = Object.keys(STATE_SCHEMAS).filter((kind) => kind !== "forgetting");
    for (const kind of kinds) {
      const text = await manipulated((records) =>
        records.flatMap((record) => (record.kind === kind ? [record, record] : [record])),
      );
      expect(await restoreProblem(text)).toContain(`got a second record for the ${kind}`);
    }
  });

  it("with keys of prototypes is restored as data", async () => {
    const reminded = JSON.parse('{"__proto__":"2026-03-01","constructor":"2026-03-02"}') as Json;
    await writeFile(join(folder, "m.jsonl"), await manipulated(changed("split", { company: "__proto__", reminded })));
    expect(await runRestore("m.jsonl")).toMatchObject({ code: 0, problems: [] });
    const store = await openIn(data("restored"));
    expect([...(await store.snapshot.read()).splits.values()][0]).toMatchObject({ company: "__proto__" });
    await store.close();
    expect(({} as Json)["constructor"]).toBe(Object);
  });
});

describe("restore", () => {
  it("detects every missing, repeated and moved line", async () => {
    await fillFolder();
    await runBackup();
    const lines = await linesOf();
    for (const [index, line] of lines.entries()) {
      const [before, after] = [lines.slice(0, index), lines.slice(index + 1)];
      expect(await restoreProblem(textOf([...before, ...after]))).toMatch(/^FILE line \d+: /);
      expect(await restoreProblem(textOf([...before, line, line, ...after]))).toMatch(/^FILE line \d+: /);
      const elsewhere = index === 0 ? [...after, line] : [line, ...before, ...after];
      expect(await restoreProblem(textOf(elsewhere))).toMatch(/^FILE line \d+: /);
    }
  });

  it("detects every truncation and bit flip", async () => {
    await fillFolder();
    await runBackup();
    const bytes = await readFile(join(folder, "backup.jsonl"));

    await assert(
      asyncProperty(nat(bytes.length * 8 - 1), nat(bytes.length - 1), async (bit, length) => {
        expect(await restoreProblem(withFlipped(bytes, bit))).toMatch(/^FILE line \d+: /);
        expect(await restoreProblem(bytes.subarray(0, length))).toMatch(length === 0 ? /empty/ : /^FILE line \d+: /);
      }),
      { numRuns: repetitions({ short: 40, full: 1_000 }) },
    );
    expect(await restoreProblem(bytes.subarray(0, -1))).toMatch(/the file ends within this line: it was truncated$/);
  });

  it("describes a file that is not a readable backup", async () => {
    await fillFolder();
    await runBackup();
    const bytes = await readFile(join(folder, "backup.jsonl"));
    const [head = "", ...lines] = (await linesOf()).map((line) => `${line}\n`);
    const expected = 'expected a backup that "splitwatch backup" wrote';

    expect(await restoreProblem("")).toBe(`FILE: got an empty file, ${expected}`);
    expect(await restoreProblem("<!doctype html>\n<p>Sorry</p>\n")).toBe(
      `FILE line 1: got a file that begins with "<!doctype html>", ${expected}`,
    );
    expect(await restoreProblem(Buffer.from("504b0304140000000800", "hex"))).toContain('begins with "PK\\u0003\\u0004');
    expect(await restoreProblem(gzipSync(bytes))).toBe(
      `FILE line 1: got compressed bytes, ${expected}: gunzip it first`,
    );
    expect(await restoreProblem(lines.join(""))).toBe(
      "FILE line 1: got a record, expected the head of a backup: its first line is missing",
    );
    for (const version of [1, 3])
      expect(await restoreProblem(head.replace('"version":2', `"version":${version}`))).toMatch(
        new RegExp(
          `^FILE line 1: version: got ${version}, written by splitwatch "[\\d.]+", expected 2\\. Restore it with that version`,
        ),
      );
    expect(await restoreProblem(head)).toContain("FILE line 1: the file ends after this line");
    expect(await restoreProblem(`${bytes.toString()}{}\n`)).toBe(
      `FILE line ${lines.length + 2}: got another line after the end of the backup`,
    );
    expect(await restoreProblem(`${head}{"kind":"split","value":{"id":5}}\n`)).toMatch(
      /^FILE line 2: split\.id: Invalid input: expected string, received number: /,
    );
    expect(await restoreProblem(`${head}{"kind":"secret","value":{}}\n`)).toContain(
      'line 2: got a record of the kind "secret", expected a kind',
    );
    expect(await restoreProblem(`${head}{"value":{}}\n`)).toContain(
      "line 2: got a record without a kind, expected a kind",
    );
    expect(await restoreProblem(`${head}\n`)).toContain("line 2: got a line without a JSON record");
  });

  it.each([
    ["missing.jsonl", "which doesn't exist"],
    [".", "which is a folder"],
    ["/dev/null", "which is not a regular file"],
  ])("names an unreadable file: %j", async (file, reason) => {
    const { code, problems } = await runRestore(file);

    expect(code).toBe(2);
    expect(problems[0]).toContain(`${reason}, expected a backup`);
  });

  it("rejects a folder with a state and suggests moving it", async () => {
    await fillFolder();
    await runBackup();
    const before = await fileHashes();

    const { code, problems } = await runRestore("backup.jsonl", data());
    expect(code).toBe(1);
    expect(problems[0]).toMatch(/DATA_DIR: got .*data, which already holds a state \(snapshot\.json, splitwatch\.db\)/);
    expect(problems[0]).toContain(`Move it away (mv ${data()} ${data()}.old)`);
    expect(await fileHashes()).toEqual(before);

    await addKey(apiKeysIn(data("keys-only")), "others");
    expect((await runRestore("backup.jsonl", data("keys-only"))).problems[0]).toContain("(splitwatch.db)");
  });

  it("fails while another process uses the folder", async () => {
    await fillFolder();
    await runBackup();
    const store = await openIn(data("restored"), { holder: "pid 4711, http://127.0.0.1:8080" });

    expect((await runRestore()).problems[0]).toContain("is in use by another splitwatch");
    await store.close();
  });

  it("ignores other files in the folder and the remains of a killed restore", async () => {
    await fillFolder();
    await runBackup();
    await mkdir(data("restored"));
    for (const name of ["splitwatch.db.restore", "splitwatch.db.restore-wal"])
      await writeFile(join(data("restored"), name), "half of it");
    await writeFile(join(data("restored"), "notes.txt"), "mine");

    expect(await runRestore()).toMatchObject({ code: 0 });
    expect((await readdir(data("restored"))).toSorted()).toEqual(["notes.txt", "splitwatch.db"]);
  });

  it("stops when the process is stopped and writes no state", async () => {
    await fillFolder();
    await runBackup();
    const invocation = anInvocation(folder, { DATA_DIR: data("restored") });
    invocation.stop({ kind: "signal", signal: "SIGINT" });

    expect(await restore("backup.jsonl", invocation)).toBe(130);
    expect(await readdir(folder)).not.toContain("restored");
  });
});
