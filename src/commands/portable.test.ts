import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ALICE, BOB, GENERAL } from "../../test/support/builders.ts";
import { cardText } from "../../test/support/card-text.ts";
import {
  type CommandBench,
  IN_DIRECT_MESSAGE,
  IN_GENERAL,
  openCommandBench,
} from "../../test/support/command-bench.ts";
import type { Rule } from "../domain/settings/rule.ts";
import { HOUR_MS, MINUTE_MS } from "../domain/time/day.ts";
import type { Answer, AttachedFile, Call } from "./command.ts";

const FORBIDDEN: Call = { ...IN_GENERAL, mayManage: async () => "You need the Manage Server permission." };

let bench: CommandBench;

beforeEach(async () => {
  bench = await openCommandBench();
});

afterEach(() => bench.close());

function withFile(file: AttachedFile, call: Call = IN_DIRECT_MESSAGE): Call {
  return { ...call, fetchAttachment: () => Promise.resolve(file) };
}

function textFile(text: string): AttachedFile {
  return { kind: "text", name: "list.txt", text };
}

/** Command of the button with this label. */
function behind({ cards }: Answer, label: string): string {
  const found = cards.flatMap(({ buttons }) => buttons).find((button) => button.label === label);
  if (!found) throw new Error(`no button ${label}: ${cards.map(cardText).join("\n")}`);
  return found.command;
}

function read(answer: Answer): string {
  return answer.cards.map(cardText).join("\n");
}

/** File of an export. */
async function exported(line: string, call: Call = IN_DIRECT_MESSAGE): Promise<string> {
  const { cards } = await bench.run(line, call);
  return cards[0]?.files?.[0]?.text ?? "";
}

function watched(person = ALICE): Promise<readonly string[]> {
  return bench.store.watchlists.of(person);
}

/** Filters of a rule, without its destination. */
function asked(rule: Rule): unknown {
  return { ...rule, number: 0, destination: null, createdBy: null, createdAt: 0 };
}

describe("export, then import", () => {
  it("transfers watchlist, rules and settings to another person", async () => {
    await bench.run("watch ACME BRK.B GLOBX", IN_DIRECT_MESSAGE);
    await bench.run("subscribe exchange:NASDAQ minratio:7.7 exclude:OTC,BAD", IN_DIRECT_MESSAGE);
    await bench.run("subscribe events:all sources:newsfile fractional:cash", IN_DIRECT_MESSAGE);
    await bench.run("settings timezone:Pacific/Auckland quiet:22:00-07:00 digest:on", IN_DIRECT_MESSAGE);
    const text = await exported("export");

    const bob: Call = { person: BOB, destination: BOB, mayManage: async () => true };
    const preview = await bench.run(`import ${text}`, bob);
    expect(read(preview)).toContain("3 tickers, 2 rules and 3 settings");
    await bench.run(behind(preview, "Apply"), bob);

    expect(await watched(BOB)).toEqual(["ACME", "BRK.B", "GLOBX"]);
    expect((await bench.store.rules.at(BOB)).map(asked)).toEqual((await bench.store.rules.at(ALICE)).map(asked));
    expect(await bench.store.destinationSettings.of(BOB)).toEqual(await bench.store.destinationSettings.of(ALICE));
  });

  it("transfers a channel's rules without their mentions, with a note", async () => {
    const call: Call = { ...IN_GENERAL, resolveMention: async () => ({ kind: "allowed", mention: "<@&7>" }) };
    await bench.run("subscribe nasdaq mention:@traders", call);
    const { cards } = await bench.run("export scope:channel", call);
    expect(cards.map(cardText).join()).toContain("Mentions aren't exported");
    const text = cards[0]?.files?.[0]?.text ?? "";
    expect(text).not.toContain("<@&7>");

    const elsewhere: Call = { ...IN_GENERAL, destination: { ...GENERAL, id: "news" } };
    const preview = await bench.run(`import scope:channel ${text}`, elsewhere);
    expect(read(preview)).toContain("1 rule had a mention, which can't be imported.");
    await bench.run(behind(preview, "Apply"), elsewhere);
    expect(await bench.store.rules.at(elsewhere.destination)).toMatchObject([{ exchanges: ["NASDAQ"], mention: null }]);
  });

  it("transfers a plain list of tickers", async () => {
    await bench.run("watch ACME GLOBX");
    expect(await exported("export format:list", IN_GENERAL)).toBe("ACME\nGLOBX\n");
  });

  it("reports that there is no list to export", async () => {
    expect(await bench.runAsText("export format:txt")).toContain("your watchlist is empty");
  });

  it("names no destination and no person in the file", async () => {
    await bench.run("watch ACME");
    await bench.run("subscribe nasdaq", IN_DIRECT_MESSAGE);
    expect(await exported("export")).not.toMatch(/alice|web|general/);
  });
});

