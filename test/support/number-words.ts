const SMALL =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = "zero ten twenty thirty forty fifty sixty seventy eighty ninety".split(" ");

/** A whole number from 1 to 999 in words: `two hundred forty-nine`. */
export function numberWords(number: number): string {
  const hundreds = Math.floor(number / 100);
  const rest = number % 100;
  if (hundreds > 0) return [`${SMALL[hundreds]} hundred`, ...(rest > 0 ? [numberWords(rest)] : [])].join(" ");
  if (rest < 20) return SMALL[rest] ?? "";
  const tens = TENS[Math.floor(rest / 10)] ?? "";
  return rest % 10 === 0 ? tens : `${tens}-${SMALL[rest % 10]}`;
}
