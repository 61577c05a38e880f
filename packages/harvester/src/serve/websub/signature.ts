import { createHmac, timingSafeEqual } from "node:crypto";

const SIGNATURE = /^(sha1|sha256|sha384|sha512)=([0-9a-f]+)$/i;

/**
 * Whether a delivery is signed with a subscription's secret (WebSub, section 7.1).
 *
 * @param signature the header `X-Hub-Signature`; without one nothing is signed
 */
export function isSigned(body: Uint8Array, signature: string | undefined, secret: string): boolean {
  const [, method, digest] = SIGNATURE.exec(signature?.trim() ?? "") ?? [];
  if (method === undefined || digest === undefined) return false;
  const right = createHmac(method.toLowerCase(), secret).update(body).digest();
  const given = Buffer.from(digest, "hex");
  return given.length === right.length && timingSafeEqual(given, right);
}
