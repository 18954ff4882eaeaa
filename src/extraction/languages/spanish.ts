import { dateWith, type Language, ratiosWith, symbolAfter, unicodeWords } from "./language.ts";

const MONTHS = ["ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sep", "oct", "nov", "dic"];

export const SPANISH: Language = {
  words: /(?<!\p{L})(?:el|la|los|las|del|de|y|es|una?|por|para|con|en|que|se|sus|será)(?!\p{L})/giu,
  split: unicodeWords(
    /\bcontra-?splits?\b|\bagrup(?:ación|amiento|ar|an|ará|ado|adas?)\b[^.;]{0,80}\b(?:acciones|títulos)|\b(?:acciones|títulos)\b[^.;]{0,60}\bagrup|\bsplit inverso|\bdivisión inversa|\bagrupación\b/iu,
  ),
  forwardSplit: unicodeWords(/\bdesdoblamiento|(?<!contra-?)\bsplit de acciones(?! inverso)|\bdivisión de acciones/iu),
  announces: unicodeWords(
    /\banunci|\bcomunic|\binforma|\bhecho relevante|\botra información relevante|\binformación privilegiada|\binscri(?:to|ta|bi)|\bacord/iu,
  ),
  pending: unicodeWords(
    /\bpropo(?:ne|ner|nen|ndrá|sici[óo]n)|\bpropuesta|\bconvoca|\borden del día|\bpuntos del día|\bsometer|\bsometida|\bpodr[íi]a|\bcitados\b|\bsujet[oa] a\b/iu,
  ),
  decided: unicodeWords(
    /\bjunta\b[^.;]{0,160}\b(?:aprob[óo]|acord[óo]|ha aprobado|aprobad[oa])|\baprobad[oa]s?\b[^.;]{0,80}\bjunta|\binscri(?:to|ta|pción)\b[^.;]{0,60}\bregistro mercantil/iu,
  ),
  withdrawn: unicodeWords(
    /\b(?:agrupación|contra-?split)\b[^.;]{0,60}\b(?:se (?:aplaza|pospone|cancela|suspende)|aplazad|pospuest|cancelad[ao]\b|suspendid|sin efecto)/iu,
  ),
  general: unicodeWords(
    /\bpor ejemplo\b|\bejemplo práctico|\bqué es\b|\b(?:la|una|las|el|un) (?:agrupación|agrupamiento|contra-?split)\b(?: de acciones)?[^.;]{0,60}\b(?:es|son|consiste|supone|significa)\b|\buna (?:empresa|sociedad|compañía) (?:cotizada )?(?:decide|puede)/iu,
  ),
  numbers: {
    dos: 2,
    tres: 3,
    cuatro: 4,
    cinco: 5,
    seis: 6,
    siete: 7,
    ocho: 8,
    nueve: 9,
    diez: 10,
    doce: 12,
    quince: 15,
    veinte: 20,
    veinticinco: 25,
    treinta: 30,
    cuarenta: 40,
    cincuenta: 50,
    cien: 100,
    mil: 1000,
  },
  ratios: ratiosWith({
    one: "una?|uno",
    share: "acci[óo]n(?:es)?|t[íi]tulos?",
    per: "por cada|cada|por",
    pair: "por|a|x|por cada",
  }),
  date: dateWith(MONTHS),
  months: MONTHS,
  trading: unicodeWords(/\bcotiza\w*|\bnegocia\w*|\bcontrata(?:ción|rán)|\bprimer (?:día|sesión)/iu),
  effective: unicodeWords(/\befectos?\b|\befectiv|\bsurt(?:e|irá)|\bentrar?á? en vigor|\btendrá lugar|\bcanje\b/iu),
  today: unicodeWords(/\bhoy\b/iu),
  afterClose: unicodeWords(/\btras el cierre|\bdespués del cierre|\bal cierre/iu),
  otherDay: unicodeWords(
    /\búltim|\bhasta\b|\bjunta\b|\bconsejo\b|\bregistro mercantil|\binscri|\bfecha de (?:registro|corte)|\bantes del\b|\brecord date|\bpublica/iu,
  ),
  decides: unicodeWords(/\b(?:acord[óo]|aprob[óo]|anunci[óo])/iu),
  fraction: unicodeWords(/\b(?:picos?|fracci[óo]n(?:es)?|sobrantes?|múltiplo)\b/iu),
  cash: unicodeWords(/\b(?:en efectivo|en metálico|adquir|compra(?:rá|r)?|pagar|abonar|liquid|venderá)/iu),
  roundUp: unicodeWords(/\bredonde\w*[^.;]{0,40}\b(?:alza|arriba|superior)|\bpor exceso\b/iu),
  roundDown: unicodeWords(/\bredonde\w*[^.;]{0,40}\b(?:baja|abajo|inferior)|\bpor defecto\b/iu),
  symbol: symbolAfter("ticker|símbolo|código de cotización|código bursátil|clave de pizarra"),
};
