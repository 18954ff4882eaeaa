/** How much one person may watch, and how many rules may stand at one place. */
export const MOST_WATCHED = 500;
export const MOST_RULES = 25;
