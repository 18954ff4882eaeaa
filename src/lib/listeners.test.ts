import { expect, it } from "vitest";
import { createListeners } from "./listeners.ts";

it("calls every listener until it is removed", () => {
  const listeners = createListeners<[number]>();
  const seen: string[] = [];
  const remove = listeners.add((value) => seen.push(`first ${value}`));
  listeners.add((value) => seen.push(`second ${value}`));

  listeners.notify(1);
  remove();
  listeners.notify(2);

  expect(seen).toEqual(["first 1", "second 1", "second 2"]);
});
