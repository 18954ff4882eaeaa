/** Sort key that orders notices by year and number. */
export function noticeNumber(id: string): number {
  const [, year = "0", number = "0"] = /^ECA(\d{4})-(\d{1,5})$/.exec(id) ?? [];
  return Number(year) * 100_000 + Number(number);
}

/** Address of a notice's page. */
export function noticeUrl(origin: string, id: string): string {
  return `${origin}/TraderNews.aspx?id=${id}`;
}
