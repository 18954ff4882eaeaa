import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from "node:crypto";

/** Encrypts texts that are stored. */
export interface Seal {
  /** `about` says what the text belongs to: it can be opened as that alone. Two calls never give the same. */
  seal(text: string, about: string): string;
  /** Null: it was sealed with another key, for something else, or was changed. */
  open(sealed: string, about: string): string | null;
}

const VERSION = "v1";
const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM. People choose the key's text, so the key is derived slowly: that takes some 50 ms, once. */
export function createSeal(keyText: string): Seal {
  const key = scryptSync(keyText, `splitwatch seal ${VERSION}`, KEY_BYTES);
  return {
    seal(text, about) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(about));
      const bytes = [nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()];
      return `${VERSION}.${Buffer.concat(bytes).toString("base64url")}`;
    },
    open(sealed, about) {
      const [version, encoded = ""] = sealed.split(".");
      const bytes = Buffer.from(encoded, "base64url");
      if (version !== VERSION || bytes.length < NONCE_BYTES + TAG_BYTES) return null;
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(about))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
        return Buffer.concat([text, decipher.final()]).toString("utf8");
      } catch {
        return null;
      }
    },
  };
}
