import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type { WebEnv } from "./environment.ts";

/** A form's field, or the text of a file in it; empty if missing. Throws {@link HTTPException}. */
export async function field(context: Context<WebEnv>, name: string): Promise<string> {
  const { [name]: value } = await context.req.parseBody().catch(refuse);
  if (value instanceof File) return value.text();
  return typeof value === "string" ? value : "";
}

/** `parseBody` throws a `TypeError` if the body is no form. */
function refuse(error: unknown): never {
  if (!(error instanceof TypeError)) throw error;
  throw new HTTPException(400, { message: "That is no form of this service.", cause: error });
}

/** A number from 1 on. */
export function queryNumber(context: Context<WebEnv>, name: string): number | undefined {
  const text = context.req.query(name) ?? "";
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}

/** Throws {@link HTTPException}. */
export function pathNumber(context: Context<WebEnv>): number {
  const text = context.req.param("id") ?? "";
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new HTTPException(404, { message: NO_SOURCE });
  return Number(text);
}

export const NO_SOURCE = "No source of that number is followed here, or not any more.";
