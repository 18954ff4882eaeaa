/**
 * The built-in sample lists them from its start until after its story: who has just begun can type the examples as they
 * stand, and is answered with something.
 */
export const A_TICKER = "ZRVNK";
export const ANOTHER_TICKER = "PLMWK";

/** As an import takes it. */
export const TICKER_LIST = `${A_TICKER}, ${ANOTHER_TICKER}, BRK.B`;
