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

export class UnprotectedError extends HarvestError {
  readonly code = "UNPROTECTED";
  constructor(place: string) {
    super(
      `Others than you reach ${place}. Say who may follow sites there: those who know a secret (--token), or ` +
        "anybody, some sites at a time (--open).",
    );
  }
}

export class NoPublicUrlError extends HarvestError {
  readonly code = "NO_PUBLIC_URL";
  constructor(host: string) {
    super(
      `Others than you reach ${host}: say by what address, so that feeds and forms can name it ` +
        "(--public-url https://…).",
    );
  }
}

export class WeakTokenError extends HarvestError {
  readonly code = "WEAK_TOKEN";
  constructor() {
    super(
      `A token needs ${TOKEN_LENGTH} characters at least. This makes a good one: openssl rand -hex 16`,
    );
  }
}

const TOKEN_LENGTH = 16;

/** Throws {@link UnprotectedError}, {@link NoPublicUrlError}, {@link WeakTokenError}. */
export function accessOf({ host, publicUrl, token, open = false }: AccessOptions): Access {
  if (token !== undefined && token.length < TOKEN_LENGTH) throw new WeakTokenError();
  const isProtected = open || token !== undefined;
  if (isProtected && publicUrl === undefined && !isLoopback(host)) throw new NoPublicUrlError(host);
  if (open) return { kind: "open", token };
  if (token !== undefined) return { kind: "token", token };
  const names = publicUrl === undefined ? [host] : [host, new URL(publicUrl).hostname];
  const foreign = names.find((name) => !isLoopback(name));
  if (foreign !== undefined) throw new UnprotectedError(foreign);
  return { kind: "local" };
}

/** Whether a host name or address is only reached from this machine. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, "").toLowerCase();
  if (name === "localhost" || name.endsWith(".localhost")) return true;
  return ipaddr.isValid(name) && ipaddr.process(name).range() === "loopback";
}
