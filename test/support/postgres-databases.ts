import { Client, type QueryResult } from "pg";

/** Runs statements, one after the other, on a connection of their own. */
export async function runSql(url: string, ...statements: readonly string[]): Promise<readonly QueryResult[]> {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    const results: QueryResult[] = [];
    for (const statement of statements) results.push(await client.query(statement));
    return results;
  } finally {
    await client.end();
  }
}

/** Address of another database of the same server. */
export function withDatabase(url: string, database: string): string {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
}

/** Drops the databases whose names start with the prefix. */
export async function dropDatabases(url: string, prefix: string): Promise<void> {
  const [result] = await runSql(url, `select datname from pg_database where datname like '${prefix}%'`);
  const names: readonly string[] = result?.rows.map((row: { readonly datname: string }) => row.datname) ?? [];
  await runSql(url, ...names.map((name) => `drop database if exists ${name} with (force)`));
}
