/** How much one person may watch, and how many rules may stand at one place. */
export const MAX_WATCHED_TICKERS = 500;
export const MAX_RULES = 25;
