import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ALICE, BOB, GENERAL, ticker } from "../../test/support/builders.ts";
import { cardText } from "../../test/support/card-text.ts";
import {
  type CommandBench,
  IN_DIRECT_MESSAGE,
  IN_GENERAL,
  openCommandBench,
} from "../../test/support/command-bench.ts";
import type { Rule } from "../domain/settings/rule.ts";
import { HOUR_MS } from "../domain/time/day.ts";
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
    expect(await bench.runAsText(`import ${text}`, bob)).toContain("3 tickers, 2 rules and 3 settings");

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
    expect(await bench.runAsText(`import scope:channel ${text}`, elsewhere)).toContain(
      "1 rule had a mention, which can't be imported.",
    );
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
  it("adds valid entries, and shows the changes and the lines of invalid entries", async () => {
    const text = await bench.runAsText("import ACME, $GLOBX\nINITE what-is-this", IN_GENERAL);
    expect(text).toContain("Imported from your text: 3 tickers");
    expect(text).toContain("Added to your watchlist: ACME, GLOBX and INITE.");
    expect(text).toContain("1 problem found. Everything else was imported.");
    expect(text).toContain('Line 2: got "what-is-this", expected a ticker such as ACME or BRK.B.');
    expect(await watched()).toEqual(["ACME", "GLOBX", "INITE"]);
  });

  it("shows the number and the filter of each added rule, and the changed settings", async () => {
    await bench.run("subscribe", IN_DIRECT_MESSAGE);
    const file = '{"splitwatch":1,"rules":[{},{"exchanges":["NASDAQ"]}],"settings":{"digest":true}}';
    const text = await bench.runAsText(`import ${file}`, IN_DIRECT_MESSAGE);
    expect(text).toContain("Imported from your text: 1 rule and 1 setting");
    expect(text).toContain("1 rule is already set for you.");
    expect(text).toMatch(/Rule 2 for you.*on Nasdaq/);
    expect(text).toMatch(/Settings: .*digest/);
  });

  it("changes nothing, and has no Undo button, without new or valid entries", async () => {
    await bench.run("watch ACME");
    await bench.run("subscribe", IN_DIRECT_MESSAGE);
    const before = await bench.state();
    for (const text of ["ACME", "ACME what-is-this", '{"splitwatch":1,"rules":[{}],"settings":{"digest":false}}']) {
      const { cards } = await bench.run(`import ${text}`, IN_DIRECT_MESSAGE);
      expect(cards[0]).toMatchObject({ title: "Nothing new in your text", buttons: [] });
    }
    expect(await bench.state()).toBe(before);
  });

  it("shows existing entries and adds only the others", async () => {
    await bench.run("watch ACME");
    const text = await bench.runAsText("import ACME GLOBX");
    expect(text).toContain("Imported from your text: 1 ticker");
    expect(text).toContain("Already on your watchlist: ACME.");
    expect(await watched()).toEqual(["ACME", "GLOBX"]);
  });

  it("respects the limits of watch and subscribe", async () => {
    const names = Array.from({ length: 499 }, (_, index) => `A${index.toString(36).toUpperCase()}`);
    await bench.run(`watch ${names.join(" ")}`);
    const rules = Array.from({ length: 26 }, (_, index) => `{"minRatio":${index + 2}}`);
    const file = `{"splitwatch":1,"watchlist":["XX","YY"],"rules":[${rules.join()}]}`;
    const text = await bench.runAsText(`import ${file}`, IN_DIRECT_MESSAGE);
    expect(text).toContain("Not added: YY. A watchlist can have at most 500 tickers.");
    expect(text).toContain("Not added: 1 rule. At most 25 can be set for you.");
    expect(await watched()).toHaveLength(500);
    expect(await bench.store.rules.at(ALICE)).toHaveLength(25);
  });
});

describe("the undo of an import", () => {
  it("restores exactly the state before, and keeps what changed otherwise", async () => {
    await bench.run("watch ACME", IN_DIRECT_MESSAGE);
    await bench.run("subscribe", IN_DIRECT_MESSAGE);
    await bench.run("settings digest:on quiet:22:00-07:00", IN_DIRECT_MESSAGE);
    const file =
      '{"splitwatch":1,"watchlist":["ACME","GLOBX","INITE"],"rules":[{},{"minRatio":20}],"settings":{"digest":false,"quiet":null}}';
    const imported = await bench.run(`import ${file}`, IN_DIRECT_MESSAGE);
    expect(await watched()).toEqual(["ACME", "GLOBX", "INITE"]);
    expect(await bench.store.rules.at(ALICE)).toHaveLength(2);
    await bench.run("watch LATER", IN_DIRECT_MESSAGE);

    const text = read(await bench.run(behind(imported, "Undo"), IN_DIRECT_MESSAGE));
    expect(text).toContain("Import undone: 2 tickers, 1 rule and 2 settings");
    expect(text).toContain("Removed from your watchlist: GLOBX and INITE.");
    expect(await watched()).toEqual(["ACME", "LATER"]);
    expect((await bench.store.rules.at(ALICE)).map(({ minRatio }) => minRatio)).toEqual([null]);
    expect(await bench.store.destinationSettings.of(ALICE)).toMatchObject({
      digest: true,
      quiet: { from: 1_320, to: 420 },
    });
  });

  it("works once", async () => {
    const undo = behind(await bench.run("import ACME"), "Undo");
    await bench.run(undo);
    await bench.run("watch ACME");
    expect(read(await bench.run(undo))).toContain("can't be undone anymore");
    expect(await watched()).toEqual(["ACME"]);
  });

  it("is completed by the next press if it was interrupted", async () => {
    const undo = behind(await bench.run("import ACME GLOBX"), "Undo");
    await bench.store.watchlists.remove(ALICE, [ticker("ACME")]);
    expect(read(await bench.run(undo))).toContain("Import undone: 2 tickers");
    expect(await watched()).toEqual([]);
  });

  it("is available for the last import that changed something, at any time", async () => {
    const first = await bench.run("import ACME");
    const second = await bench.run("import GLOBX");
    await bench.run("import GLOBX");
    await bench.clock.advance(100 * HOUR_MS);
    expect(read(await bench.run(behind(first, "Undo")))).toContain("can't be undone anymore");
    expect(read(await bench.run(behind(second, "Undo")))).toContain("Import undone: 1 ticker");
    expect(await watched()).toEqual(["ACME"]);
  });

  it.each([
    ["another person", { ...IN_GENERAL, person: BOB }],
    ["another channel", { ...IN_GENERAL, destination: { ...GENERAL, id: "news" } }],
  ])("is refused for %s", async (_who, call) => {
    await bench.run("import ACME", { ...IN_GENERAL, person: BOB });
    const imported = await bench.run("import ACME");
    expect(read(await bench.run(behind(imported, "Undo"), call))).toContain("can't be undone anymore");
    expect([await watched(), await watched(BOB)]).toEqual([["ACME"], ["ACME"]]);
    await bench.run(behind(imported, "Undo"));
    expect(await watched()).toEqual([]);
  });
});

