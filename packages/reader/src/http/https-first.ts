import { inHttps, isBare, isHttp, urlOf } from "../address.ts";
import { isUnanswered, UnreachableError } from "./errors.ts";
import type { Transport } from "./transport.ts";

/**
 * Where a URL begins with https, everything is asked by https, whatever documents name: whoever stands between could answer
 * the rest. Redirects keep https by themselves.
 */
export function keepScheme(transport: Transport, url: string): Transport {
  if (isHttp(url)) return transport;
  return { get: (named, ...rest) => transport.get(inHttps(named), ...rest) };
}

/**
 * Asks an address as it was typed. A bare name is asked by http too, where nothing answers by https.
 *
 * @param ask gets the URL, and a transport that keeps its scheme
 */
export async function askTyped<Value>(
  transport: Transport,
  address: string,
  ask: (transport: Transport, url: string) => Promise<Value>,
): Promise<Value> {
  const url = urlOf(address);
  try {
    return await ask(keepScheme(transport, url), url);
  } catch (error) {
    if (!isBare(address) || !isUnanswered(error, url)) throw error;
    return askPlainly(transport, url, ask, error);
  }
}

/** Where http does not answer either, the error is that of https. */
async function askPlainly<Value>(
  transport: Transport,
  url: string,
  ask: (transport: Transport, url: string) => Promise<Value>,
  failure: unknown,
): Promise<Value> {
  try {
    return await ask(transport, url.replace("https:", "http:"));
  } catch (error) {
    throw error instanceof UnreachableError ? failure : error;
  }
}

/** Whether anything answers at a URL. Throws what it answers, unless that is a document. */
export async function isAnswered(transport: Transport, url: string): Promise<boolean> {
  try {
    const answer = await transport.get(url);
    if (answer.status === "fresh") await answer.discard();
    return true;
  } catch (error) {
    if (isUnanswered(error, url)) return false;
    throw error;
  }
}

/**
 * The URL whose scheme is kept: the address as it was typed, or where a bare name was found.
 *
 * @param found the address of a document
 */
export function keptScheme(address: string, found = ""): string {
  return isBare(address) ? found : address;
}

/** Says that a bare name is asked by http; `undefined` if it is not. */
export function plainNotice(address: string, url: string): string | undefined {
  if (!isBare(address) || !isHttp(url)) return undefined;
  const { host } = new URL(url);
  return (
    `Nothing answers at https://${host}/, so it is read by http: whoever stands between can change what it says. ` +
    "https is tried again each day."
  );
}
