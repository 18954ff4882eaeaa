import { dateWith, type Language, ratiosWith, symbolAfter, unicodeWords } from "./language.ts";

const MONTHS = ["janv", "f[ée]v", "mars", "avr", "mai", "juin", "juil", "ao[uû]t", "sept", "oct", "nov", "d[ée]c"];

export const FRENCH: Language = {
  words: /(?<!\p{L})(?:le|la|les|des|du|de|et|est|une|pour|dans|sur|sera|seront|par|aux|ses)(?!\p{L})/giu,
  split: unicodeWords(
    /\bregroup[^.;]{0,90}\b(?:actions?|titres)|\b(?:actions?|titres)\b[^.;]{0,90}\bregroup|\bconsolidation (?:de |d'|des )[^.;]{0,60}\bactions?|\b(?:fractionnement|division) (?:d'actions )?invers|\bregroupement\b/iu,
  ),
  forwardSplit: unicodeWords(
    /\b(?:fractionnement|division)\b(?![^.;]{0,20}invers)[^.;]{0,40}\b(?:actions?|nominal)\b/iu,
  ),
  announces: unicodeWords(
    /\b(?:annonc|inform|communiqu|fait savoir|d[ée]but|lanc|proc[èe]d|mis en (?:œuvre|oeuvre)|r[ée]alis)/iu,
  ),
  pending: unicodeWords(
    /\b(?:propos(?:e|er|era|é|ée|ition)\b|projet de r[ée]solution|soumi(?:s|se|ses|ettre)\b[^.;]{0,60}\b(?:vote|approbation|assembl)|sous r[ée]serve de l'approbation (?:des actionnaires|de l'assembl)|pourrait|envisage)/iu,
  ),
  decided: unicodeWords(
    /\b(?:approuv[ée]|vot[ée]|adopt[ée]|d[ée]cid[ée])[^.;]{0,80}\b(?:assembl|actionnaires)|\b(?:assembl[ée]e|actionnaires)\b[^.;]{0,120}\b(?:ont|a) (?:[\p{L}]+ )?(?:approuv|vot|adopt|d[ée]cid)/iu,
  ),
  withdrawn: unicodeWords(
    /\bregroupement\b[^.;]{0,60}\b(?:report[ée]|annul[ée]|suspendu|abandonn[ée]|n'aura pas lieu)|\b(?:report|annulation|suspension|abandon) du regroupement/iu,
  ),
  general: unicodeWords(
    /\bpar exemple\b|\bqu'est-ce\b|\b(?:un|le|les) regroupements? (?:d'actions?|de titres)?,?[^.;]{0,60}\b(?:consiste|est (?:une|un|le)|permet|désigne|signifie)|\bune (?:entreprise|société) (?:peut|proc[èe]de|d[ée]cide)|\bpour illustrer\b|\bd[ée]finition\b/iu,
  ),
  numbers: {
    deux: 2,
    trois: 3,
    quatre: 4,
    cinq: 5,
    six: 6,
    sept: 7,
    huit: 8,
    neuf: 9,
    dix: 10,
    douze: 12,
    quinze: 15,
    vingt: 20,
    "vingt-cinq": 25,
    trente: 30,
    quarante: 40,
    cinquante: 50,
    cent: 100,
    mille: 1000,
  },
  ratios: ratiosWith({
    one: "une?",
    share: "actions?|titres?",
    per: "pour|contre|par|pour chaque",
    pair: "pour|contre",
  }),
  date: dateWith(MONTHS),
  months: MONTHS,
  trading: unicodeWords(
    /\b(?:cotation|cot[ée]es?|n[ée]goci|[ée]chang[ée]e?s?|s[ée]ance|bourse)\b[^.;]{0,80}\b(?:regroup|nouvelles|base|consolid|apr[èe]s|du|dès|le|compter)|\b(?:regroup|nouvelles|consolid)[^.;]{0,120}\b(?:cotation|cot[ée]es?|n[ée]goci|se n[ée]gocier)|premi[èe]re? (?:jour|cotation|n[ée]gociation|s[ée]ance)/iu,
  ),
  effective: unicodeWords(
    /\b(?:prend(?:ra|re)?|prenant|entr(?:er|era|e|ant)) (?:en )?(?:effet|vigueur)|\beffecti(?:f|ve)|\bd[ée]but(?:e|era)\b|\bdate d'effet|\b[àa] compter du\b|\bsera r[ée]alis/iu,
  ),
  today: unicodeWords(/\b(?:aujourd'hui|ce jour)\b/iu),
  afterClose: unicodeWords(/\bapr[èe]s (?:la )?(?:cl[ôo]ture|fermeture)/iu),
  otherDay: unicodeWords(
    /\b(?:derni[èe]re?|jusqu|avant le|d'ici|au plus tard|assembl[ée]e|conseil|date d'(?:enregistrement|arr[êe]t[ée])|communiqu[ée] (?:du|le)|publi[ée]|radi|clos|termin|s'achev)/iu,
  ),
  decides: unicodeWords(/\b(?:a|ont) (?:d[ée]cid|approuv|vot|adopt)/iu),
  fraction: unicodeWords(/\brompus?\b|\bfractions?\b|\bfractionnaires?\b|\bmultiple\b/iu),
  cash: unicodeWords(
    /\b(?:indemnis|en esp[èe]ces|en num[ée]raire|vendu(?:e?s)?\b[^.;]{0,120}\b(?:en bourse|sommes|produit)|produit (?:net )?de la vente|(?:somme|montant)s? provenant de la vente|pay[ée]s? en)/iu,
  ),
  roundUp: unicodeWords(/\barrondi\w*[^.;]{0,60}\b(?:sup[ée]rieur|à la hausse)/iu),
  roundDown: unicodeWords(/\barrondi\w*[^.;]{0,60}\b(?:inf[ée]rieur|à la baisse)|\bfractions?\b[^.;]{0,60}\bannul/iu),
  symbol: symbolAfter("mnémonique|mnemonique|mnémo|symbole|symbole boursier|ticker|sigle"),
};
