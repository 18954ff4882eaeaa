import { invalid, type SettingResult } from "./values.ts";

/** An http address without a slash at its end. */
export function readAddress(text: string): SettingResult<string> {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return invalid();
  if (url.username !== "" || url.password !== "") return invalid("without a user name and a password");
  if (url.search !== "" || url.hash !== "") return invalid("without what follows a ? or #");
  return { value: url.href.replace(/\/+$/, "") };
}

/** The base address of a data service. Its key is a variable of its own, and the version of the interface is ours to add. */
export function readServiceAddress(text: string): SettingResult<string> {
  const reading = readAddress(text);
  if ("problem" in reading) return reading;
  return reading.value.endsWith("/v1") ? invalid("without /v1 at its end: splitwatch adds that itself") : reading;
}

/** An address with its user name, password and query masked, whether it is a well-made one or not. */
export function addressWithoutSecrets(text: string): string {
  return text.replace(/\/\/[^/]*@/, "//***@").replace(/([?#]).*$/s, "$1***");
}
