import type { BigIntStats } from "node:fs";

/** Changes with every change of the file, also with two within one tick of the clock where each is a new file. */
export function fileStamp({ ino, size, mtimeNs }: BigIntStats): string {
  return `${ino}:${size}:${mtimeNs}`;
}