describe("an import", () => {
  it("changes nothing before Apply", async () => {
    const before = await bench.state();
    const preview = await bench.run("import ACME, $GLOBX\nINITE what-is-this", IN_GENERAL);
    expect(await bench.state()).toBe(before);
    const text = read(preview);
    expect(text).toContain("Import from your text: 3 tickers");
    expect(text).toContain("Adds to your watchlist: ACME, GLOBX and INITE.");
    expect(text).toContain('Line 2: got "what-is-this", expected a ticker such as ACME or BRK.B.');
  });

  it("shows existing entries and adds only the others", async () => {
    await bench.run("watch ACME");
    const preview = await bench.run("import ACME GLOBX");
    expect(read(preview)).toContain("Already on your watchlist: ACME.");
    expect(read(await bench.run(behind(preview, "Apply")))).toContain("Imported: 1 ticker");
    expect(await watched()).toEqual(["ACME", "GLOBX"]);
  });

  it("has no Apply button without new entries", async () => {
    await bench.run("watch ACME");
    const { cards } = await bench.run("import ACME");
    expect(cards[0]).toMatchObject({ title: "Nothing new in your text", buttons: [] });
  });

  it("is idempotent when it is applied or undone twice", async () => {
    const preview = await bench.run(`import {"splitwatch":1,"watchlist":["ACME"],"rules":[{}]}`, IN_DIRECT_MESSAGE);
    const apply = behind(preview, "Apply");
    const applied = await Promise.all([bench.run(apply, IN_DIRECT_MESSAGE), bench.run(apply, IN_DIRECT_MESSAGE)]);
    expect(applied.map(read)).toEqual([expect.stringContaining("1 ticker and 1 rule"), read(applied[0])]);
    expect(await bench.store.rules.at(ALICE)).toHaveLength(1);

    const undo = behind(applied[0], "Undo");
    expect(read(await bench.run(undo, IN_DIRECT_MESSAGE))).toContain("Import undone: 1 ticker and 1 rule");
    await bench.run("subscribe nasdaq", IN_DIRECT_MESSAGE);
    await bench.run("watch ACME", IN_DIRECT_MESSAGE);
    await bench.run(undo, IN_DIRECT_MESSAGE);
    expect(await watched()).toEqual(["ACME"]);
    expect(await bench.store.rules.at(ALICE)).toHaveLength(1);
    expect(read(await bench.run(apply, IN_DIRECT_MESSAGE))).toContain("no longer available");
  });

  it("keeps existing and later entries when it is undone", async () => {
    await bench.run("watch ACME", IN_DIRECT_MESSAGE);
    await bench.run("settings digest:on", IN_DIRECT_MESSAGE);
    const file =
      '{"splitwatch":1,"watchlist":["ACME","GLOBX","INITE"],"rules":[{},{"minRatio":20}],"settings":{"digest":false}}';
    const preview = await bench.run(`import ${file}`, IN_DIRECT_MESSAGE);
    await bench.run("watch GLOBX", IN_DIRECT_MESSAGE);
    await bench.run("subscribe", IN_DIRECT_MESSAGE);
    const applied = await bench.run(behind(preview, "Apply"), IN_DIRECT_MESSAGE);
    expect(await watched()).toEqual(["ACME", "GLOBX", "INITE"]);
    await bench.run(behind(applied, "Undo"), IN_DIRECT_MESSAGE);
    expect(await watched()).toEqual(["ACME", "GLOBX"]);
    expect((await bench.store.rules.at(ALICE)).map(({ minRatio }) => minRatio)).toEqual([null]);
    expect((await bench.store.destinationSettings.of(ALICE)).digest).toBe(true);
  });

  it("is completed by the next press after a crash, and undone completely", async () => {
    const preview = await bench.run("import ACME GLOBX");
    const apply = behind(preview, "Apply");
    const pending = await bench.store.imports.find(apply.replace("import apply:", ""));
    if (!pending) throw new Error("not kept");
    await bench.store.imports.transition({ ...pending, state: "applying" }, "shown");
    await bench.store.watchlists.add(ALICE, pending.tickers.slice(0, 1));
    const applied = await bench.run(apply);
    expect(await watched()).toEqual(["ACME", "GLOBX"]);
    await bench.run(behind(applied, "Undo"));
    expect(await watched()).toEqual([]);
  });

  it("can be canceled", async () => {
    const preview = await bench.run("import ACME");
    expect(read(await bench.run(behind(preview, "Cancel")))).toContain("Nothing was imported");
    expect(read(await bench.run(behind(preview, "Apply")))).toContain("no longer available");
    expect(await watched()).toEqual([]);
  });

  it("expires after one hour", async () => {
    const preview = await bench.run("import ACME");
    await bench.clock.advance(HOUR_MS - MINUTE_MS);
    const applied = await bench.run(behind(preview, "Apply"));
    expect(await watched()).toEqual(["ACME"]);
    await bench.clock.advance(MINUTE_MS);
    expect(read(await bench.run(behind(applied, "Undo")))).toContain("no longer available");
    expect(await watched()).toEqual(["ACME"]);
  });

  it.each([
    ["another person", { ...IN_GENERAL, person: BOB }],
    ["another channel", { ...IN_GENERAL, destination: { ...GENERAL, id: "news" } }],
  ])("is hidden from %s", async (_who, call) => {
    const preview = await bench.run("import ACME");
    for (const label of ["Apply", "Cancel"])
      expect(read(await bench.run(behind(preview, label), call))).toContain("no longer available");
    expect([await watched(), await watched(BOB)]).toEqual([[], []]);
    await bench.run(behind(preview, "Apply"));
    expect(await watched()).toEqual(["ACME"]);
  });

  it("respects the limits of watch and subscribe", async () => {
    const names = Array.from({ length: 499 }, (_, index) => `A${index.toString(36).toUpperCase()}`);
    await bench.run(`watch ${names.join(" ")}`);
    const rules = Array.from({ length: 26 }, (_, index) => `{"minRatio":${index + 2}}`);
    const file = `{"splitwatch":1,"watchlist":["XX","YY"],"rules":[${rules.join()}]}`;
    const preview = await bench.run(`import ${file}`, IN_DIRECT_MESSAGE);
    expect(read(preview)).toContain("Not added: YY. A watchlist can have at most 500 tickers.");
    expect(read(preview)).toContain("Not added: 1 rule. At most 25 can be set for you.");
    await bench.run(behind(preview, "Apply"), IN_DIRECT_MESSAGE);
    expect(await watched()).toHaveLength(500);
    expect(await bench.store.rules.at(ALICE)).toHaveLength(25);
  });
});

