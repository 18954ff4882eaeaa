import { dateWith, type Language, ratiosWith, symbolAfter, unicodeWords } from "./language.ts";

const MONTHS = ["jan", "feb", "mar", "apr", "ma[ij]", "jun", "jul", "aug", "sep", "o[kc]t", "nov", "de[sc]"];

/** Norwegian and Danish, whose words for a split hardly differ. */
export const NORWEGIAN: Language = {
  words: /(?<!\p{L})(?:og|at|av|af|er|den|som|til|for|med|på|ved|vil|en|et|har|etter|efter|fra|det|å)(?!\p{L})/giu,
  split: unicodeWords(
    /\b(?:aksje|aktie)?spleis\w*|\bomvendt\w* (?:aksje|aktie)?spl?itt?\w*|\bsammenl[æa]gning af aktier|\bsammenl[æa]gg\w*|\bsl[åa]s sammen\b|\bsammensl[åa]ing av aksje\w*|\bsammenl[æa]gges/iu,
  ),
  forwardSplit: unicodeWords(/(?<!omvendt )\b(?:aksjesplitt|aktiesplit)|\bsplittes\b|\ben splitt av\b/iu),
  announces: unicodeWords(
    /\bmeld|\bmeddel|\bvedta|\bbeslut|\bgjennomf[øo]r|\bgennemf[øo]r|\bkunng|\boffentligg|\bn[øo]kkelinformasjon|\bviser til\b/iu,
  ),
  pending: unicodeWords(
    /\bforesl|\bforslag|\bindkald|\binnkall|\bvurder|\bforutsatt|\bbetinget|\bplanlegg|\bplanl[æa]gg/iu,
  ),
  decided: unicodeWords(
    /\bgeneralforsamling\w*\b[^.;]{0,160}\b(?:vedt|beslut|godk[je]|godkend)|\b(?:vedt|beslut|godk)\w*\b[^.;]{0,80}\bgeneralforsamling/iu,
  ),
  withdrawn: unicodeWords(
    /\b(?:spleis\w*|omvendt\w* \p{L}*split\w*)\b[^.;]{0,60}\b(?:utsatt|utsettes|udskudt|udskydes|avlyst|aflyst|kansellert)/iu,
  ),
  general: unicodeWords(
    /\bfor eksempel\b|\beksempel(?:vis)?\b|\bhva er\b|\bhvad er\b|\bet omvendt (?:\p{L}*split|split\/reverse split)\b[^.;]{0,40}\b(?:er|betyder|betyr|foretages|sker)/iu,
  ),
  numbers: {
    to: 2,
    tre: 3,
    fire: 4,
    fem: 5,
    seks: 6,
    syv: 7,
    sju: 7,
    åtte: 8,
    otte: 8,
    ni: 9,
    ti: 10,
    tolv: 12,
    femten: 15,
    tjue: 20,
    tyve: 20,
    tjuefem: 25,
    femogtyve: 25,
    tretti: 30,
    førti: 40,
    femti: 50,
    halvtreds: 50,
    hundre: 100,
    hundrede: 100,
    tusen: 1000,
    tusind: 1000,
  },
  ratios: ratiosWith({
    one: "en|én|ett?|éi?n",
    share: "aksjer?|aksje|aktier?|aktie",
    per: "for|mot|per|pr",
    pair: "til|for|mot",
  }),
  date: dateWith(MONTHS),
  months: MONTHS,
  trading: unicodeWords(
    /\bf[øo]rste (?:dag|handelsdag)\w*|\bhandles\b|\bhandlet\b|\bex-?dat|\beks-?dat|\bex\.? spleis|\bnoter/iu,
  ),
  effective: unicodeWords(/\btr[æe]r i kraft|\btr[æa]der i kraft|\bgjennomf[øo]r\w*|\bgennemf[øo]r\w*|\bvirkning/iu),
  today: unicodeWords(/\b(?:i dag|idag)\b/iu),
  afterClose: unicodeWords(/\better (?:b[øo]rsslutt|stenging)|\befter (?:b[øo]rsens )?luk/iu),
  otherDay: unicodeWords(
    /\bsiste\b|\bsidste\b|\brecord date|\beierregister|\bregistreringsdato|\bsenest|\bgeneralforsamling|\bregistrert|\bregistreret|\bdato for (?:annonsering|godkjenn)|\bsynlig/iu,
  ),
  decides: unicodeWords(/\bvedt|\bbeslut|\bgodk/iu),
  fraction: unicodeWords(/\b(?:br[øo]kdel|overskytende|fraksjon|fraktion|delelig|br[øo]k)/iu),
  cash: unicodeWords(/\b(?:kontant|selges|s[æa]lges|solgt|utbetal|udbetal|innl[øo]s|indl[øo]s|proven)/iu),
  roundUp: unicodeWords(/\b(?:rundes? opp|avrund\w* opp|oprund|opprund|rundet op)/iu),
  roundDown: unicodeWords(/\b(?:rundes? ned|avrund\w* ned|nedrund|rundet ned)/iu),
  symbol: symbolAfter("ticker|tickerkode|tickerkoden|kortnavn|symbol|symbolet"),
};
