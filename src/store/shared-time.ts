/** Time that all processes of a store share, in milliseconds. It doesn't depend on the clocks of their machines. */
export interface SharedTime {
  now(): number;
}