describe("the scope of an import", () => {
  const FILE = '{"splitwatch":1,"watchlist":["ACME"],"rules":[{}]}';

  it("in a channel is the caller's watchlist; rules are skipped with a note", async () => {
    const preview = await bench.run(`import ${FILE}`, FORBIDDEN);
    expect(read(preview)).toContain("1 rule can't be imported. Import with scope:channel for this channel");
    await bench.run(behind(preview, "Apply"), FORBIDDEN);
    expect(await watched()).toEqual(["ACME"]);
    expect(await bench.store.rules.count()).toBe(0);
  });

  it.each(["import scope:channel", "import scope channel"])("with %s is the channel's rules only", async (line) => {
    const preview = await bench.run(`${line} ${FILE}`);
    expect(read(preview)).toContain("1 watchlist ticker can't be imported");
    await bench.run(behind(preview, "Apply"));
    expect(await watched()).toEqual([]);
    expect(await bench.store.rules.at(GENERAL)).toMatchObject([{ destination: GENERAL, createdBy: ALICE }]);
  });

  it("requires permission to manage the channel for the preview and for the button", async () => {
    expect(await bench.runAsText(`import scope:channel ${FILE}`, FORBIDDEN)).toContain("Manage Server");
    const preview = await bench.run(`import scope:channel ${FILE}`);
    expect(read(await bench.run(behind(preview, "Apply"), FORBIDDEN))).toContain("Manage Server");
    expect(await bench.store.rules.count()).toBe(0);
    const applied = await bench.run(behind(preview, "Apply"));
    expect(read(await bench.run(behind(applied, "Undo"), FORBIDDEN))).toContain("Manage Server");
    expect(await bench.store.rules.count()).toBe(1);
  });

  it.each(["import scope:channel ACME", "export scope:channel"])(
    "%s in a direct message reports that there is no channel",
    async (line) => {
      expect(await bench.runAsText(line, IN_DIRECT_MESSAGE)).toContain("There's no channel here");
    },
  );
});

