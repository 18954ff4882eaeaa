/** What limits the weight of a release about a split. */
export type ReleaseMark =
  /** Its speaker isn't known as the issuer. `company`: the speaker; null if unknown. `isIgnored`: it contradicts the listed split. */
  | { readonly kind: "not-issuer"; readonly company: string | null; readonly isIgnored: boolean }
  /** Neither an exchange nor the issuer states the split, or one of its terms. */
  | { readonly kind: "unconfirmed" }
  /** The issuer withdraws the split in it. `source`: what still lists the split. */
  | { readonly kind: "still-listed"; readonly source: string };

/** `by Hollis & Grant LLP, not known as the issuer; it isn't applied` */
export function releaseMarkText(mark: ReleaseMark): string {
  switch (mark.kind) {
    case "not-issuer":
      return `by ${mark.company ?? "an unknown company"}, not known as the issuer${mark.isIgnored ? "; it isn't applied" : ""}`;
    case "unconfirmed":
      return "neither an exchange nor the issuer confirms it";
    case "still-listed":
      return `${mark.source} still has the split`;
  }
}
