import { expect, it } from "vitest";
import { choicesOf } from "./typed-command.ts";

it("offers the whole value, with a hint", () => {
  expect(choicesOf([{ value: "ACME,BOLT", hint: "no split listed" }])).toEqual({
    choices: [{ name: "ACME, BOLT · no split listed", value: "ACME,BOLT" }],
  });
});

it("offers no more and nothing longer than Discord accepts", () => {
  const many = Array.from({ length: 40 }, (_, index) => ({ value: `T${index}`, hint: "x".repeat(200) }));
  const { choices = [] } = choicesOf([{ value: "A".repeat(101), hint: "" }, ...many]);
  expect(choices).toHaveLength(25);
  expect(choices[0]).toMatchObject({ value: "T0" });
  for (const { name } of choices) expect(name.length).toBeLessThanOrEqual(100);
});
