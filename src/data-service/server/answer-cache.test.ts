import { describe, expect, it } from "vitest";
import { growthFactor } from "../../../test/support/timing.ts";
import { type CachedAnswer, createAnswerCache, separateKey } from "./answer-cache.ts";
import { createJsonBody } from "./json-answer.ts";

const KILOBYTES = 100;

function anAnswer(parts: Partial<CachedAnswer> = {}): CachedAnswer {
  const body = createJsonBody("x".repeat(KILOBYTES * 1_000));
  return { operation: "/v1/splits", body, isCurrent: () => true, sent: new Map(), ...parts };
}

describe("the answer cache", () => {
  it("removes the oldest answers beyond its limit of bytes, counting each body twice", () => {
    const cache = createAnswerCache(10 * KILOBYTES * 1_000);
    const targets = Array.from({ length: 20 }, (_, n) => `/v1/articles?page=${n}`);
    for (const target of targets) cache.add(target, anAnswer());
    expect(targets.filter((target) => cache.find(target))).toEqual(targets.slice(-4));
  });

  it("keeps an answer that is added again", () => {
    const cache = createAnswerCache(5 * KILOBYTES * 1_000);
    const answer = anAnswer();
    for (const target of ["first", "second", "first", "third"]) cache.add(target, answer);
    expect(["first", "second", "third"].map((target) => cache.find(target) !== undefined)).toEqual([true, false, true]);
  });

  it("doesn't keep an answer that is larger than the limit, and keeps the others", () => {
    const cache = createAnswerCache(3 * KILOBYTES * 1_000);
    cache.add("small", anAnswer());
    cache.add("large", anAnswer({ body: createJsonBody("x".repeat(2 * KILOBYTES * 1_000)) }));
    expect([cache.find("small") !== undefined, cache.find("large")]).toEqual([true, undefined]);
  });

  it("finds no answer that is no longer current, and none after it is cleared", () => {
    const cache = createAnswerCache();
    let isCurrent = true;
    cache.add("target", anAnswer({ isCurrent: () => isCurrent }));
    expect(cache.find("target")).toBeDefined();
    isCurrent = false;
    expect(cache.find("target")).toBeUndefined();
    isCurrent = true;
    cache.clear();
    expect(cache.find("target")).toBeUndefined();
  });
});

describe("separateKey", () => {
  it.each([
    ["/v1/splits?apiKey=a-B_1", "a-B_1", "/v1/splits?"],
    ["/v1/splits?exchange=NYSE&apiKey=k", "k", "/v1/splits?exchange=NYSE&"],
    ["/v1/articles?size=2&apiKey=k&page=1", "k", "/v1/articles?size=2&page=1"],
    ["/v1/articles?apiKey=k&size=2", "k", "/v1/articles?size=2"],
  ])("separates the key of %s", (address, key, target) => {
    expect(separateKey(address)).toEqual({ key, target });
  });

  it.each(["/v1/splits", "/v1/splits?apiKey=", "/v1/splits?apiKey=a%62", "/v1/splits?apiKey=k#part", "/v1/?xapiKey=k"])(
    "doesn't separate the key of %s",
    (address) => {
      expect(separateKey(address)).toBeNull();
    },
  );

  it.each(["#", "", "&b"])("takes time linear in the parameters apiKey before %j", async (end) => {
    const separate = (parameters: number): void => {
      separateKey(`/healthz?${"&apiKey=e".repeat(parameters)}${end}`);
    };
    expect(await growthFactor(separate, 10_000)).toBeLessThan(8);
  });
});
