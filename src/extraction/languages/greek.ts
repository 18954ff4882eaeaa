import { dateWith, type Language, ratiosWith, symbolAfter, unicodeWords } from "./language.ts";

const MONTHS = [
  "ιαν",
  "φε[βυ]",
  "μ[αά]ρ",
  "απρ",
  "μ[αά][ιΐϊί]",
  "ιο[υύ]ν",
  "ιο[υύ]λ",
  "α[υύ]γ",
  "σεπ",
  "οκτ",
  "νο[εέ]",
  "δεκ",
];

export const GREEK: Language = {
  words: /(?<!\p{L})(?:και|το|τη|την|της|του|των|τις|τους|οι|στο|στη|στην|για|από|με|που|θα|είναι|ότι|σε)(?!\p{L})/giu,
  split: unicodeWords(
    /\breverse (?:stock |share )?split|\bσυν[έε]νωσ\p{L}*[^.;]{0,80}\bμετοχ|\bσ[ύυ]μπτυξ\p{L}*[^.;]{0,80}\bμετοχ|\bσυνενών\p{L}*|\bσυνενωθ\p{L}*/iu,
  ),
  forwardSplit: unicodeWords(/\bδι[άα]σπασ\p{L}*[^.;]{0,60}\bμετοχ|(?<!reverse )(?<!reverse stock )\bstock split/iu),
  announces: unicodeWords(/\bανακο[ιί]ν|\bγνωστοπο|\bενημερ[ώω]ν|\bαποφ[άα]σισ|\bπραγματοπο/iu),
  pending: unicodeWords(
    /\bπροτε[ίι]ν|\bπρότασ|\bθα (?:υποβληθεί|τεθεί)\b|\bυπό την αίρεση|\bεξετάζει|\bενδέχεται|\bσχεδιάζει/iu,
  ),
  decided: unicodeWords(
    /\b(?:μ[έε]τοχοι|μετόχων|συνέλευσ\p{L}*)\b[^.;]{0,160}\b(?:εν[έε]κριν|αποφ[άα]σισ)|\bεγκρίθηκε\b[^.;]{0,80}\b(?:μετόχ|συνέλευσ)/iu,
  ),
  withdrawn: unicodeWords(
    /\b(?:split|συν[έε]νωσ\p{L}*|σ[ύυ]μπτυξ\p{L}*)\b[^.;]{0,60}\b(?:αναβ|ακυρών|ακυρώθ)|\b(?:αναβολή|ακύρωση) (?:του reverse|της (?:συνένωσης|σύμπτυξης))/iu,
  ),
  general: unicodeWords(
    /\bγια παράδειγμα\b|\bτι είναι\b|\bσημαίνει\b|\b(?:ένα|μια) (?:reverse|συνένωση|σύμπτυξη)\b[^.;]{0,60}\bείναι/iu,
  ),
  numbers: {
    δύο: 2,
    τρεις: 3,
    τέσσερις: 4,
    πέντε: 5,
    έξι: 6,
    επτά: 7,
    οκτώ: 8,
    εννέα: 9,
    δέκα: 10,
    δώδεκα: 12,
    δεκαπέντε: 15,
    είκοσι: 20,
    "είκοσι πέντε": 25,
    τριάντα: 30,
    σαράντα: 40,
    πενήντα: 50,
    εκατό: 100,
    χίλιες: 1000,
  },
  ratios: ratiosWith({
    one: "μ[ίι]αν?|ένα",
    share: "μετοχ(?:ή|ές|ών|ής)",
    per: "προς|ανά|για κάθε|κάθε|σε",
    pair: "προς|για|σε",
  }),
  date: dateWith(MONTHS),
  months: MONTHS,
  trading: unicodeWords(/\bδιαπραγμ[άα]τευσ|\bδιαπραγματε[ύυ]|\bπρώτη ημέρα|\bαποκοπ/iu),
  effective: unicodeWords(/\bισχ[ύυ]|\bπραγματοποι|\bτίθεται|\bλάβει χώρα|\bημερομηνία συν[έε]νωσης/iu),
  today: unicodeWords(/\bσήμερα\b/iu),
  afterClose: unicodeWords(/\bμετά το κλείσιμο/iu),
  otherDay: unicodeWords(
    /\bτελευτα[ίι]|\bέως\b|\bμέχρι\b|\bσυνέλευσ|\bσυνάντησ|\bσυνεδρ[ίι]ασ|\bδικαιούχ|\bαργότερο/iu,
  ),
  decides: unicodeWords(/\b(?:αποφ[άα]σισ|εν[έε]κριν|ανακο[ιί]ν)/iu),
  fraction: unicodeWords(/\bκλασματικ|\bκλάσματα/iu),
  cash: unicodeWords(/\bμετρητ|\bεκποι|\bπ[ώω]λησ|\bπωλ/iu),
  roundUp: unicodeWords(/\bστρογγυλοπο\p{L}*[^.;]{0,60}\b(?:προς τα )?(?:πάνω|άνω)/iu),
  roundDown: unicodeWords(/\bστρογγυλοπο\p{L}*[^.;]{0,60}\b(?:προς τα )?κάτω/iu),
  symbol: symbolAfter("σύμβολο|κωδικό|κωδικός|ticker"),
};
