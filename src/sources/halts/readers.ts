export { readHalts } from "./read-halts.ts";