describe("the scope of an import", () => {
  const FILE = '{"splitwatch":1,"watchlist":["ACME"],"rules":[{}]}';

  it("in a channel is the caller's watchlist; rules are skipped with a note", async () => {
    const text = await bench.runAsText(`import ${FILE}`, FORBIDDEN);
    expect(text).toContain("1 rule can't be imported. Import with scope:channel for this channel");
    expect(await watched()).toEqual(["ACME"]);
    expect(await bench.store.rules.count()).toBe(0);
  });

  it.each(["import scope:channel", "import scope channel"])("with %s is the channel's rules only", async (line) => {
    expect(await bench.runAsText(`${line} ${FILE}`)).toContain("1 watchlist ticker can't be imported");
    expect(await watched()).toEqual([]);
    expect(await bench.store.rules.at(GENERAL)).toMatchObject([{ destination: GENERAL, createdBy: ALICE }]);
  });

  it("requires permission to manage the channel for the import and for its undo", async () => {
    expect(await bench.runAsText(`import scope:channel ${FILE}`, FORBIDDEN)).toContain("Manage Server");
    expect(await bench.store.rules.count()).toBe(0);
    const imported = await bench.run(`import scope:channel ${FILE}`);
    expect(read(await bench.run(behind(imported, "Undo"), FORBIDDEN))).toContain("Manage Server");
    expect(await bench.store.rules.count()).toBe(1);
    await bench.run(behind(imported, "Undo"));
    expect(await bench.store.rules.count()).toBe(0);
  });

  it.each(["import scope:channel ACME", "export scope:channel"])(
    "%s in a direct message reports that there is no channel",
    async (line) => {
      expect(await bench.runAsText(line, IN_DIRECT_MESSAGE)).toContain("There's no channel here");
    },
  );
});

describe("an attached file", () => {
  it("is imported, and named in the answer", async () => {
    const text = await bench.runAsText("import", withFile(textFile("Symbol,Shares\nACME,5\n")));
    expect(text).toContain("Imported from list.txt: 1 ticker");
  });

  it("may have 10,000 lines; problems are counted and the first ones shown", async () => {
    const lines = Array.from({ length: 10_000 }, (_, index) =>
      index % 100 === 0 ? `bad-line-${index}` : `A${index.toString(36)}`,
    );
    const imported = await bench.run("import", withFile(textFile(lines.join("\r\n"))));
    const text = read(imported);
    expect(text).toContain("500 tickers");
    expect(text).toContain("100 problems found");
    expect(text).toContain('Line 901: got "bad-line-900"');
    expect(text).not.toContain("Line 1,001");
    expect(text).toContain("And 90 more problems.");
    expect(await watched()).toHaveLength(500);
    await bench.run(behind(imported, "Undo"), IN_DIRECT_MESSAGE);
    expect(await watched()).toEqual([]);
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
    const before = await bench.state();
    const text = await bench.runAsText("import", withFile(file));
    expect(await bench.state()).toBe(before);
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
    await bench.run(line);
    expect(await watched()).toEqual(tickers);
  });

  it("begins after 1,000 characters of options", async () => {
    expect(await bench.runAsText(`import ${"scope:me ".repeat(100)}ACME`)).toContain(
      "Imported from your text: 1 ticker",
    );
    const text = await bench.runAsText(`import ${"scope:me ".repeat(200)}\nACME`);
    expect(text).toContain('Line 1: got "scope:me", expected a ticker');
  });

  it("may be one long word", async () => {
    const tickers = Array.from({ length: 400 }, (_, index) => `A${index.toString(36)}`).join();
    const text = await bench.runAsText(`import scope:me text:${tickers}`);
    expect(text).toContain("Imported from your text: 400 tickers");
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
    expect(read(question)).toContain("your watchlist (3 tickers), your own rules (1 rule)");
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

  it("deletes the record of the last import", async () => {
    const imported = await bench.run("import ACME");
    await bench.run("forget confirm:yes");
    expect(read(await bench.run(behind(imported, "Undo")))).toContain("can't be undone anymore");
  });
});
