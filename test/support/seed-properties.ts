import { configureGlobal } from "fast-check";
import { SEED } from "./soak.ts";

/** Values of the property tests: the same in every run with the same seed. */
configureGlobal({ seed: SEED });
