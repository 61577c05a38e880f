export { accessOf } from "./access.ts";
export { createApp, type Listening, listen } from "./app.ts";
export { createMetrics, healthzRoutes, metricsRoutes } from "./monitoring.ts";
export type { WebEnv } from "./request-context.ts";
export { Authentication } from "./sign-in.ts";
