export * from "./datetime.ts";
export * from "./errors.ts";
export * from "./kind.ts";
export * from "./limits.ts";
export type * from "./model.ts";
export * from "./namespaces.ts";
