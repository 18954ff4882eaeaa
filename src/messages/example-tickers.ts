/** Tickers that the built-in sample data always lists, so that the examples work in demo mode. */
export const EXAMPLE_TICKER = "ZRVNK";
export const SECOND_EXAMPLE_TICKER = "PLMWK";

/** Example list for `import`. */
export const EXAMPLE_TICKER_LIST = `${EXAMPLE_TICKER}, ${SECOND_EXAMPLE_TICKER}, BRK.B`;
