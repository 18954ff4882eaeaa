import { z } from "zod";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../domain/time/day.ts";
import { isTimeZone, suggestTimeZone } from "../domain/time/time-zone.ts";
import { quoteValue } from "../lib/error-text.ts";
import { cronProblem } from "../lib/scheduler.ts";

/** Result of parsing a value. `problem` is shown in parentheses after the expected value; null: nothing to add. */
export type SettingResult<T> = { readonly value: T } | { readonly problem: string | null };

/**
 * Schema of one key. `expected` is the end of the error message `KEY: got …, expected …`, and the values of the key in
 * docs/configuration.md. `describe` adds the explanation of the key there and in config/default.yaml.
 */
export function settingOf<T>(expected: string, parse: (value: unknown) => SettingResult<T>): z.ZodType<T> {
  return z
    .unknown()
    .transform((value, context) => {
      const result = parse(value);
      if ("value" in result) return result.value;
      context.addIssue({ code: "custom", message: result.problem ? `${expected} (${result.problem})` : expected });
      return z.NEVER;
    })
    .meta({ expected });
}

export function invalid<T>(problem: string | null = null): SettingResult<T> {
  return { problem };
}

export function oneOf<const T extends string>(words: readonly T[]): z.ZodType<T> {
  return settingOf(alternatives(words), (value) => {
    const word = words.find((candidate) => candidate === value);
    return word === undefined ? invalid() : { value: word };
  });
}

export function boolean(): z.ZodType<boolean> {
  return settingOf("true or false", (value) => (typeof value === "boolean" ? { value } : invalid()));
}

export function wholeNumber(from: number, to: number): z.ZodType<number> {
  return settingOf(`a whole number from ${from} to ${to}`, (value) =>
    isWholeNumber(value, from, to) ? { value } : invalid(),
  );
}

/** Distinct whole numbers in any order. */
export function wholeNumbers(from: number, to: number): z.ZodType<readonly number[]> {
  return settingOf(`a list of different whole numbers from ${from} to ${to}, such as [1, 0]`, (value) => {
    if (!Array.isArray(value) || !value.every((number) => isWholeNumber(number, from, to))) return invalid();
    return new Set(value).size === value.length ? { value } : invalid("a number is listed twice");
  });
}

export function fraction(): z.ZodType<number> {
  return settingOf("a number from 0 to 1", (value) =>
    typeof value === "number" && value >= 0 && value <= 1 ? { value } : invalid(),
  );
}

export function cron(): z.ZodType<string> {
  return settingOf('a cron expression of 5 or 6 fields, such as "*/5 * * * *"', (value) => {
    if (typeof value !== "string") return invalid();
    const problem = cronProblem(value);
    return problem === null ? { value } : invalid(problem);
  });
}

/** Rejects abbreviations such as EST, which ignores daylight saving time, as the command `settings` does. */
export function timezone(): z.ZodType<string> {
  return settingOf("an IANA time zone, such as America/New_York", (value) => {
    if (typeof value !== "string") return invalid();
    if (isTimeZone(value) && (value.includes("/") || value.toUpperCase() === "UTC")) return { value };
    const suggestion = suggestTimeZone(value);
    return suggestion === undefined ? invalid() : invalid(`did you mean ${suggestion}?`);
  });
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };
const DURATION = /^(\d+(?:\.\d+)?)\s*([smhd])$/;

/** Duration such as `30m`, as milliseconds. */
export function duration(from: string, to: string): z.ZodType<number> {
  return settingOf(`a duration from ${from} to ${to}, such as 90s, 30m, 24h or 3d`, (value) => {
    const ms = durationMs(value);
    return ms >= durationMs(from) && ms <= durationMs(to) ? { value: ms } : invalid();
  });
}

/** NaN if the value is not a duration, so that every comparison fails. */
function durationMs(value: unknown): number {
  const parts = typeof value === "string" ? DURATION.exec(value) : null;
  return Number(parts?.[1]) * (UNIT_MS[parts?.[2] ?? ""] ?? Number.NaN);
}

function isWholeNumber(value: unknown, from: number, to: number): value is number {
  return Number.isInteger(value) && Number(value) >= from && Number(value) <= to;
}

export function alternatives(words: readonly string[]): string {
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

export const ADDRESS_EXPECTED = "an http or https address, such as https://splits.example.com";

/** Parses an http or https address; the result has no trailing slash. */
export function readAddress(text: string): SettingResult<string> {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return invalid();
  if (url.username !== "" || url.password !== "") return invalid("without user name and password");
  if (url.search !== "" || url.hash !== "") return invalid("without query and fragment");
  return { value: url.href.replace(/(?<!\/)\/+$/, "") };
}

/** Parses the base address of an API. The client appends the version, such as `/v1`. */
export function readApiAddress(text: string): SettingResult<string> {
  const result = readAddress(text);
  if ("problem" in result) return result;
  const version = /\/v\d+$/.exec(result.value)?.[0];
  return version === undefined ? result : invalid(`without ${version} at the end, which splitwatch adds`);
}

/** Masks user name, password and query of an address, even if it is malformed. */
export function addressWithoutSecrets(text: string): string {
  return text.replace(/\/\/[^/]*@/, "//***@").replace(/([?#]).*$/s, "$1***");
}

export function readPort(text: string, min: number): SettingResult<number> {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  return port >= min && port <= 65_535 ? { value: port } : invalid();
}

/** Value of a setting for an error message; "nothing" for an empty value. Addresses may contain a password or a key. */
export function quoteSetting(value: unknown): string {
  return value === null || value === "" ? "nothing" : quoteValue(value, maskAddresses);
}

/** Masks addresses at the start of the text or of a quoted string within the text. */
function maskAddresses(text: string): string {
  return text.replaceAll(/(?<=^|")[a-z]+:\/\/[^"]*/gi, addressWithoutSecrets);
}

const MAX_MAIL_ADDRESS_LENGTH = 254;

/** True for one ASCII mail address without a display name, such as `ops@example.com`. */
export function isMailAddress(text: string): boolean {
  return text.length <= MAX_MAIL_ADDRESS_LENGTH && z.email().safeParse(text).success;
}
