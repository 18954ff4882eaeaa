import { dateWith, type Language, ratiosWith, symbolAfter, unicodeWords } from "./language.ts";

const MONTHS = ["jan", "feb", "mar", "apr", "maj", "jun", "jul", "aug", "sep", "okt", "nov", "dec"];

export const SWEDISH: Language = {
  words: /(?<!\p{L})(?:och|att|av|är|den|som|till|för|med|på|vid|kommer|en|ett|har|efter)(?!\p{L})/giu,
  split: unicodeWords(
    /\bsammanl[äa]gg\w*|\bl[äa]gg(?:s|er|a|as)? samman|\bsammanslagning av aktier|\bomv[äa]nd(?:a|en)? (?:aktie)?split|\bkonsolideras? till\b/iu,
  ),
  forwardSplit: unicodeWords(
    /(?<!omv[äa]nd(?:a|en)? )\baktiesplit|\buppdelning av (?:aktier|aktien)|(?<!omv[äa]nd(?:a|en)? )\bsplit \d/iu,
  ),
  announces: unicodeWords(
    /\bmeddela|\boffentligg|\bbeslut|\bgenomf[öo]r|\bpressmeddelande|\bmarknadsmeddelande|\binformation om\b|\btidsplan/iu,
  ),
  pending: unicodeWords(
    /\bf[öo]resl[åa]|\bf[öo]rslag|\bkallelse|\bavser\b|\b[öo]verv[äa]g|\bf[öo]rutsatt|\bvillkorat|\bplanerar/iu,
  ),
  decided: unicodeWords(
    /\b(?:st[äa]mma|bolagsst[äa]mma|[åa]rsst[äa]mma)\w*\b[^.;]{0,120}\b(?:beslut|bemyndiga|godk[äa]n)|\bbeslut(?:ade)?s?\b[^.;]{0,80}\b\p{L}*st[äa]mma|\bbemyndigande/iu,
  ),
  withdrawn: unicodeWords(
    /\b(?:omv[äa]nd\w* split|sammanl[äa]ggning\w*)\b[^.;]{0,60}\b(?:skjuts upp|senarel|uppskjut|inst[äa]ll|avbryt|[åa]terkalla)/iu,
  ),
  general: unicodeWords(
    /\btill exempel\b|\bt\.? ?ex\b|^exempel\b|\bvad (?:är|innebär)\b|\b(?:en|ett|vid) omv[äa]nd (?:aktie)?split(?: \d+:\d+)?,?[^.;]{0,40}\b(?:är|innebär|delar|lägger|betyder)\b/iu,
  ),
  numbers: {
    två: 2,
    tre: 3,
    fyra: 4,
    fem: 5,
    sex: 6,
    sju: 7,
    åtta: 8,
    nio: 9,
    tio: 10,
    tolv: 12,
    femton: 15,
    tjugo: 20,
    tjugofem: 25,
    trettio: 30,
    fyrtio: 40,
    femtio: 50,
    hundra: 100,
    etthundra: 100,
    femhundra: 500,
    tusen: 1000,
    ettusen: 1000,
  },
  ratios: ratiosWith({
    one: "en|ett|en enda",
    share: "(?:b-|a-|stam)?akti(?:e|er|en)",
    per: "för|mot|per|av",
    pair: "för|mot|till|på",
  }),
  date: dateWith(MONTHS),
  months: MONTHS,
  trading: unicodeWords(
    /\bf[öo]rsta (?:dag\w*|handelsdag\w*)|\bhandlas\b|\bhandel(?:n)? (?:med|i|sker|inleds|p[åa]b[öo]rjas)|\bnoter/iu,
  ),
  effective: unicodeWords(/\btr[äa]der i kraft|\bgenomf[öo]r\w*|\bverkst[äa]ll|\bgiltig/iu),
  today: unicodeWords(/\b(?:i ?dag|idag)\b/iu),
  afterClose: unicodeWords(/\befter (?:b[öo]rsens )?st[äa]ngning/iu),
  otherDay: unicodeWords(
    /\bsista\b|\bavst[äa]mningsdag|\bsenast|\bst[äa]mma|\bregistrer|\bbolagsverket|\btill och med|\btillg[äa]nglig|\bf[öo]re omv[äa]nd split [äa]r\b/iu,
  ),
  decides: unicodeWords(/\bbeslut|\bgodk[äa]n|\bbemyndig/iu),
  fraction: unicodeWords(
    /\b(?:[öo]verskjutande|br[åa]kdel|fraktion|j[äa]mnt delbart|fullt antal|delbart|[öo]verskott)/iu,
  ),
  cash: unicodeWords(/\b(?:kontant|likvid|f[öo]rs[äa]lj|s[äa]ljas|utbetal)/iu),
  roundUp: unicodeWords(/\b(?:till ?skjut|avrunda\w* upp|rundas upp|upprunda|vederlagsfritt|kostnadsfritt)/iu),
  roundDown: unicodeWords(/\b(?:avrunda\w* ned|rundas ned|nedrunda)/iu),
  symbol: symbolAfter("kortnamn|kortnamnet|ticker|tickern|handelsbeteckning"),
};
