/** Tickers that the built-in sample lists throughout its story, so that the examples work in demo mode. */
export const EXAMPLE_TICKER = "ZRVNK";
export const SECOND_EXAMPLE_TICKER = "PLMWK";

/** List for `import`. */
export const EXAMPLE_TICKER_LIST = `${EXAMPLE_TICKER}, ${SECOND_EXAMPLE_TICKER}, BRK.B`;