describe("an attached file", () => {
  it("is read, and named in the preview", async () => {
    const preview = await bench.run("import", withFile(textFile("Symbol,Shares\nACME,5\n")));
    expect(read(preview)).toContain("Import from list.txt: 1 ticker");
  });

  it("may have 10,000 lines; problems are counted and the first ones shown", async () => {
    const lines = Array.from({ length: 10_000 }, (_, index) =>
      index % 100 === 0 ? `bad-line-${index}` : `A${index.toString(36)}`,
    );
    const preview = await bench.run("import", withFile(textFile(lines.join("\r\n"))));
    const text = read(preview);
    expect(text).toContain("500 tickers");
    expect(text).toContain("100 problems found");
    expect(text).toContain('Line 901: got "bad-line-900"');
    expect(text).not.toContain("Line 1,001");
    expect(text).toContain("And 90 more problems.");
    await bench.run(behind(preview, "Apply"), IN_DIRECT_MESSAGE);
    expect(await watched()).toHaveLength(500);
  });

  it.each<[AttachedFile, string]>([
    [
      { kind: "not-text", name: "a.zip", format: "a zip archive or a spreadsheet" },
      "Got a zip archive or a spreadsheet, expected a file from /splits export or a list of tickers.",
    ],
    [{ kind: "too-large", name: "a.csv" }, "Got more than 1 MB, which is the limit."],
    [
      { kind: "unreachable", name: "a.csv", reason: "no answer in time" },
      "Couldn't download the file: no answer in time.",
    ],
    [textFile("<!DOCTYPE html><title>ACME</title>"), "Got a web page or other markup"],
    [textFile("\n\n"), "Got an empty text"],
    [textFile("ACME\n".repeat(10_001)), "Got 10,001 lines, expected at most 10,000 lines."],
    [textFile('{"splitwatch":9}'), 'Line 1: "splitwatch": got 9, expected 1.'],
    [textFile('{"splitwatch":1,\n"watchlist":[ACME]}'), "Line 2: got ACME, expected a JSON value."],
  ])("is rejected with one reason: %j", async (file, words) => {
    const text = await bench.runAsText("import", withFile(file));
    expect(text).toMatch(/^Couldn.t import .*\. Nothing was changed\./);
    expect(text).toContain(words);
  });

  it("is requested if none is attached", async () => {
    expect(await bench.runAsText("import")).toContain("What do you want to import?\nPaste the text after the command.");
    expect(await bench.runAsText("import", { ...IN_GENERAL, hints: { file: "select Import" } })).toContain(
      "What do you want to import?\nSelect Import, or paste the text after the command.",
    );
    expect(await bench.runAsText("import file:list.txt")).toContain("What do you want to import?");
  });
});

