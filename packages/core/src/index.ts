export { EmitError } from "./errors.ts";
export type * from "./model.ts";
