import { expect, it } from "vitest";
import { acrossRestart, type CurrentStore, type Restart, type Second } from "../store-builders.ts";

export function describeDocuments(use: CurrentStore, restart: Restart, openSecond?: Second): void {
  it("are read by name after they were written, also after a restart", async () => {
    expect(await use().documents.read("directory-one")).toBeNull();
    const text = `{"listed":"“Ümläut” ${"x".repeat(100_000)}"}\n`;
    await use().documents.write("directory-one", "old");
    await use().documents.write("directory-one", text);
    await use().documents.write("directory-2", "");
    for await (const store of acrossRestart(use, restart)) {
      expect(await store.documents.read("directory-one")).toBe(text);
      expect(await store.documents.read("directory-2")).toBe("");
      expect(await store.documents.read("directory")).toBeNull();
    }
  });

  if (!openSecond) return;

  it("are read by other processes, which are notified of each write", async () => {
    const other = await openSecond();
    const changed = Promise.withResolvers<void>();
    other.documents.onChange((name) => name === "directory-one" && changed.resolve());
    await use().documents.write("directory-one", "text");
    await changed.promise;
    expect(await other.documents.read("directory-one")).toBe("text");
  });
}
