import { expect, it } from "vitest";
import { ManualClock } from "../../test/support/manual-clock.ts";
import { type RecordedLog, recordedLog } from "../../test/support/recorded-log.ts";
import { TokenState } from "./token-state.ts";

interface TokenUnderTest {
  readonly token: TokenState;
  readonly clock: ManualClock;
  readonly log: RecordedLog;
  readonly woken: { readonly times: number };
}

function aToken(): TokenUnderTest {
  const clock = new ManualClock();
  const log = recordedLog();
  const woken = { times: 0 };
  const wake = (): void => {
    woken.times += 1;
  };
  return { token: new TokenState("chat", { clock, log, wake }), clock, log, woken };
}

it("is usable without a delay until it is rejected", () => {
  const { token } = aToken();
  expect([token.beginTry(), token.beginTry(), token.rejection]).toEqual([0, 0, null]);
});

it("is tried once per delay, which doubles up to ten minutes", () => {
  const { token, clock } = aToken();
  const since = clock.now();
  token.reject("invalid");
  for (const seconds of [30, 60, 120, 240, 480, 600, 600]) {
    expect(token.rejection).toEqual({ reason: "invalid", since, retryAt: clock.now() + seconds * 1_000 });
    clock.skip(seconds * 1_000 - 1);
    expect(token.beginTry()).toBe(1);
    clock.skip(1);
    expect([token.beginTry(), token.beginTry() > 0]).toEqual([0, true]);
    token.reject("invalid");
  }
});

it("is never tried if it can't be valid", () => {
  const { token, clock } = aToken();
  const since = clock.now();
  token.disable("of the wrong kind");
  clock.skip(30 * 24 * 3_600_000);
  expect([token.beginTry(), token.rejection]).toEqual([
    Number.POSITIVE_INFINITY,
    { reason: "of the wrong kind", since, retryAt: null },
  ]);
});

it("counts calls that were in progress at the first rejection once", () => {
  const { token } = aToken();
  for (let calls = 0; calls < 100; calls += 1) token.reject("invalid");
  expect(token.retryMs).toBe(30_000);
});

it("starts with the shortest delay after it was accepted", () => {
  const { token, clock, log } = aToken();
  token.reject("invalid");
  clock.skip(30_000);
  token.beginTry();
  token.accept(token.rejections);
  token.accept(token.rejections);
  expect(token.rejection).toBeNull();
  expect(log.lines.map(({ event }) => event)).toEqual(["chat credentials rejected", "chat credentials accepted"]);
  token.reject("invalid");
  expect(token.retryMs).toBe(30_000);
});

it("starts the waiting deliveries when it is accepted, if it was rejected before", () => {
  const { token, woken } = aToken();
  token.accept(token.rejections);
  token.reject("invalid");
  expect(woken.times).toBe(0);
  token.accept(token.rejections);
  token.accept(token.rejections);
  expect(woken.times).toBe(1);
});

it("stays rejected when a request succeeds that began before the rejection", () => {
  const { token, clock } = aToken();
  const atFirst = token.rejections;
  token.reject("invalid");
  token.accept(atFirst);
  expect(token.retryMs).toBe(30_000);
  clock.skip(30_000);
  token.beginTry();
  const atTry = token.rejections;
  token.reject("invalid");
  token.accept(atFirst);
  expect(token.retryMs).toBe(60_000);
  token.accept(atTry);
  expect(token.rejection).toBeNull();
});

it("is not delayed by a system clock that is set back", () => {
  const { token, clock } = aToken();
  token.reject("invalid");
  clock.jump(-3_600_000);
  expect(token.retryMs).toBe(30_000);
});
