import type { Shares } from "../domain/split/share-conversion.ts";

/** Maximum number of decimals that a command accepts. */
const MAX_DECIMALS = 15;
const APPROXIMATE_DECIMALS = 4;
/** Fractions with a larger denominator are shown only as decimals. */
const MAX_DENOMINATOR = 10_000n;

/** `1,234.5678` if that is exact, otherwise `19 37/77 (about 19.4805)` or `about 19.4805`. */
export function amountText({ numerator, denominator }: Shares): string {
  const scale = 10n ** BigInt(MAX_DECIMALS);
  if (scale % denominator === 0n) return decimalText(numerator * (scale / denominator), MAX_DECIMALS);
  const approximate = approximateText({ numerator, denominator });
  if (denominator > MAX_DENOMINATOR) return approximate;
  const whole = numerator / denominator;
  const part = `${numerator % denominator}/${denominator}`;
  return `${whole === 0n ? part : `${whole.toLocaleString("en-US")} ${part}`} (${approximate})`;
}

/** `1 share`, `0.5 shares`, `150 shares`; with `kind` also `150 old shares`. */
export function sharesText(shares: Shares, kind = ""): string {
  return [amountText(shares), kind, isOne(shares) ? "share" : "shares"].filter((word) => word !== "").join(" ");
}

/** `7 whole new shares`, `1 whole new share`, `0 whole new shares` */
export function wholeSharesText(shares: bigint): string {
  return `${shares.toLocaleString("en-US")} whole new ${shares === 1n ? "share" : "shares"}`;
}

/** `8 new shares`, `1 new share` */
export function newSharesText(shares: bigint): string {
  return `${shares.toLocaleString("en-US")} new ${shares === 1n ? "share" : "shares"}`;
}

function isOne({ numerator, denominator }: Shares): boolean {
  return numerator === denominator;
}

function approximateText({ numerator, denominator }: Shares): string {
  const scale = 10n ** BigInt(APPROXIMATE_DECIMALS);
  const nearest = (2n * numerator * scale + denominator) / (2n * denominator);
  const whole = numerator / denominator;
  if (nearest === 0n) return `less than ${decimalText(1n, APPROXIMATE_DECIMALS)}`;
  if (nearest === whole * scale) return `just over ${whole.toLocaleString("en-US")}`;
  if (nearest === (whole + 1n) * scale) return `just under ${(whole + 1n).toLocaleString("en-US")}`;
  return `about ${decimalText(nearest, APPROXIMATE_DECIMALS)}`;
}

/** Formats a number of decimal units: 75 units with 1 decimal (tenths) are `7.5`. */
function decimalText(units: bigint, decimals: number): string {
  const scale = 10n ** BigInt(decimals);
  const fraction = (units % scale)
    .toString()
    .padStart(decimals, "0")
    .replace(/(?<!0)0+$/, "");
  const whole = (units / scale).toLocaleString("en-US");
  return fraction === "" ? whole : `${whole}.${fraction}`;
}
