import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context } from "hono";
import ipaddr from "ipaddr.js";
import type { WebEnv } from "../environment.ts";

/** Bytes of an IPv6 address that name its network (RFC 4291, section 2.5.1). */
const NETWORK = 8;

/**
 * Who asks, as far as a limit for each client is concerned: an IPv4 address, or the half of an IPv6 address
 * that names a network, since whoever has one such address has billions.
 *
 * @param trustProxy whether the last address of `X-Forwarded-For` counts, which a proxy before us has added
 */
export function clientOf(context: Context<WebEnv>, trustProxy: boolean): string {
  const forwarded = context.req.header("x-forwarded-for")?.split(",").at(-1)?.trim();
  const address = trustProxy && forwarded ? forwarded : getConnInfo(context).remote.address;
  if (address === undefined || !ipaddr.isValid(address)) return "unknown";
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return Buffer.from(parsed.toByteArray().slice(0, NETWORK)).toString("hex");
}
