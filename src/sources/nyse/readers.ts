export { readActionsPage } from "./read-actions.ts";
