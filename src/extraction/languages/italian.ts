import { dateWith, type Language, ratiosWith, symbolAfter, unicodeWords } from "./language.ts";

const MONTHS = ["gen", "feb", "mar", "apr", "mag", "giu", "lug", "ago", "set", "ott", "nov", "dic"];

export const ITALIAN: Language = {
  words: /(?<!\p{L})(?:il|la|le|gli|del|della|delle|di|e|è|una?|per|con|in|che|nel|alla|dei|sarà|saranno)(?!\p{L})/giu,
  split: unicodeWords(/\braggruppa\w*/iu),
  forwardSplit: unicodeWords(/\bfrazionamento/iu),
  announces: unicodeWords(/\bcomunica|\brende noto|\binforma|\bannunci|\bprocede|\bparte\b|\bavvi|\besegu/iu),
  pending: unicodeWords(
    /\bpropo(?:rrà|ne|sta|rre|sto)\b|\buna volta approvat|\bconvocat|\bordine del giorno|\bsottopo|\bprevio\b[^.;]{0,40}\bapprovazione|\bpotrebbe/iu,
  ),
  decided: unicodeWords(
    /\bassemblea\b[^.;]{0,160}\b(?:ha (?:approvato|deliberato)|deliberat|approvat)|\b(?:deliberat|approvat)\w*\b[^.;]{0,80}\bassemblea/iu,
  ),
  withdrawn: unicodeWords(
    /\braggruppamento\b[^.;]{0,60}\b(?:rinviat|annullat|sospes|revocat)|\b(?:rinvio|revoca|sospensione) del raggruppamento/iu,
  ),
  general: unicodeWords(
    /\bad esempio\b|\bper esempio\b|\bcos'è\b|\b(?:il|un) raggruppamento\b(?: di (?:azioni|titoli))?[^.;]{0,60}\b(?:è un|consiste|significa|può)\b|\ben operazione contraria/iu,
  ),
  numbers: {
    due: 2,
    tre: 3,
    quattro: 4,
    cinque: 5,
    sei: 6,
    sette: 7,
    otto: 8,
    nove: 9,
    dieci: 10,
    dodici: 12,
    quindici: 15,
    venti: 20,
    venticinque: 25,
    trenta: 30,
    quaranta: 40,
    cinquanta: 50,
    cento: 100,
    mille: 1000,
  },
  ratios: ratiosWith({ one: "una?|uno", share: "azion[ei]", per: "ogni|per|contro", pair: "ogni|per|a" }),
  date: dateWith(MONTHS),
  months: MONTHS,
  trading: unicodeWords(/\bnegozia\w*|\bquota(?:te|zione)|\bprim[oa] giorno|\bscambi/iu),
  effective: unicodeWords(
    /\befficacia|\beffett|\bprocede\w*|\bavverrà|\besegui\w*|\bavrà luogo|\bdata di raggruppamento|\bparte\b|\bvia\b/iu,
  ),
  today: unicodeWords(/\boggi\b|\bin data odierna\b/iu),
  afterClose: unicodeWords(/\bdopo la chiusura|\btermine della seduta/iu),
  otherDay: unicodeWords(
    /\bultim|\bfino al\b|\bentro\b|\bassemblea|\bconsiglio|\brecord date|\bregistro delle imprese|\biscri|\bscors[oa]\b|\bstacco/iu,
  ),
  decides: unicodeWords(/\b(?:ha (?:deliberato|approvato)|deliber)/iu),
  fraction: unicodeWords(/\b(?:resti|frazion[ei]|quadratura dei resti)\b/iu),
  cash: unicodeWords(/\b(?:in (?:denaro|contanti)|liquid|controvalore|vendita|acquist|cedut)/iu),
  roundUp: unicodeWords(/\barrotond\w*[^.;]{0,40}\b(?:eccesso|superiore)/iu),
  roundDown: unicodeWords(/\barrotond\w*[^.;]{0,40}\b(?:difetto|inferiore)/iu),
  symbol: symbolAfter("ticker|simbolo|codice alfanumerico"),
};
