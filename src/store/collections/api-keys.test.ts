import { describeApiKeys } from "../../../test/contract/api-keys-contract.ts";
import { addressOf, freshDatabase } from "../../../test/support/postgres.ts";
import { SqlApiKeys } from "./api-keys.ts";

describeApiKeys("PostgreSQL", async () => {
  const address = addressOf(await freshDatabase());
  return [new SqlApiKeys(address), new SqlApiKeys(address)];
});
