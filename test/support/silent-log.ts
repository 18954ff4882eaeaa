export { SILENT_LOG as silentLog } from "../../src/ports/log.ts";
