import type { Language } from "./language.ts";

export const JAPANESE: Language = {
  words: /[\p{Script=Hiragana}]{2}/gu,
  split: /株式併合|株式の併合|併合/u,
  forwardSplit: /株式分割|株式の分割/u,
  announces: /お知らせ|公告|いたします|実施|決議/u,
  pending: /議案|付議|付議する|承認を条件|承認可決されることを条件|予定の[^。]{0,30}総会/u,
  decided: /(?:可決|承認)され(?:ました|た)(?!こと|場合)|承認可決されました/u,
  withdrawn: /(?:中止|取り?止め|撤回|延期)/u,
  general: /とは、|とはどのような|例えば|メリット|解説/u,
  numbers: {},
  ratios: [
    /(?<!\d)(?<old>\d{1,5})株を1株(?:に|の)/gu,
    /(?<!\d)(?<old>\d{1,5})株(?:につき|に対し)[^。\d]{0,10}1株/gu,
    /1株に[^。\d]{0,4}併合[^。\d]{0,4}(?<old>\d{1,5})株/gu,
  ],
  date: /(?:(?<era>平成|令和) ?(?<eraYear>\d{1,2}|元) ?年|(?<!\d)(?<year>20\d\d|19\d\d) ?年)? ?(?<month>\d{1,2}) ?月 ?(?<day>\d{1,2}) ?日/gu,
  months: null,
  trading: /売買(?:開始|が開始)|取引(?:開始|が開始)|併合後の[^。]{0,20}(?:売買|取引)/u,
  effective: /効力(?:発生日|を生じる日|が生ずる日|を発生)|効力発生/u,
  today: /本日[^。]{0,20}(?:効力|併合)/u,
  afterClose: /取引終了後/u,
  otherDay: /株主名簿|基準日|取締役会|株主総会|最終(?:売買|取引)日|上場廃止|現在/u,
  decides: /開催|決議|付議/u,
  fraction: /1株に満たない|端数/u,
  cash: /代金|処分|買い?取|金銭|お支払い/u,
  roundUp: /切り?上げ/u,
  roundDown: /端数は切り?捨て/u,
  symbol: /(?:ティッカー(?:シンボル)?|NASDAQ|Nasdaq)[::] ?(?<symbol>[A-Z]{2,5})(?![A-Za-z])/u,
  company:
    /(?<name>株式会社[\p{Script=Han}\p{Script=Katakana}ーA-Za-z・]{1,20}|[\p{Script=Han}\p{Script=Katakana}ーA-Za-z・]{1,20}株式会社|(?<=^|[、。] ?)(?!当社|弊社|同社|会社|企業|取締役会|株主総会)[\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}ーA-Za-z・&]{2,30}?(?= ?(?:\([^()]{1,12}\))?[がは](?:、)?(?:株式併合|株式の併合)を))/gu,
};
