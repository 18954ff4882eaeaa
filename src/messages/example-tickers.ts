/** Tickers that the sample data always lists, so that users of the sample get a result when they try an example. */
export const EXAMPLE_TICKER = "ZRVNK";
export const SECOND_EXAMPLE_TICKER = "PLMWK";

/** Example list for `import`. */
export const EXAMPLE_TICKER_LIST = `${EXAMPLE_TICKER}, ${SECOND_EXAMPLE_TICKER}, BRK.B`;
