import { z } from "zod";

const MAX_LENGTH = 254;

/** True for one ASCII mail address without a display name, such as `ops@example.com`. */
export function isMailAddress(text: string): boolean {
  return text.length <= MAX_LENGTH && z.email().safeParse(text).success;
}
