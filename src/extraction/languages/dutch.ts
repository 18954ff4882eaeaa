import { dateWith, type Language, ratiosWith, symbolAfter, unicodeWords } from "./language.ts";

const MONTHS = ["jan", "feb", "m(?:aa)?rt", "apr", "mei", "jun", "jul", "aug", "sep", "okt", "nov", "dec"];

export const DUTCH: Language = {
  words: /(?<!\p{L})(?:de|het|een|van|en|is|in|op|voor|met|te|dat|worden|wordt|zal|zijn|aan)(?!\p{L})/giu,
  split: unicodeWords(
    /\bomgekeerde (?:aandelen)?splits\w*|\breverse (?:stock |share )?split|\bsamenvoeg\w*|\bsamengevoegd|\baandelenconsolidatie|\bconsolidatie van (?:de )?aandelen/iu,
  ),
  forwardSplit: unicodeWords(/(?<!omgekeerde )\baandelensplitsing/iu),
  announces: unicodeWords(
    /\bkondigt\b|\baankondig|\bmaakt\b[^.;]{0,60}\bbekend|\bbekend\b|\bmeldt\b|\bpersbericht|\bvoert\b[^.;]{0,60}\bdoor/iu,
  ),
  pending: unicodeWords(
    /\bstelt\b[^.;]{0,40}\bvoor\b|\bvoorstel|\boproep|\bagendapunt|\bonder voorbehoud|\boverweegt|\bzou\b/iu,
  ),
  decided: unicodeWords(
    /\bvergadering\b[^.;]{0,120}\b(?:goedgekeurd|besloten|ingestemd)|\baandeelhouders\b[^.;]{0,80}\b(?:goedgekeurd|ingestemd|hebben besloten)/iu,
  ),
  withdrawn: unicodeWords(
    /\b(?:splitsing|samenvoeging|split)\b[^.;]{0,60}\b(?:uitgesteld|geannuleerd|gaat niet door|afgeblazen)/iu,
  ),
  general: unicodeWords(
    /\bbijvoorbeeld\b|\bwat is\b|^voorbeeld\b|\been (?:omgekeerde (?:aandelen)?splitsing|reverse (?:stock )?split)\b[^.;]{0,60}\b(?:is een|betekent|houdt)|\bbij een (?:omgekeerde|reverse)/iu,
  ),
  numbers: {
    twee: 2,
    drie: 3,
    vier: 4,
    vijf: 5,
    zes: 6,
    zeven: 7,
    acht: 8,
    negen: 9,
    tien: 10,
    twaalf: 12,
    vijftien: 15,
    twintig: 20,
    vijfentwintig: 25,
    dertig: 30,
    veertig: 40,
    vijftig: 50,
    honderd: 100,
    duizend: 1000,
  },
  ratios: ratiosWith({ one: "een|één", share: "aande(?:el|len)", per: "voor|per|op", pair: "voor|op|tot|tegen" }),
  date: dateWith(MONTHS),
  months: MONTHS,
  trading: unicodeWords(/\bverhandel\w*|\bhandel\b|\bgenoteerd|\beerste (?:handels)?dag|\bnotering/iu),
  effective: unicodeWords(/\bvan kracht|\beffectief|\bingang|\bingaan|\bgaat in\b|\bdoorgevoerd|\bvindt plaats/iu),
  today: unicodeWords(/\bvandaag\b/iu),
  afterClose: unicodeWords(/\bna (?:het )?(?:sluiten|sluiting|slot|beurs)/iu),
  otherDay: unicodeWords(
    /\blaatste\b|\btot en met|\buiterlijk|\bvergadering|\bregistratiedatum|\brecord date|\bbesloot\b|\bstart op\b/iu,
  ),
  decides: unicodeWords(/\b(?:besloot|besloten|keurde)/iu),
  fraction: unicodeWords(/\b(?:fracties?|fractionele|restant)/iu),
  cash: unicodeWords(/\b(?:in contanten|contant|verkocht|uitgekeerd|opbrengst)/iu),
  roundUp: unicodeWords(/\b(?:naar boven afgerond|afgerond naar boven|naar boven worden afgerond)/iu),
  roundDown: unicodeWords(/\b(?:naar beneden afgerond|afgerond naar beneden)/iu),
  symbol: symbolAfter("ticker|symbool|tickersymbool"),
};
