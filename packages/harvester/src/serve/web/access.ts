import ipaddr from "ipaddr.js";
import { HarvestError } from "../../errors.ts";

/** Who may do what. Everybody may look. */
export type Access =
  /** Whoever can open the page may do everything: nobody else than who uses this machine can. */
  | { readonly kind: "local" }
  /** Whoever has the token may do everything. */
  | { readonly kind: "token"; readonly token: string }
  /** Anybody may follow sites, some at a time; whoever has the token may do everything. */
  | { readonly kind: "open"; readonly token: string | undefined };

/** Where a service is reached, and what whoever runs it wants to ask for. */
interface AccessOptions {
  /** The address that it listens on. */
  readonly host: string;
  /** Its address as followers know it, where a proxy stands before it. */
  readonly publicUrl?: string | undefined;
  readonly token?: string | undefined;
  readonly open?: boolean | undefined;
}

/** A service that others reach would let anybody unfollow. */
export class UnprotectedError extends HarvestError {
  readonly code = "UNPROTECTED";
  constructor(place: string) {
    super(
      `Others than you reach ${place}. Say who may follow sites there: those who know a secret (--token), or ` +
        "anybody, some sites at a time (--open).",
    );
  }
}

/** A service that others reach must know by what address. */
export class NoPublicUrlError extends HarvestError {
  readonly code = "NO_PUBLIC_URL";
  constructor(host: string) {
    super(
      `Others than you reach ${host}: say by what address, so that feeds and forms can name it ` +
        "(--public-url https://…).",
    );
  }
}

/** A token that somebody could guess. */
export class WeakTokenError extends HarvestError {
  readonly code = "WEAK_TOKEN";
  constructor() {
    super(
      `A token needs ${TOKEN_LENGTH} characters at least. This makes a good one: openssl rand -hex 16`,
    );
  }
}

const TOKEN_LENGTH = 16;

/**
 * Who may do what at an address.
 *
 * @throws {UnprotectedError} when others reach it, and nothing says who may follow
 * @throws {NoPublicUrlError} when others reach it, and nobody has said by what address
 * @throws {WeakTokenError} when the token is short
 */
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

/** Whether a host, named or by its address, is this machine and nobody else reaches it. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, "").toLowerCase();
  if (name === "localhost" || name.endsWith(".localhost")) return true;
  return ipaddr.isValid(name) && ipaddr.process(name).range() === "loopback";
}
