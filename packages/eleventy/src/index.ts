export type { RsEmitOptions, SourcedPage } from "./options.ts";
export { rsEmit as default } from "./plugin.ts";
