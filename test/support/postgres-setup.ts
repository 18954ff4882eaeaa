import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { listenOn } from "./answering-socket.ts";
import { dropDatabases } from "./postgres-databases.ts";
import { PostgresServer } from "./postgres-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Socket that answers with the address of a PostgreSQL server, and the prefix of the databases of this run. */
    postgres: { readonly socket: string; readonly prefix: string };
  }
}

/**
 * PostgreSQL for all tests of a run: the server of DATABASE_URL, or one that is started when the first test asks for it. Removes
 * the databases of the run at its end.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.DATABASE_URL;
  // Tests and the processes that they start configure their databases themselves.
  delete process.env.DATABASE_URL;
  const prefix = `splitwatch_test_${randomBytes(4).toString("hex")}_`;
  const folder = await mkdtemp(join(tmpdir(), "splitwatch-test-run-"));
  const socket = join(folder, "postgres.sock");
  let started: Promise<PostgresServer> | null = null;
  const address = async (): Promise<string> => {
    if (given !== undefined) return given;
    started ??= PostgresServer.start({ durable: false });
    return (await started).url();
  };
  const listener = await listenOn(socket, address);
  project.provide("postgres", { socket, prefix });
  return async () => {
    listener.close();
    if (given !== undefined) await dropDatabases(given, prefix);
    // A failed start was reported to the tests.
    await started?.then(
      (server) => server.dispose(),
      () => undefined,
    );
    await rm(folder, { recursive: true, force: true });
  };
}
