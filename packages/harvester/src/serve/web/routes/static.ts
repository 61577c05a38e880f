import { Hono } from "hono";
import type { WebEnv } from "../environment.ts";
import { ICON } from "../look/icon.ts";
import { STYLESHEET, STYLESHEET_NAME } from "../look/stylesheet.ts";

/** The look of the pages: its name changes with what it says, so that browsers keep it. */
export function staticRoutes(): Hono<WebEnv> {
  return new Hono<WebEnv>()
    .get(`/${STYLESHEET_NAME}`, (context) =>
      context.body(STYLESHEET, 200, {
        "Content-Type": "text/css; charset=utf-8",
        "Cache-Control": "public, max-age=31536000, immutable",
      }),
    )
    .get("/icon.svg", (context) =>
      context.body(ICON, 200, {
        "Content-Type": "image/svg+xml",
        "Cache-Control": "public, max-age=86400",
      }),
    );
}
