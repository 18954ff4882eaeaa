import { describeApiKeys } from "../../../test/contract/api-keys-contract.ts";
import { temporaryFolder } from "../../../test/service/service-under-test.ts";
import { FileApiKeys } from "./api-keys.ts";

describeApiKeys("the file in DATA_DIR", async () => {
  const dir = await temporaryFolder();
  return [new FileApiKeys(dir), new FileApiKeys(dir)];
});