describe("pasted text", () => {
  it.each([
    ["import ACME", ["ACME"]],
    ["/splits import scope:me text:ACME, GLOBX", ["ACME", "GLOBX"]],
    ["import “splitwatch” ACME", ["ACME"]],
    ["import\n# my list\nACME\n\nGLOBX", ["ACME", "GLOBX"]],
    ["IMPORT {“splitwatch”: 1, “watchlist”: [“ACME”]}", ["ACME"]],
  ])("%j is imported", async (line, tickers) => {
    await bench.run(behind(await bench.run(line), "Apply"));
    expect(await watched()).toEqual(tickers);
  });

  it("begins after 1,000 characters of options", async () => {
    expect(await bench.runAsText(`import ${"scope:me ".repeat(100)}ACME`)).toContain("Import from your text: 1 ticker");
    const text = await bench.runAsText(`import ${"scope:me ".repeat(200)}\nACME`);
    expect(text).toContain('Line 1: got "scope:me", expected a ticker');
  });

  it("may be one long word", async () => {
    const tickers = Array.from({ length: 400 }, (_, index) => `A${index.toString(36)}`).join();
    const text = await bench.runAsText(`import scope:me text:${tickers}`);
    expect(text).toContain("Import from your text: 400 tickers");
    expect(text).not.toContain("problem");
  });

  it("may be as long as a file", async () => {
    const long = Array.from({ length: 9_000 }, (_, index) => `A${index.toString(36)} # a comment about it`).join("\n");
    expect(long.length).toBeGreaterThan(200_000);
    expect(await bench.runAsText(`import ${long}`)).toContain("500 tickers");
    expect(await bench.runAsText(`watch ${long}`)).toContain("The command is too long");
    expect(await bench.runAsText(`import ${"A,".repeat(600_000)}`)).toContain("The command is too long");
  });
});

describe("forget", () => {
  it("deletes nothing before the confirmation and all of the caller's data after it", async () => {
    await bench.run("watch ACME GLOBX");
    await bench.run("subscribe nasdaq", IN_DIRECT_MESSAGE);
    await bench.run("subscribe");
    await bench.run("settings digest:on", IN_DIRECT_MESSAGE);
    const token = await bench.store.calendars.tokenOf(ALICE);
    await bench.run("import INITE");
    const before = await bench.state();
    const question = await bench.run("forget");
    expect(read(question)).toContain("your watchlist (2 tickers), your own rules (1 rule)");
    expect(read(question)).toContain("1 rule that you set for channels stays, without your name.");
    expect(await bench.state()).toBe(before);

    expect(read(await bench.run(behind(question, "Delete it all")))).toContain(
      "Everything stored about you was deleted",
    );
    expect(await watched()).toEqual([]);
    expect(await bench.store.rules.at(ALICE)).toEqual([]);
    expect(await bench.store.rules.at(GENERAL)).toMatchObject([{ createdBy: { id: "(deleted person)" } }]);
    expect((await bench.store.destinationSettings.of(ALICE)).digest).toBe(false);
    expect(await bench.store.calendars.personOf(token)).toBeNull();
  });

  it("keeps the data of others", async () => {
    const bob: Call = { ...IN_GENERAL, person: BOB };
    await bench.run("watch ACME", bob);
    await bench.run("forget confirm:yes");
    expect(await watched(BOB)).toEqual(["ACME"]);
  });

  it("is idempotent, and the caller can start over", async () => {
    await bench.run("forget confirm:yes");
    await bench.run("forget confirm:yes");
    await bench.run("watch ACME");
    expect(await watched()).toEqual(["ACME"]);
  });

  it("deletes pending imports", async () => {
    const preview = await bench.run("import ACME");
    await bench.run("forget confirm:yes");
    expect(read(await bench.run(behind(preview, "Apply")))).toContain("no longer available");
  });
});
