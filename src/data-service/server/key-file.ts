import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { type ApiKey, apiKeySchema } from "../../ports/state-records.ts";

const keyFile = z.object({ version: z.literal(1), keys: z.array(apiKeySchema) });

/** The keys cannot be read or changed as asked; the message is for the operator. */
export class KeysError extends Error {
  override readonly name = "KeysError";
}

export function keyFilePath(dir: string): string {
  return join(dir, "keys.json");
}

/** A damaged file is an error and never "no keys": every caller would be locked out without a word. */
export function parseKeyFile(text: string, path: string): readonly ApiKey[] {
  const parsed = keyFile.safeParse(parseJson(text));
  if (parsed.success) return parsed.data.keys;
  const found = text.trim() === "" ? "an empty file" : "a file that is damaged or of another version";
  throw new KeysError(
    `${path}: got ${found}, expected the API keys that \`splitwatch keys\` wrote. ` +
      "Put back a copy of it; or delete it and add the keys anew, which ends all that were given out.",
  );
}

export function formatKeyFile(keys: readonly ApiKey[]): string {
  return `${JSON.stringify({ version: 1, keys: [...keys] } satisfies z.infer<typeof keyFile>)}\n`;
}

/** A new random key of 256 bits, in letters that need no escape in an address. */
export function generateKey(): string {
  return `sw_${randomBytes(32).toString("base64url")}`;
}

export function hashKey(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
