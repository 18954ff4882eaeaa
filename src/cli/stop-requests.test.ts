import { EventEmitter } from "node:events";
import { expect, it } from "vitest";
import { listenForStop, type StopRequests } from "./stop-requests.ts";

function aProcess(): { readonly source: EventEmitter; readonly requests: StopRequests; readonly lines: string[] } {
  const source = Object.assign(new EventEmitter(), { exit: () => undefined });
  const lines: string[] = [];
  return { source, requests: listenForStop(source, (line) => lines.push(line)), lines };
}

it("passes further errors to the listener and prints none of them", async () => {
  const { source, requests, lines } = aProcess();
  const further: unknown[] = [];
  requests.onFurtherError((error) => further.push(error));
  const [first, second, third] = ["one", "two", "three"].map((text) => new Error(text));
  source.emit("uncaughtException", first);
  source.emit("unhandledRejection", second);
  source.emit("uncaughtException", third);
  expect(await requests.stopRequested).toEqual({ kind: "error", error: first });
  expect([further, lines]).toEqual([[second, third], []]);
});

it("prints only the name of a further error while nothing redacts secrets", async () => {
  const { source, requests, lines } = aProcess();
  source.emit("SIGTERM", "SIGTERM");
  source.emit("uncaughtException", new TypeError("token hush-pigeon-7"));
  source.emit("unhandledRejection", "token hush-pigeon-7");
  expect(await requests.stopRequested).toEqual({ kind: "signal", signal: "SIGTERM" });
  expect(lines).toEqual([
    "splitwatch: another error while stopping: TypeError",
    "splitwatch: another error while stopping: string",
  ]);
});

it("counts a signal that a terminal and npm pass on at the same time once", () => {
  let time = 0;
  const codes: number[] = [];
  const source = Object.assign(new EventEmitter(), { exit: (code: number) => codes.push(code) });
  listenForStop(
    source,
    () => undefined,
    () => time,
  );
  source.emit("SIGINT", "SIGINT");
  time = 499;
  source.emit("SIGINT", "SIGINT");
  expect(codes).toEqual([]);
  time = 500;
  source.emit("SIGINT", "SIGINT");
  expect(codes).toEqual([130]);
});

it("ends the process with the exit code of a second signal", () => {
  const { source } = aProcess();
  const codes: number[] = [];
  Object.assign(source, { exit: (code: number) => codes.push(code) });
  source.emit("SIGTERM", "SIGTERM");
  source.emit("SIGINT", "SIGINT");
  expect(codes).toEqual([130]);
});
