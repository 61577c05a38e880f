import { HarvestError } from "../errors.ts";

/** Where the token for a host is. */
export interface TokenPlace {
  /** As in a URL: with the port, unless it is 443. */
  readonly host: string;
  /** An environment variable. */
  readonly variable: string;
}

/** What a request did with the token for its host. */
export interface TokenUse {
  readonly variable: string;
  readonly isSent: boolean;
}

/** Names the variable, never what it holds. */
function tokenError({ host, variable }: TokenPlace, problem: string): HarvestError {
  const text = `The token for ${host} is not there: the environment variable ${variable} ${problem}.`;
  return new HarvestError({ code: "TOKEN", problem: text });
}

/** Tokens for hosts, as `Authorization: Bearer` (RFC 6750, section 2.1). Private, so that no log or JSON shows them. */
export class HostTokens {
  readonly #known = new Map<string, TokenPlace & { readonly token: string }>();

  /** @throws {HarvestError} */
  constructor(places: readonly TokenPlace[], environment: NodeJS.ProcessEnv = process.env) {
    for (const place of places) {
      const token = environment[place.variable] ?? "";
      if (token === "") throw tokenError(place, "is not set, or is empty");
      if (!/^[\x21-\x7e]+$/.test(token)) {
        throw tokenError(place, "holds spaces, line ends or letters that no token has");
      }
      this.#known.set(place.host, { ...place, token });
    }
  }

  /** @returns `undefined` where there is none for the host, or it is not sent */
  authorization(asked: URL, passed: readonly string[]): string | undefined {
    const known = this.#known.get(asked.host);
    return known !== undefined && mayBeSent(asked, passed) ? `Bearer ${known.token}` : undefined;
  }

  /** @returns `undefined` where there is none for the host */
  use(asked: URL, passed: readonly string[]): TokenUse | undefined {
    const known = this.#known.get(asked.host);
    return known && { variable: known.variable, isSent: mayBeSent(asked, passed) };
  }
}

/**
 * Over https alone, also on this machine. Not after a redirect from another host, or by http, where anybody in between would
 * choose what is asked for.
 *
 * @param passed the addresses that redirected
 */
function mayBeSent({ protocol, origin }: URL, passed: readonly string[]): boolean {
  return protocol === "https:" && passed.every((url) => new URL(url).origin === origin);
}
