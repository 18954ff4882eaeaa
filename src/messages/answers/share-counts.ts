import type { Shares } from "../../domain/split/calc.ts";

/** As many decimals as a holding may be given with. */
const EXACT_DECIMALS = 15;
const ABOUT_DECIMALS = 4;
/** Beyond it a fraction with a bar says less than its decimals. */
const LARGEST_DENOMINATOR = 10_000n;

/** `1,234.5678` where that is exact; else `19 37/77 (about 19.4805)`, or `about 19.4805` alone. Never a rounded number as if it were exact. */
export function amountText({ numerator, denominator }: Shares): string {
  const scale = 10n ** BigInt(EXACT_DECIMALS);
  if (scale % denominator === 0n) return decimalWords(numerator * (scale / denominator), EXACT_DECIMALS);
  const about = aboutWords({ numerator, denominator });
  if (denominator > LARGEST_DENOMINATOR) return about;
  const whole = numerator / denominator;
  const part = `${numerator % denominator}/${denominator}`;
  return `${whole === 0n ? part : `${whole.toLocaleString("en-US")} ${part}`} (${about})`;
}

/** `1 share`, `0.5 shares`, `150 shares`; `kind` stands before the noun: `150 old shares`. */
export function sharesText(shares: Shares, kind = ""): string {
  return [amountText(shares), kind, isOne(shares) ? "share" : "shares"].filter((word) => word !== "").join(" ");
}

/** `7 whole new shares`, `1 whole new share`, `0 whole new shares` */
export function wholeSharesText(shares: bigint): string {
  return `${shares.toLocaleString("en-US")} whole new ${shares === 1n ? "share" : "shares"}`;
}

function isOne({ numerator, denominator }: Shares): boolean {
  return numerator === denominator;
}

function aboutWords({ numerator, denominator }: Shares): string {
  const scale = 10n ** BigInt(ABOUT_DECIMALS);
  const nearest = (2n * numerator * scale + denominator) / (2n * denominator);
  const whole = numerator / denominator;
  if (nearest === 0n) return `less than ${decimalWords(1n, ABOUT_DECIMALS)}`;
  if (nearest === whole * scale) return `just over ${whole.toLocaleString("en-US")}`;
  if (nearest === (whole + 1n) * scale) return `just under ${(whole + 1n).toLocaleString("en-US")}`;
  return `about ${decimalWords(nearest, ABOUT_DECIMALS)}`;
}

/** A number given in units of its last decimal: `75` with one decimal is `7.5`. */
function decimalWords(units: bigint, decimals: number): string {
  const scale = 10n ** BigInt(decimals);
  const fraction = (units % scale).toString().padStart(decimals, "0").replace(/0+$/, "");
  const whole = (units / scale).toLocaleString("en-US");
  return fraction === "" ? whole : `${whole}.${fraction}`;
}
