import { expect, it } from "vitest";
import type { SourceStatus } from "../../../src/ports/source-status.ts";
import { initialStatus } from "../../../src/sources/source-status.ts";
import type { CurrentStore, Second } from "../store-builders.ts";
import { T0 } from "../store-builders.ts";

export function describeSourceStatuses(use: CurrentStore, openSecond?: Second): void {
  const wire: SourceStatus = {
    ...initialStatus("wire", T0),
    condition: "unreachable",
    problem: "wire.example doesn’t answer",
    lastReadAt: T0 + 5,
    faults: { timeout: 2 },
  };

  it("are those of the last write", async () => {
    expect(await use().sourceStatuses.read()).toEqual([]);
    await use().sourceStatuses.write([wire, initialStatus("exchange", T0)]);
    await use().sourceStatuses.write([wire]);
    expect(await use().sourceStatuses.read()).toEqual([wire]);
  });

  if (!openSecond) return;

  it("are read by other processes, which are notified of each write", async () => {
    const other = await openSecond();
    const changed = Promise.withResolvers<void>();
    other.sourceStatuses.onChange(() => changed.resolve());
    await use().sourceStatuses.write([wire]);
    await changed.promise;
    expect(await other.sourceStatuses.read()).toEqual([wire]);
  });
}
