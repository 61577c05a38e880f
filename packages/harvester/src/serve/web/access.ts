import { HarvestError } from "@rs-emit/reader";
import ipaddr from "ipaddr.js";

/** The rights of clients. Everybody may read. */
export type Access =
  /** Everything is allowed: only the users of this machine reach it. */
  | { readonly kind: "local" }
  | { readonly kind: "token"; readonly token: string }
  /** Anybody may follow sites, some at a time; the token allows everything. */
  | { readonly kind: "open"; readonly token: string | undefined };

interface AccessOptions {
  readonly host: string;
  readonly publicUrl?: string | undefined;
  readonly token?: string | undefined;
  readonly open?: boolean | undefined;
}

function unprotectedError(place: string): HarvestError {
  return new HarvestError({
    code: "UNPROTECTED",
    problem: `Others than you reach ${place}.`,
    cure: "Say who may follow sites there: those who know a secret (--token), or anybody, some sites at a time (--open).",
  });
}

function noPublicUrlError(host: string): HarvestError {
  return new HarvestError({
    code: "NO_PUBLIC_URL",
    problem: `Others than you reach ${host}:`,
    cure: "say by what address, so that feeds and forms can name it (--public-url https://…).",
  });
}

function weakTokenError(): HarvestError {
  return new HarvestError({
    code: "WEAK_TOKEN",
    problem: `A token needs ${TOKEN_LENGTH} characters at least.`,
    cure: "This makes a good one: openssl rand -hex 16",
  });
}

const TOKEN_LENGTH = 16;

/** @throws {HarvestError} with the code UNPROTECTED, NO_PUBLIC_URL or WEAK_TOKEN */
export function accessOf({ host, publicUrl, token, open = false }: AccessOptions): Access {
  if (token !== undefined && token.length < TOKEN_LENGTH) throw weakTokenError();
  const isProtected = open || token !== undefined;
  if (isProtected && publicUrl === undefined && !isLoopback(host)) throw noPublicUrlError(host);
  if (open) return { kind: "open", token };
  if (token !== undefined) return { kind: "token", token };
  const names = publicUrl === undefined ? [host] : [host, new URL(publicUrl).hostname];
  const foreign = names.find((name) => !isLoopback(name));
  if (foreign !== undefined) throw unprotectedError(foreign);
  return { kind: "local" };
}

/** Whether a host name or address is only reached from this machine. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, "").toLowerCase();
  if (name === "localhost" || name.endsWith(".localhost")) return true;
  return ipaddr.isValid(name) && ipaddr.process(name).range() === "loopback";
}
