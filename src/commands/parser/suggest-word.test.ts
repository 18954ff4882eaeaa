import { expect, it } from "vitest";
import { suggestWord } from "./suggest-word.ts";

const NAMES = ["list", "show", "watch", "unwatch", "subscribe", "unsubscribe", "subscriptions", "status"];

it.each([
  ["lst", "list"],
  ["LITS", "list"],
  ["shwo", "show"],
  ["unsubscibe", "unsubscribe"],
  ["unwach", "unwatch"],
  ["sub", "subscribe"],
  ["stat", "status"],
])("%s was probably meant for %s", (typed, name) => {
  expect(suggestWord(typed, NAMES)).toBe(name);
});

it.each(["", "calc", "export", "mute", "xyzzy", "l".repeat(5000)])("%s was meant for none of them", (typed) => {
  expect(suggestWord(typed, NAMES)).toBeUndefined();
});
