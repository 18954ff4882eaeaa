import { dirname } from "node:path";
import { StoreError } from "../../../ports/store.ts";

/** The file cannot be believed. It is left as it is: to go on without it would tell old splits as new ones, or tell nobody. */
export function damaged(path: string, what: string): StoreError {
  return new StoreError(
    `${path} ${what}. No file was changed. Move the folder ${dirname(path)} away; then restore the folder from a backup ` +
      "(splitwatch restore FILE), or start afresh: rules, watchlists and what was sent are forgotten then, and the first poll " +
      "is a first run",
  );
}

export function newerSchema(path: string, got: number, known: number): StoreError {
  return new StoreError(
    `${path} was written by a newer splitwatch: its schema is ${got}, this version reads ${known}. Run the newer version again, ` +
      "or restore the folder from a backup made with this one",
  );
}
