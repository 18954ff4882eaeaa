import { CHINESE } from "./chinese.ts";
import { DUTCH } from "./dutch.ts";
import { FINNISH } from "./finnish.ts";
import { FRENCH } from "./french.ts";
import { GERMAN } from "./german.ts";
import { GREEK } from "./greek.ts";
import { ITALIAN } from "./italian.ts";
import { JAPANESE } from "./japanese.ts";
import type { Language } from "./language.ts";
import { NORWEGIAN } from "./norwegian.ts";
import { POLISH } from "./polish.ts";
import { PORTUGUESE } from "./portuguese.ts";
import { SPANISH } from "./spanish.ts";
import { SWEDISH } from "./swedish.ts";

export const LANGUAGES: readonly Language[] = [
  CHINESE,
  DUTCH,
  FINNISH,
  FRENCH,
  GERMAN,
  GREEK,
  ITALIAN,
  JAPANESE,
  NORWEGIAN,
  POLISH,
  PORTUGUESE,
  SPANISH,
  SWEDISH,
];
