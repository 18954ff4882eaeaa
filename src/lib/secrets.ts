import { createCipheriv, createDecipheriv, createHash, randomBytes, scryptSync, timingSafeEqual } from "node:crypto";

/** Compares secrets in constant time, by their hashes, because the comparison requires equal lengths. */
export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(sha256(a), sha256(b));
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Authenticated encryption of stored texts. */
export interface Cipher {
  /** Encrypts with a fresh nonce. The text can be decrypted only with the same `context`, which is authenticated. */
  encrypt(text: string, context: string): string;
  /** Returns null if the key or the context differs, or if the text was changed. */
  decrypt(encrypted: string, context: string): string | null;
}

const VERSION = "v1";
const ALGORITHM = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

let lastDerived: { readonly keyText: string; readonly key: Buffer } | undefined;

/** Derives a key with scrypt, which takes about 50 ms. The last key is cached for an app that restarts within its process. */
function deriveKey(keyText: string): Buffer {
  if (lastDerived?.keyText !== keyText) {
    lastDerived = { keyText, key: scryptSync(keyText, `splitwatch seal ${VERSION}`, KEY_BYTES) };
  }
  return lastDerived.key;
}

/** Creates an AES-256-GCM cipher. The key is derived from the key text. */
export function createCipher(keyText: string): Cipher {
  const key = deriveKey(keyText);
  return {
    encrypt(text, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(context));
      const bytes = [nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()];
      return `${VERSION}.${Buffer.concat(bytes).toString("base64url")}`;
    },
    decrypt(encrypted, context) {
      const [version, encoded = ""] = encrypted.split(".");
      const bytes = Buffer.from(encoded, "base64url");
      if (version !== VERSION || bytes.length < NONCE_BYTES + TAG_BYTES) return null;
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(context))
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
