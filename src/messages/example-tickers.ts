/**
 * The built-in sample lists them from its start until after its story: who has just begun can type the examples as they
 * stand, and is answered with something.
 */
export const EXAMPLE_TICKER = "ZRVNK";
export const SECOND_EXAMPLE_TICKER = "PLMWK";

/** As an import takes it. */
export const EXAMPLE_TICKER_LIST = `${EXAMPLE_TICKER}, ${SECOND_EXAMPLE_TICKER}, BRK.B`;
