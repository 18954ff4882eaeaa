/** Words of one language in which issuers announce reverse splits. All patterns but `words` and `ratios` are tested on one sentence. */
export interface Language {
  /** Function words, by which the language of a text is found. Has the flag `g`. */
  readonly words: RegExp;
  /** Names a reverse split, or says that shares are combined. */
  readonly split: RegExp;
  /** Names the opposite of a reverse split. */
  readonly forwardSplit: RegExp;
  /** Announces news, which a split without its day requires. */
  readonly announces: RegExp;
  /** A split that holders have still to decide on, or the conditions of which are not met. */
  readonly pending: RegExp;
  /** A decision of the holders. It ends what `pending` says. */
  readonly decided: RegExp;
  /** A split that is moved, cancelled or denied. */
  readonly withdrawn: RegExp;
  /** Definitions and examples. */
  readonly general: RegExp;
  /** Numbers as words, without the number one, which is an article, too. */
  readonly numbers: Readonly<Record<string, number>>;
  /** Patterns of a ratio in a text whose numbers are digits. The group `old` is the number of old shares for one new share. Have the flag `g`. */
  readonly ratios: readonly RegExp[];
  /** A date, with the groups `day`, `month` and perhaps `year`. Has the flag `g`. */
  readonly date: RegExp;
  /** Starts of the names of the months, in lower case. Null if months are numbers. */
  readonly months: readonly string[] | null;
  /** Text beside the first trading day. */
  readonly trading: RegExp;
  /** Text beside the day on which the split takes effect. */
  readonly effective: RegExp;
  /** A split that takes effect on the day of the text. */
  readonly today: RegExp;
  /** Text before a day after whose close the split takes effect. */
  readonly afterClose: RegExp;
  /** Text beside other days: the last one with old shares, a record date, a meeting. */
  readonly otherDay: RegExp;
  /** Text directly after the day of a decision or meeting. */
  readonly decides: RegExp;
  readonly fraction: RegExp;
  readonly cash: RegExp;
  readonly roundUp: RegExp;
  readonly roundDown: RegExp;
  /** Label of a symbol, with the group `symbol`. */
  readonly symbol: RegExp;
  /** Nouns are capitalized like names, so that only a legal form shows a name. */
  readonly capitalizesNouns?: true;
  /** Company before or after a word, with the group `name`, for scripts without capital letters. */
  readonly company?: RegExp;
}

/** Ranges of the letters of all scripts in which issuers write. A pattern with `\\p{L}` takes several times as long to compile. */
const LETTERS = String.raw`A-Za-z\xAA\xB5\xBA\xC0-\xD6\xD8-\xF6\xF8-\u02C1\u0370-\u1FFF\u2C00-\u2DFF\u3005-\u3007\u3041-\uD7FB\uF900-\uFDFF\uFE70-\uFEFE\uFF21-\uFF3A\uFF41-\uFF5A\uFF66-\uFFDC`;

const BOUNDARY = `(?:(?<=[${LETTERS}])(?![${LETTERS}])|(?<![${LETTERS}])(?=[${LETTERS}]))`;

/** A pattern whose `\\b` is a boundary of words with any letters, also with `ä` or `é`. The flag `u` stays where the pattern needs it. */
export function unicodeWords({ source, flags }: RegExp): RegExp {
  const isPlain = !source.includes(String.raw`\p{`);
  return new RegExp(source.replaceAll(String.raw`\b`, BOUNDARY), isPlain ? flags.replace("u", "") : flags);
}

/** Words around the numbers of a ratio. */
interface RatioWords {
  /** The number one: `un|une`. */
  readonly one: string;
  /** Nouns for a share: `actions?`. */
  readonly share: string;
  /** Words before the number of old shares: `pour|contre`. */
  readonly per: string;
  /** Words between two numbers: `1 pour 20`. */
  readonly pair: string;
}

const NUMBER = String.raw`(?<![\d.,:])(?<old>\d{1,5})(?![\d%]|[.,:]\d)`;
/** The number of new shares beside a colon. */
const ONE_OF_PAIR = String.raw`1(?![\p{L}\d]|[.,:]\d)`;
/** Text between the parts of a ratio, within one sentence. */
const GAP = String.raw`[^\d.;:\n]`;

/** Patterns of ratios in scripts with spaces: `20 actions anciennes pour 1 nouvelle`, `une action nouvelle pour 20`, `1:20`. */
export function ratiosWith({ one, share, per, pair }: RatioWords): readonly RegExp[] {
  const ONE = String.raw`(?<![\p{L}\d.,:])(?:1|${one})(?: ?\(1\))?(?![\p{L}\d]|[.,:]\d)`;
  return [
    String.raw`${NUMBER}${GAP}{0,60}?(?:${share})(?!\p{L})${GAP}{0,120}?${ONE}${GAP}{0,40}?(?:${share})(?!\p{L})`,
    String.raw`${ONE}${GAP}{0,40}?(?:${share})(?!\p{L})${GAP}{0,50}?(?<!\p{L})(?:${per})(?!\p{L})${GAP}{0,20}?${NUMBER}`,
    String.raw`${NUMBER}${GAP}{0,60}?(?:${share})(?!\p{L})${GAP}{0,40}?(?<!\p{L})(?:${per}|${pair})(?!\p{L})${GAP}{0,20}?${ONE}`,
    String.raw`(?<![\d.,:])1 ?(?::|-?(?:${pair})-?) ?(?<old>\d{1,5})(?![\d%]|[.,:]\d)`,
    String.raw`(?<![\d.,:])(?<old>\d{1,5}) ?(?::|-?(?:${pair})-?) ?(?:${ONE_OF_PAIR}|(?:${one})(?!\p{L}))`,
  ].map((source) => new RegExp(source, "giu"));
}

/** Dates such as `31 de mayo de 2024`, `11. November 2011`, `1er juin`, `31.05.2024`. */
export function dateWith(months: readonly string[]): RegExp {
  return new RegExp(
    String.raw`(?<![\d.,:])(?<day>\d{1,2})(?:er|º|°|:e|η|ης|ας)?\.?(?: ?/ ?|\. ?|-| (?:de )?)?(?<month>(?:${months.join("|")})\p{L}*|(?<=[./-])\d{1,2}(?=[./-]))\.?(?:(?: (?:de |del )?|[./-])(?<year>20\d\d|19\d\d)(?!\d)|(?<=\p{L})(?<glued>20\d\d)(?!\d))?`,
    "giu",
  );
}

/** Label before a symbol in capitals: `Kortnamn (oförändrat): ACME`, `mnémonique « ACME »`. */
export function symbolAfter(labels: string): RegExp {
  const label = labels
    .split("|")
    .map((word) => `[${word.charAt(0).toUpperCase()}${word.charAt(0)}]${word.slice(1)}`)
    .join("|");
  return new RegExp(
    String.raw`(?<!\p{L})(?:${label})(?:,? \p{Ll}[\p{L} ]{1,25}| \([^()]{1,25}\))? ?:? ?["'(]{0,2} ?(?<symbol>[A-Z][A-Z0-9]{1,6}(?:[ .][AB](?![\p{L}\d]))?)(?![\p{L}\d])`,
    "u",
  );
}
