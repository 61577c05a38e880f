import { rsEmit } from "./plugin.ts";

export type { RsEmitOptions, SourcedPage } from "./options.ts";
// For `require`: https://nodejs.org/api/modules.html#loading-ecmascript-modules-using-require
export { rsEmit as default, rsEmit as "module.exports" };
