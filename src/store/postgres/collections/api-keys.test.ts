import { describeApiKeys } from "../../../../test/contract/api-keys-contract.ts";
import { addressOf, freshDatabase } from "../../../../test/support/postgres.ts";
import { PostgresApiKeys } from "./api-keys.ts";

describeApiKeys("PostgreSQL", async () => {
  const address = addressOf(await freshDatabase());
  return [new PostgresApiKeys(address), new PostgresApiKeys(address)];
});
